//! Endpoints, deliveries, attempts and dead letters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EndpointHealth, Headers};
use crate::cursor::Position;
use crate::event_type::EventPattern;
use crate::id::{AttemptId, DeadLetterId, DeliveryId, EndpointId, EventId, RequestId};
use crate::page::Listed;
use crate::status::{
    AttemptError, AttemptStatus, AttemptTrigger, CancelReason, DeadLetterReason, DeliveryStatus, DeliveryTrigger,
    DisabledReason, Resolution, SkipReason,
};
use crate::time::Timestamp;

/// A URL that a project wants its events sent to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Endpoint {
    /// Its id.
    pub id: EndpointId,
    /// Where events are sent.
    pub url: String,
    /// Which events are wanted.
    pub event_types: Vec<EventPattern>,
    /// The project's own note.
    pub description: Option<String>,
    /// Whether events are sent; otherwise they are `skipped`.
    pub enabled: bool,
    /// Why the system disabled it; null when it is enabled or was disabled by hand.
    pub disabled_reason: Option<DisabledReason>,
    /// When the system disabled it.
    pub disabled_at: Option<Timestamp>,
    /// The signing secret: in the answer to create and rotate only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// When the secret was last replaced.
    pub secret_rotated_at: Option<Timestamp>,
    /// Until when the previous secret still signs.
    pub previous_secret_expires_at: Option<Timestamp>,
    /// How it fares: where one endpoint is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<EndpointHealth>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The delivery of one event to one endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// What is delivered.
    pub event_id: EventId,
    /// The event's type.
    pub event_type: String,
    /// Where to.
    pub endpoint_id: EndpointId,
    /// The id that every attempt at it carries in `X-Botix-Request-Id`.
    pub request_id: RequestId,
    /// The delivery that this one repeats.
    pub parent_delivery_id: Option<DeliveryId>,
    /// What started it.
    pub trigger: DeliveryTrigger,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// Why it was skipped.
    pub skip_reason: Option<SkipReason>,
    /// Why it was cancelled.
    pub cancel_reason: Option<CancelReason>,
    /// How many attempts were made, interrupted ones included.
    pub attempts_count: u32,
    /// When the last one began.
    pub last_attempt_at: Option<Timestamp>,
    /// When the next one is due.
    pub next_attempt_at: Option<Timestamp>,
    /// When the last scheduled attempt is due: after it, the inbox.
    pub dead_letters_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// One attempt at a delivery, as recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// Its id.
    pub id: AttemptId,
    /// The delivery it belongs to.
    pub delivery_id: DeliveryId,
    /// What was sent.
    pub event_id: EventId,
    /// The event's type.
    pub event_type: String,
    /// Where to.
    pub endpoint_id: EndpointId,
    /// The delivery's request id.
    pub request_id: RequestId,
    /// 1, 2, …
    pub attempt_number: u32,
    /// What started it.
    pub trigger: AttemptTrigger,
    /// The URL it was sent to.
    pub url: String,
    /// What was recorded when it ended.
    pub status: AttemptStatus,
    /// The HTTP status of the answer.
    pub response_status_code: Option<u16>,
    /// Why there is no answer.
    pub error_code: Option<AttemptError>,
    /// The address that was connected to.
    pub remote_ip: Option<String>,
    /// When it began; of an interrupted one, when it was claimed.
    pub requested_at: Timestamp,
    /// When it ended.
    pub responded_at: Option<Timestamp>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u32>,
    /// When the next attempt is due.
    pub next_attempt_at: Option<Timestamp>,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// What was sent and received, when asked for.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<AttemptPayload>,
}

/// What was sent and received in one attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptPayload {
    /// The headers as sent.
    pub request_headers: Headers,
    /// The body as sent.
    pub request_body: String,
    /// The headers of the answer.
    pub response_headers: Option<Headers>,
    /// The first 4,096 bytes of the answer's body; bytes that are no UTF-8 are shown as U+FFFD.
    pub response_body: Option<String>,
    /// Whether the answer's body went on.
    pub response_body_truncated: bool,
}

/// A delivery that was given up, waiting for somebody to decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeadLetter {
    /// Its id.
    pub id: DeadLetterId,
    /// The delivery that was given up.
    pub delivery_id: DeliveryId,
    /// Its event.
    pub event_id: EventId,
    /// The event's type.
    pub event_type: String,
    /// Its endpoint.
    pub endpoint_id: EndpointId,
    /// The delivery's request id.
    pub request_id: RequestId,
    /// Why it was given up.
    pub reason: DeadLetterReason,
    /// The HTTP status of the last answer.
    pub last_response_status_code: Option<u16>,
    /// The failure of the last attempt.
    pub last_error_code: Option<AttemptError>,
    /// When it was given up.
    pub created_at: Timestamp,
    /// When it left the inbox.
    pub resolved_at: Option<Timestamp>,
    /// How it left the inbox.
    pub resolution: Option<Resolution>,
    /// The delivery that repeats it.
    pub retry_delivery_id: Option<DeliveryId>,
}

macro_rules! listed {
    ($($name:ty),*) => {$(
        impl Listed for $name {
            fn position(&self) -> Position {
                Position { created_at: self.created_at, ulid: self.id.ulid() }
            }
        }
    )*};
}
listed!(Endpoint, Delivery, Attempt, DeadLetter);
