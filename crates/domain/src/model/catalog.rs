//! The catalog: items, and the imports that bring them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RawJson;
use crate::cursor::Position;
use crate::id::{ImportId, ItemId};
use crate::page::Listed;
use crate::status::{ImportFormat, ImportStatus};
use crate::time::Timestamp;

/// How many rows one import takes.
pub const MAX_ROWS: u32 = 50_000;
/// How many refused rows an import lists; all of them are counted.
pub const MAX_ERRORS: usize = 100;

/// Something a project sells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogItem {
    /// Its id.
    pub id: ItemId,
    /// The project's own name for it, unique in the project.
    pub sku: String,
    /// What it is called.
    pub name: Option<String>,
    /// What it costs: a decimal, digit for digit as sent.
    #[schemars(schema_with = "crate::schema::number_or_null")]
    pub price: Option<RawJson>,
    /// The currency, ISO 4217.
    pub currency: Option<String>,
    /// Everything else that its row said.
    pub attributes: RawJson,
    /// The import that wrote it last.
    pub import_id: ImportId,
    /// When it was first imported.
    pub created_at: Timestamp,
    /// When it was last imported.
    pub updated_at: Timestamp,
}

impl Listed for CatalogItem {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}

/// A row that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportError {
    /// Its line in the file, from 1; of JSON, its place in `items`.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// Many rows on their way into the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogImport {
    /// Its id.
    pub id: ImportId,
    /// What was sent.
    pub format: ImportFormat,
    /// Where it stands.
    pub status: ImportStatus,
    /// How many rows it has.
    pub total: u32,
    /// How many of them are in the catalog.
    pub done: u32,
    /// How many were refused.
    pub failed: u32,
    /// The first 100 that were refused, by line.
    pub errors: Vec<ImportError>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last moved on.
    pub updated_at: Timestamp,
    /// When the work began.
    pub started_at: Option<Timestamp>,
    /// When the work ended.
    pub finished_at: Option<Timestamp>,
}

impl Listed for CatalogImport {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}
