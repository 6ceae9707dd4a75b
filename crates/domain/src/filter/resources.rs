//! Filters of messages, catalog imports and catalog items.

use std::collections::BTreeMap;

use super::parse::{put, put_many, put_range};
use super::{Filter, FilterReader, Rejected, TimeRange};
use crate::id::{ContactId, ImportId};
use crate::status::ImportStatus;

/// Filters of `/messages`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageFilter {
    /// One contact.
    pub contact_id: Option<ContactId>,
    /// One channel.
    pub channel: Option<String>,
    /// When it was accepted.
    pub created: TimeRange,
}

impl Filter for MessageFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter =
            Self { contact_id: query.one("contact_id"), channel: query.take("channel"), created: query.time_range() };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = BTreeMap::new();
        put(&mut pairs, "contact_id", self.contact_id.as_ref());
        put(&mut pairs, "channel", self.channel.as_ref());
        put_range(&mut pairs, &self.created);
        pairs
    }
}

/// Filters of `/catalog/imports`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportFilter {
    /// Where it stands.
    pub status: Vec<ImportStatus>,
    /// When it was accepted.
    pub created: TimeRange,
}

impl Filter for ImportFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self { status: query.many("status"), created: query.time_range() };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = BTreeMap::new();
        put_many(&mut pairs, "status", &self.status);
        put_range(&mut pairs, &self.created);
        pairs
    }
}

/// Filters of `/catalog/items`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// The item with this SKU.
    pub sku: Option<String>,
    /// The import that wrote it last.
    pub import_id: Option<ImportId>,
    /// When it was first imported.
    pub created: TimeRange,
}

impl Filter for ItemFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self { sku: query.take("sku"), import_id: query.one("import_id"), created: query.time_range() };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = BTreeMap::new();
        put(&mut pairs, "sku", self.sku.as_ref());
        put(&mut pairs, "import_id", self.import_id.as_ref());
        put_range(&mut pairs, &self.created);
        pairs
    }
}
