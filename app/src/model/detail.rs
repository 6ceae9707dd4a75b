//! One attempt, dead letter, event, endpoint or delivery with all that belongs to it.

use domain::status::{AttemptStatus, AttemptTrigger, CancelReason, DeliveryStatus, Resolution};
use serde::{Deserialize, Serialize};

use super::{AttemptRow, DeadLetterRow, DeliveryRow, HealthView, LedgerView, Moment};

/// What happens to a delivery next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NextStep {
    /// Nothing: it has arrived.
    Delivered,
    /// Another attempt is due.
    Due {
        /// When.
        at: Moment,
        /// When it enters the inbox if every attempt fails.
        inbox_at: Option<Moment>,
    },
    /// An attempt is running right now.
    Running,
    /// It waits in the inbox.
    Inbox {
        /// `dlq_…`
        dead_letter: Option<String>,
    },
    /// It was in the inbox and somebody has decided.
    Resolved {
        /// `dlq_…`
        dead_letter: String,
        /// How.
        resolution: Resolution,
        /// The delivery that repeats it.
        retry_delivery: Option<String>,
    },
    /// It was never sent.
    Skipped,
    /// It was called off.
    Cancelled(Option<CancelReason>),
}

/// A rung of the ladder picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// 1, 2, …
    pub number: u32,
    /// How long after the one before it is scheduled, in seconds.
    pub after_secs: u64,
    /// What was recorded, and the attempt.
    pub recorded: Option<(AttemptStatus, String)>,
    /// Whether it is the next.
    pub next: bool,
}

/// What the Retry button sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryForm {
    /// `dlv_…` or `dlq_…`
    pub id: String,
    /// Makes a second press harmless.
    pub token: String,
}

/// What became of a retry that was just pressed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// The new delivery.
    pub delivery_id: String,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// Its last attempt.
    pub last: Option<AttemptRow>,
}

/// A body, as it was and as it reads best.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// As it was.
    pub raw: String,
    /// Indented, where it is JSON on one line.
    pub pretty: Option<String>,
    /// How many bytes it has, as far as they were kept.
    pub bytes: u32,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptView {
    /// As in the list.
    pub row: AttemptRow,
    /// `evt_…`
    pub event_id: String,
    /// `whe_…`
    pub endpoint_id: String,
    /// `req_…`
    pub request_id: String,
    /// The URL it was sent to.
    pub url: String,
    /// What started it.
    pub trigger: AttemptTrigger,
    /// The address that was connected to.
    pub remote_ip: Option<String>,
    /// When it began.
    pub requested_at: Moment,
    /// When it ended.
    pub responded_at: Option<Moment>,
    /// As sent.
    pub request_headers: Vec<(String, String)>,
    /// As sent.
    pub request_body: Body,
    /// As received.
    pub response_headers: Option<Vec<(String, String)>>,
    /// The first 4,096 bytes.
    pub response_body: Option<Body>,
    /// Whether it went on.
    pub response_body_truncated: bool,
    /// The same request for a shell.
    pub curl: String,
    /// What happens next to its delivery.
    pub next: NextStep,
    /// The ladder.
    pub ladder: Vec<Rung>,
    /// How many attempts the ladder has by itself.
    pub rungs: u32,
    /// All attempts of the delivery, first to last.
    pub siblings: Vec<AttemptRow>,
    /// `None` where retrying is not allowed.
    pub retry: Option<RetryForm>,
    /// What became of the retry that was just pressed.
    pub retried: Option<Retried>,
}

/// One dead letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetterView {
    /// As in the list.
    pub row: DeadLetterRow,
    /// `dlv_…`
    pub delivery_id: String,
    /// `evt_…`
    pub event_id: String,
    /// `whe_…`
    pub endpoint_id: String,
    /// `req_…`
    pub request_id: String,
    /// When somebody decided.
    pub resolved_at: Option<Moment>,
    /// The delivery that repeats it.
    pub retry_delivery_id: Option<String>,
    /// All attempts of the delivery, first to last.
    pub siblings: Vec<AttemptRow>,
    /// The event's data, indented for reading.
    pub data: Option<String>,
    /// `None` where retrying is not allowed.
    pub retry: Option<RetryForm>,
    /// What became of the retry that was just pressed.
    pub retried: Option<Retried>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventView {
    /// `evt_…`
    pub id: String,
    /// Its type.
    pub event_type: String,
    /// When it happened.
    pub at: Moment,
    /// The API call that caused it.
    pub request_id: Option<String>,
    /// Its data, indented for reading.
    pub data: String,
    /// To whom it goes.
    pub deliveries: Vec<DeliveryRow>,
}

/// One endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointView {
    /// `whe_…`
    pub id: String,
    /// Where events are sent.
    pub url: String,
    /// Which.
    pub event_types: String,
    /// The project's own note.
    pub description: Option<String>,
    /// Whether events are sent.
    pub enabled: bool,
    /// When the secret was last replaced.
    pub secret_rotated_at: Option<Moment>,
    /// Until when the one before it still signs.
    pub previous_until: Option<Moment>,
    /// Its attempts of the last 24 hours, by what was recorded.
    pub last_day: Vec<(AttemptStatus, u32)>,
    /// How it fares.
    pub health: HealthView,
    /// Where its events went.
    pub ledger: LedgerView,
    /// Whether this person may change it.
    pub may_change: bool,
    /// When it was created.
    pub created_at: Moment,
    /// When it was last changed.
    pub updated_at: Moment,
}

/// One delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryView {
    /// `dlv_…`
    pub id: String,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// `evt_…`
    pub event_id: String,
    /// What is delivered.
    pub event_type: String,
    /// `whe_…`
    pub endpoint_id: String,
    /// Where to, short.
    pub endpoint: String,
    /// `req_…`
    pub request_id: String,
    /// The delivery that this one repeats.
    pub parent_delivery_id: Option<String>,
    /// When it was created.
    pub created_at: Moment,
    /// What happens next.
    pub next: NextStep,
    /// The ladder.
    pub ladder: Vec<Rung>,
    /// All attempts, first to last.
    pub attempts: Vec<AttemptRow>,
    /// `None` where retrying is not allowed.
    pub retry: Option<RetryForm>,
    /// What became of the retry that was just pressed.
    pub retried: Option<Retried>,
}
