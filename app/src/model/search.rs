//! What the search box found.

use serde::{Deserialize, Serialize};

use super::Moment;

/// The page of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchView {
    /// Whether anything was asked.
    pub asked: bool,
    /// What was found, in the order of the text.
    pub hits: Vec<SearchHit>,
    /// What was not, and why.
    pub misses: Vec<SearchMiss>,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    /// What was asked for.
    pub text: String,
    /// Its page, or that of what tells about it.
    pub href: String,
    /// The project that it is in, where it is another one.
    pub project: Option<String>,
}

/// Something that was not found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchMiss {
    /// What was asked for.
    pub text: String,
    /// Why it was not found.
    pub why: Miss,
}

/// Why something was not found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Miss {
    /// It was made so long ago that its kind is no longer kept.
    TooOld {
        /// When, by its own time.
        made: Moment,
        /// For how many days its kind is kept.
        days: u32,
    },
    /// One that differs by one character exists.
    Near {
        /// It.
        id: String,
        /// Its page.
        href: String,
    },
    /// Something of another kind has this id.
    OtherKind {
        /// It.
        id: String,
        /// Its page.
        href: String,
    },
    /// Its own time is still to come: no such id was ever made.
    Future,
    /// Too long, too short, or with a character that no id has.
    Malformed,
    /// Things of this kind have no page here.
    NoPage,
    /// An idempotency key, or something else, that this project does not know.
    Unknown,
}
