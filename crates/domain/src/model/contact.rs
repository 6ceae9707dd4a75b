//! A contact.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RawJson;
use crate::cursor::Position;
use crate::id::ContactId;
use crate::page::Listed;
use crate::time::Timestamp;

/// Somebody a project talks to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contact {
    /// Its id.
    pub id: ContactId,
    /// E.164, unique in the project.
    pub phone: String,
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// A JSON object of the project's own.
    pub attributes: RawJson,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Listed for Contact {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}
