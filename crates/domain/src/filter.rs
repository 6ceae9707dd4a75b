//! The filters of each list (contract section 7): read from a query, written back into links, and
//! in one canonical form for the cursor's hash. The API and the dashboard share them.

mod parse;
mod resources;
mod status_code;
mod webhook;

use std::collections::BTreeMap;

use crate::time::Timestamp;

pub use parse::{Asked, FilterReader, Rejected};
pub use resources::{ImportFilter, ItemFilter, MessageFilter};
pub use status_code::StatusCodeFilter;
pub use webhook::{AttemptFilter, DeadLetterFilter, DeliveryFilter};

/// A part of time; the start is inside, the end is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// Inclusive.
    pub created_after: Option<Timestamp>,
    /// Exclusive.
    pub created_before: Option<Timestamp>,
}

/// A list's filters.
pub trait Filter: Default + Clone + PartialEq {
    /// Takes the parameters it knows out of `query`; what is left over is somebody else's.
    ///
    /// # Errors
    /// Every bad field at once.
    fn read(query: &mut FilterReader) -> Result<Self, Rejected>;

    /// The parameters that would read back as this filter, sorted by name, defaults left out.
    fn pairs(&self) -> BTreeMap<&'static str, String>;

    /// One text for one meaning: what the cursor's hash is made of.
    fn canonical(&self) -> String {
        let pairs = self.pairs();
        let parts: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        parts.join("&")
    }
}

/// The list has no filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoFilter;

impl Filter for NoFilter {
    fn read(_: &mut FilterReader) -> Result<Self, Rejected> {
        Ok(Self)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        BTreeMap::new()
    }
}

/// `created_after` and `created_before` alone.
impl Filter for TimeRange {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let range = query.time_range();
        query.finish(range)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = BTreeMap::new();
        parse::put_range(&mut pairs, self);
        pairs
    }
}
