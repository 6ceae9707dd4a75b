//! What inventing needs throughout: the present, the dice, and when something happens.

use std::time::Duration;

use domain::Timestamp;
use domain::id::{ApiKeyId, ContactId, DeliveryId, ProjectId, RequestId};
use domain::ladder::RetrySchedule;
use domain::model::ApiRequest;
use domain::status::{DeliveryStatus, DeliveryTrigger, IdempotencyOutcome};

use super::Stored;
use super::records::Delivered;
use crate::demo::dice::Dice;
use crate::demo::events::{KINDS, busyness};

const HOUR: Duration = Duration::from_secs(3_600);
/// How far back it goes; a little less than attempts are kept.
pub(super) const SPAN: Duration = Duration::from_secs(14 * 86_400 - 2 * 3_600);
/// So much of the present is left to what really happens.
const QUIET: Duration = Duration::from_secs(90);

/// What inventing needs to know throughout.
pub(super) struct Scene<'a> {
    pub(super) project: ProjectId,
    pub(super) key: ApiKeyId,
    pub(super) stored: &'a [Stored],
    pub(super) schedule: &'a RetrySchedule,
    pub(super) now: Timestamp,
    pub(super) dice: Dice,
}

impl Scene<'_> {
    /// When something happened, and what: oldest first.
    pub(super) fn moments(&self) -> Vec<(Timestamp, &'static str)> {
        let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let ago = |from: Duration, to: Duration| {
            self.now.minus(Duration::from_micros(self.dice.between(micros(to), micros(from))))
        };
        let mut moments = Vec::new();
        for (kind, a_day) in KINDS {
            let mut wanted = a_day * 12;
            while wanted > 0 {
                let at = ago(SPAN, QUIET);
                if self.dice.between(0, 100) < busyness(at) {
                    moments.push((at, *kind));
                    wanted -= 1;
                }
            }
        }
        // Whatever the time of day: something is going on when somebody looks.
        for kind in ["payment.succeeded", "payment.succeeded", "payment.failed", "message.accepted", "contact.updated"]
        {
            moments.extend((0..6).map(|_| (ago(HOUR + HOUR / 2, QUIET), kind)));
        }
        moments.sort_unstable();
        moments
    }

    pub(super) fn delivery(
        &self,
        endpoint: &Stored,
        event: usize,
        at: Timestamp,
        parent: Option<DeliveryId>,
    ) -> Delivered {
        Delivered {
            id: DeliveryId::generate(at, &self.dice),
            event,
            endpoint: endpoint.id,
            request_id: RequestId::generate(at, &self.dice),
            parent,
            trigger: if parent.is_some() { DeliveryTrigger::Manual } else { DeliveryTrigger::Initial },
            status: DeliveryStatus::Pending,
            attempts: 0,
            last_attempt_at: None,
            next_attempt_at: None,
            dead_letters_at: None,
            last: None,
            created_at: at,
            updated_at: at,
        }
    }
}

/// The API call that caused an event.
pub(super) fn request(scene: &Scene<'_>, at: Timestamp, kind: &str, who: ContactId) -> ApiRequest {
    let dice = &scene.dice;
    let (method, path, status_code) = match kind {
        "contact.created" => ("POST", "/public/v1/contacts".to_owned(), 201),
        "contact.updated" => ("PATCH", format!("/public/v1/contacts/{who}"), 200),
        "message.accepted" => ("POST", "/public/v1/messages".to_owned(), 202),
        "catalog.import.completed" => ("POST", "/public/v1/catalog/imports".to_owned(), 202),
        _ => ("POST", "/public/v1/events".to_owned(), 201),
    };
    let id = RequestId::generate(at, dice);
    ApiRequest {
        id,
        method: method.to_owned(),
        path,
        status_code,
        error_code: None,
        duration_ms: u32::try_from(dice.between(2, 24)).unwrap_or(2),
        api_key_id: Some(scene.key),
        remote_ip: Some("203.0.113.80".to_owned()),
        user_agent: Some("demo-shop/2.4".to_owned()),
        idempotency_key: None,
        idempotency_outcome: (method == "POST").then_some(IdempotencyOutcome::Executed),
        created_at: at,
    }
}
