//! A bulk retry: what it would do, and how far it has come.

use domain::status::RetryJobStatus;
use serde::{Deserialize, Serialize};

use super::Moment;

/// What a bulk retry of the filtered inbox would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryManyView {
    /// The inbox's filters, which say what is sent.
    pub filters: String,
    /// How many match.
    pub count: u32,
    /// Whether there are more than were counted.
    pub more: bool,
    /// Where to, short, where it is one endpoint.
    pub endpoint: Option<String>,
    /// Whether that endpoint is switched off.
    pub disabled: bool,
}

/// A bulk retry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobView {
    /// `job_…`
    pub id: String,
    /// Where it stands.
    pub status: RetryJobStatus,
    /// How many it covers.
    pub total: u32,
    /// How many were sent again.
    pub done: u32,
    /// How many were not.
    pub failed: u32,
    /// Whether this person may call it off.
    pub may_cancel: bool,
    /// When it was asked for.
    pub created_at: Moment,
    /// When the work began.
    pub started_at: Option<Moment>,
    /// When it ended.
    pub finished_at: Option<Moment>,
    /// The query that lists the attempts it has caused.
    pub attempts: String,
}
