//! The log of requests, the trace of one, and idempotency keys.

use domain::status::{
    AttemptError, AttemptStatus, DeadLetterReason, DeliveryStatus, DeliveryTrigger, IdempotencyOutcome,
    IdempotencyStatus, Resolution,
};
use serde::{Deserialize, Serialize};

use super::{Difference, Moment, Pager};

/// One request in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestRow {
    /// `req_…`
    pub id: String,
    /// The method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The answer's status.
    pub status_code: u16,
    /// The answer's error code.
    pub error_code: Option<String>,
    /// How long it took.
    pub duration_ms: u32,
    /// What the idempotency layer did.
    pub outcome: Option<IdempotencyOutcome>,
    /// When it arrived.
    pub at: Moment,
}

/// The page of requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestsView {
    /// Newest first.
    pub rows: Vec<RequestRow>,
    /// The pages around.
    pub pager: Pager,
    /// Where the offered ranges begin, in hours.
    pub ranges: Vec<(u32, String)>,
    /// Where the API is, for the example.
    pub api_url: String,
}

/// The API call that a trace begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedRequest {
    /// As in the list.
    pub row: RequestRow,
    /// `key_…`
    pub api_key_id: Option<String>,
    /// Where it came from.
    pub remote_ip: Option<String>,
    /// What sent it.
    pub user_agent: Option<String>,
    /// Its idempotency key.
    pub idempotency_key: Option<String>,
    /// The request that the key belongs to, where it is another one.
    pub first_request_id: Option<String>,
}

/// One entry of the time line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// When it happened.
    pub at: Moment,
    /// Its id, which leads to its page.
    pub id: String,
    /// What happened.
    pub what: TraceFact,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceFact {
    /// Something changed, and the event says so.
    Event {
        /// Its type.
        event_type: String,
        /// What it is about, e.g. `con_…`.
        subject: Option<String>,
    },
    /// The event is to be delivered.
    Delivery {
        /// Where to, short.
        endpoint: String,
        /// What started it.
        trigger: DeliveryTrigger,
        /// Where it stands now.
        status: DeliveryStatus,
        /// When the next attempt is due.
        next_at: Option<Moment>,
        /// The delivery that this one repeats.
        parent: Option<String>,
    },
    /// It was sent.
    Attempt {
        /// Where to, short.
        endpoint: String,
        /// 1, 2, …
        number: u32,
        /// What was recorded.
        status: AttemptStatus,
        /// The answer.
        code: Option<u16>,
        /// Or the failure.
        error: Option<AttemptError>,
        /// How long it took.
        duration_ms: Option<u32>,
    },
    /// It was given up.
    DeadLetter {
        /// Where to, short.
        endpoint: String,
        /// Why.
        reason: DeadLetterReason,
        /// The last answer.
        code: Option<u16>,
        /// How it left the inbox.
        resolution: Option<Resolution>,
        /// The delivery that repeats it.
        retry_delivery: Option<String>,
    },
}

/// One request with everything that followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceView {
    /// The id that was asked for.
    pub id: String,
    /// The API call; `None` for a webhook's own id.
    pub request: Option<TracedRequest>,
    /// The API call that caused the webhook, where the id is a webhook's.
    pub caused_by: Option<String>,
    /// Oldest first.
    pub steps: Vec<TraceStep>,
    /// Whether something is still to come.
    pub waiting: bool,
}

/// One idempotency key in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRow {
    /// The key.
    pub key: String,
    /// `key_…`
    pub api_key_id: String,
    /// Where it stands.
    pub status: IdempotencyStatus,
    /// Method and path of its first request.
    pub target: String,
    /// The stored answer's status.
    pub code: Option<u16>,
    /// How often it was given again.
    pub replays: u32,
    /// How often another request tried to use it.
    pub conflicts: u32,
    /// When it was first seen.
    pub at: Moment,
}

/// One idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// As in the list.
    pub row: KeyRow,
    /// `req_…`
    pub first_request_id: String,
    /// SHA-256 in hex.
    pub fingerprint: String,
    /// When the answer is erased.
    pub expires_at: Moment,
    /// The stored answer, secrets taken out.
    pub answer: Option<String>,
    /// The last request that wanted it for something else.
    pub conflict: Option<ConflictView>,
    /// The requests that used it, newest first.
    pub uses: Vec<RequestRow>,
    /// What its first request did, oldest first.
    pub created: Vec<TraceStep>,
}

/// A request that was refused because its key was another request's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictView {
    /// `req_…`
    pub request_id: String,
    /// When it came.
    pub at: Moment,
    /// How it differs from the key's first request; `None` when one of the two bodies was too long to be kept.
    pub difference: Option<Difference>,
}

/// The page of idempotency keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysView {
    /// Newest first.
    pub rows: Vec<KeyRow>,
    /// The pages around.
    pub pager: Pager,
    /// The key that is open.
    pub open: Option<KeyView>,
}
