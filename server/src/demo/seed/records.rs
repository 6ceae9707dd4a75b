//! The rows of the fortnight, before they are written.

use std::collections::BTreeMap;

use domain::Timestamp;
use domain::id::{AttemptId, DeadLetterId, DeliveryId, EndpointId, RequestId};
use domain::ladder::Outcome;
use domain::model::{ApiRequest, Contact, Event, Headers};
use domain::status::{
    AttemptError, AttemptStatus, AttemptTrigger, DeadLetterReason, DeliveryStatus, DeliveryTrigger, Resolution,
};

use crate::demo::shop::Met;

/// Everything that is written.
#[derive(Default)]
pub(super) struct History {
    pub(super) contacts: Vec<Contact>,
    pub(super) requests: Vec<ApiRequest>,
    pub(super) events: Vec<Event>,
    pub(super) deliveries: Vec<Delivered>,
    pub(super) attempts: Vec<Attempted>,
    pub(super) dead_letters: Vec<Buried>,
    /// Attempts by hour, endpoint and status.
    pub(super) hours: BTreeMap<(Timestamp, EndpointId, AttemptStatus), u32>,
}

/// A delivery's row.
pub(super) struct Delivered {
    pub(super) id: DeliveryId,
    pub(super) event: usize,
    pub(super) endpoint: EndpointId,
    pub(super) request_id: RequestId,
    pub(super) parent: Option<DeliveryId>,
    pub(super) trigger: DeliveryTrigger,
    pub(super) status: DeliveryStatus,
    pub(super) attempts: u32,
    pub(super) last_attempt_at: Option<Timestamp>,
    pub(super) next_attempt_at: Option<Timestamp>,
    pub(super) dead_letters_at: Option<Timestamp>,
    pub(super) last: Option<Outcome>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// An attempt's row.
pub(super) struct Attempted {
    pub(super) id: AttemptId,
    pub(super) delivery: DeliveryId,
    pub(super) event: usize,
    pub(super) endpoint: EndpointId,
    pub(super) request_id: RequestId,
    pub(super) number: u32,
    pub(super) trigger: AttemptTrigger,
    pub(super) url: String,
    pub(super) status: AttemptStatus,
    pub(super) met: Met,
    pub(super) remote_ip: Option<&'static str>,
    pub(super) requested_at: Timestamp,
    pub(super) responded_at: Timestamp,
    pub(super) next_attempt_at: Option<Timestamp>,
    pub(super) request_headers: Headers,
    pub(super) created_at: Timestamp,
}

/// A dead letter's row.
pub(super) struct Buried {
    pub(super) id: DeadLetterId,
    pub(super) delivery: DeliveryId,
    pub(super) event: usize,
    pub(super) endpoint: EndpointId,
    pub(super) request_id: RequestId,
    pub(super) reason: DeadLetterReason,
    pub(super) last: Outcome,
    pub(super) created_at: Timestamp,
    pub(super) resolved: Option<(Timestamp, Resolution, Option<DeliveryId>)>,
}

/// The HTTP status and the failure, as columns.
pub(super) const fn columns(outcome: Outcome) -> (Option<u16>, Option<AttemptError>) {
    match outcome {
        Outcome::Responded { status, .. } => (Some(status), None),
        Outcome::Failed(error) => (None, Some(error)),
        Outcome::Interrupted { .. } => (None, None),
    }
}
