//! The inbox as somebody works through it.

use domain::status::{AttemptError, DeadLetterReason};
use serde::{Deserialize, Serialize};

use super::Moment;

/// Dead letters with one endpoint and one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRow {
    /// Where to, short.
    pub endpoint: String,
    /// Why.
    pub reason: DeadLetterReason,
    /// The last answer.
    pub response_status_code: Option<u16>,
    /// Or the last failure.
    pub error_code: Option<AttemptError>,
    /// How many.
    pub count: u32,
    /// When the first was given up.
    pub since: Moment,
    /// What was changed shortly before, and how many seconds before.
    pub changed: Option<(Change, u32)>,
    /// The query that lists them.
    pub query: String,
}

/// What was done to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// Its secret was replaced.
    Secret,
    /// Something else was changed.
    Settings,
    /// It was created.
    Created,
}

/// An endpoint whose deliveries wait after a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingRow {
    /// `whe_…`
    pub endpoint_id: String,
    /// Where to, short.
    pub endpoint: String,
    /// How many wait.
    pub waiting: u32,
    /// Since when.
    pub since: Moment,
    /// When the first of them enters the inbox.
    pub lost_at: Option<Moment>,
    /// How many have entered it by the end of each hour in which some do.
    pub lost_by: Vec<(Moment, u32)>,
}
