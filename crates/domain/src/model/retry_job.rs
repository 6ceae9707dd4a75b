//! A bulk retry and how far it has come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{EndpointId, JobId};
use crate::status::{DeadLetterReason, RetryJobStatus};
use crate::time::Timestamp;

/// Many dead letters on their way out of the inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RetryJob {
    /// Its id.
    pub id: JobId,
    /// Where it stands.
    pub status: RetryJobStatus,
    /// How many matched when it was asked for.
    pub total: u32,
    /// How many were sent again.
    pub done: u32,
    /// How many could not be: their endpoint is deleted, or somebody else decided about them first.
    pub failed: u32,
    /// Whether it only counted.
    pub dry_run: bool,
    /// Of one endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// Of one event type.
    pub event_type: Option<String>,
    /// Given up for this reason.
    pub reason: Option<DeadLetterReason>,
    /// Given up (or skipped) at this time or later.
    pub created_after: Option<Timestamp>,
    /// Given up (or skipped) before this time.
    pub created_before: Option<Timestamp>,
    /// Whether deliveries that were skipped are sent, too.
    pub include_skipped: bool,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last moved on.
    pub updated_at: Timestamp,
    /// When the work began.
    pub started_at: Option<Timestamp>,
    /// When the work ended.
    pub finished_at: Option<Timestamp>,
}
