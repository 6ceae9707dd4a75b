//! Inventing the fortnight, in memory: what happened in the shop, and how each delivery went.

use std::time::Duration;

use domain::Timestamp;
use domain::id::{ApiKeyId, AttemptId, ContactId, DeadLetterId, DeliveryId, EventId, ProjectId, RequestId};
use domain::ladder::{NextStep, Outcome, RetrySchedule};
use domain::model::{Event, Headers, RawJson};
use domain::status::{AttemptError, AttemptStatus, DeadLetterReason, DeliveryStatus, Resolution};
use domain::{payload, signature};

use super::Stored;
use super::records::{Attempted, Buried, Delivered, History};
use super::scene::{SPAN, Scene, request};
use crate::demo::dice::Dice;
use crate::demo::events::{contact, data};
use crate::demo::shop::{Character, DISABLED_SINCE};

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);
/// Customers from before the fortnight.
const REGULARS: u64 = 80;
/// The first phone number.
const FIRST_NUMBER: u64 = 1_000_000;

impl History {
    /// The same fortnight each time, moved to `now`.
    pub(super) fn invent(
        project: ProjectId,
        key: ApiKeyId,
        stored: &[Stored],
        schedule: &RetrySchedule,
        now: Timestamp,
    ) -> Result<Self, serde_json::Error> {
        let scene = Scene { project, key, stored, schedule, now, dice: Dice::new(0xB071) };
        let mut history = Self::default();
        for number in 0..REGULARS {
            let at = now.minus(SPAN + HOUR * u32::try_from(number).unwrap_or(0) / 2 + DAY / 3);
            history.contacts.push(contact(at, FIRST_NUMBER + number, &scene.dice)?);
        }
        for (at, kind) in scene.moments() {
            history.happen(&scene, at, kind)?;
        }
        Ok(history)
    }

    fn happen(&mut self, scene: &Scene<'_>, at: Timestamp, kind: &'static str) -> Result<(), serde_json::Error> {
        let dice = &scene.dice;
        let who = usize::try_from(dice.between(0, self.contacts.len() as u64)).unwrap_or(0);
        let (who, data): (ContactId, RawJson) = match kind {
            "contact.created" => {
                let new = contact(at, FIRST_NUMBER + self.contacts.len() as u64, dice)?;
                let told = (new.id, RawJson::of(&new)?);
                self.contacts.push(new);
                told
            }
            "contact.updated" => {
                let changed = &mut self.contacts[who];
                changed.updated_at = at;
                changed.tags = vec!["returning".to_owned()];
                (changed.id, RawJson::of(changed)?)
            }
            _ => (self.contacts[who].id, data(kind, self.contacts[who].id, at, dice)?),
        };
        let request = request(scene, at, kind, who);
        let event = Event {
            id: EventId::generate(at, dice),
            event_type: kind.to_owned(),
            data,
            timestamp: at,
            request_id: Some(request.id),
            created_at: at,
        };
        self.requests.push(request);
        self.events.push(event);
        let event = self.events.len() - 1;
        for endpoint in scene.stored {
            let wanted = endpoint.patterns.iter().any(|pattern| pattern.matches(kind));
            if wanted && endpoint.created_at <= at {
                self.deliver(scene, endpoint, event, at);
            }
        }
        Ok(())
    }

    fn deliver(&mut self, scene: &Scene<'_>, endpoint: &Stored, event: usize, at: Timestamp) {
        let off = endpoint.listener.character == Character::Disabled && scene.now.since(at) <= DISABLED_SINCE;
        if off {
            let mut skipped = scene.delivery(endpoint, event, at, None);
            skipped.status = DeliveryStatus::Skipped;
            self.deliveries.push(skipped);
            return;
        }
        let delivery = scene.delivery(endpoint, event, at, None);
        let (id, buried) = self.climb(scene, endpoint, delivery);
        let Some((buried_at, reason, last, request_id)) = buried else { return };
        let letter = Buried {
            id: DeadLetterId::generate(buried_at, &scene.dice),
            delivery: id,
            event,
            endpoint: endpoint.id,
            request_id,
            reason,
            last,
            created_at: buried_at,
            resolved: self.resolve(scene, endpoint, event, id, buried_at),
        };
        self.dead_letters.push(letter);
    }

    /// Attempt by attempt, until it is delivered, given up, or waits beyond the present.
    fn climb(
        &mut self,
        scene: &Scene<'_>,
        endpoint: &Stored,
        mut delivery: Delivered,
    ) -> (DeliveryId, Option<(Timestamp, DeadLetterReason, Outcome, RequestId)>) {
        let id = delivery.id;
        let mut buried = None;
        let mut due = delivery.created_at;
        loop {
            let requested_at = due.plus(Duration::from_micros(scene.dice.between(4_000, 45_000)));
            let met = endpoint.listener.meet(requested_at, scene.now, &scene.dice);
            let responded_at = requested_at.plus(met.took);
            delivery.next_attempt_at = Some(due);
            delivery.dead_letters_at = Some(scene.schedule.dead_letters_at(delivery.attempts, due));
            if responded_at >= scene.now {
                break;
            }
            delivery.attempts += 1;
            delivery.last_attempt_at = Some(requested_at);
            delivery.last = Some(met.outcome);
            let next = scene.schedule.next(delivery.attempts, met.outcome, responded_at);
            let recorded_at = responded_at.plus(Duration::from_micros(scene.dice.between(800, 6_000)));
            delivery.updated_at = recorded_at;
            let (delivery_status, status, next_at) = match next {
                NextStep::Delivered => (DeliveryStatus::Delivered, AttemptStatus::Delivered, None),
                NextStep::RetryAt { at, .. } => (DeliveryStatus::Retrying, AttemptStatus::Retrying, Some(at)),
                NextStep::DeadLetter { reason, .. } => {
                    buried = Some((recorded_at, reason, met.outcome, delivery.request_id));
                    (DeliveryStatus::DeadLettered, AttemptStatus::DeadLettered, None)
                }
            };
            delivery.status = delivery_status;
            delivery.next_attempt_at = next_at;
            delivery.dead_letters_at = next_at.map(|at| scene.schedule.dead_letters_at(delivery.attempts, at));
            *self.hours.entry((recorded_at.hour(), endpoint.id, status)).or_default() += 1;
            let reached = !matches!(
                met.outcome,
                Outcome::Failed(AttemptError::DnsError | AttemptError::BlockedAddress | AttemptError::ConnectTimeout)
            );
            self.attempts.push(Attempted {
                id: AttemptId::generate(recorded_at, &scene.dice),
                delivery: id,
                event: delivery.event,
                endpoint: endpoint.id,
                request_id: delivery.request_id,
                number: delivery.attempts,
                trigger: delivery.trigger.of_attempt(delivery.attempts),
                url: endpoint.url.clone(),
                status,
                met,
                remote_ip: reached.then(|| endpoint.listener.remote_ip()),
                requested_at,
                responded_at,
                next_attempt_at: next_at,
                request_headers: self.headers(scene, endpoint, &delivery, requested_at),
                created_at: recorded_at,
            });
            match next_at {
                Some(at) => due = at,
                None => break,
            }
        }
        self.deliveries.push(delivery);
        (id, buried)
    }

    /// What the team of the shop did about a dead letter: mostly nothing yet.
    fn resolve(
        &mut self,
        scene: &Scene<'_>,
        endpoint: &Stored,
        event: usize,
        parent: DeliveryId,
        buried_at: Timestamp,
    ) -> Option<(Timestamp, Resolution, Option<DeliveryId>)> {
        let at = buried_at.plus(HOUR * 5 + Duration::from_secs(scene.dice.between(0, 7_200)));
        if at.plus(HOUR) >= scene.now {
            return None;
        }
        match endpoint.listener.character {
            Character::FailingNow | Character::Slow | Character::Healthy if scene.dice.happens(600) => {
                let again = scene.delivery(endpoint, event, at, Some(parent));
                let (id, _) = self.climb(scene, endpoint, again);
                Some((at, Resolution::Retried, Some(id)))
            }
            Character::Gone if scene.dice.happens(250) => Some((at, Resolution::Dismissed, None)),
            _ => None,
        }
    }

    fn headers(&self, scene: &Scene<'_>, endpoint: &Stored, delivery: &Delivered, at: Timestamp) -> Headers {
        let event = &self.events[delivery.event];
        let body = payload::render(scene.project, event);
        let line = |name: &str, value: String| (name.to_owned(), value);
        Headers(vec![
            line("Content-Type", "application/json".to_owned()),
            line("Content-Length", body.len().to_string()),
            line("User-Agent", "BOTIX-Webhooks/1.1".to_owned()),
            line("X-Botix-Event", event.event_type.clone()),
            line("X-Botix-Signature", signature::botix(&endpoint.secret, &body)),
            line("X-Botix-Request-Id", delivery.request_id.to_string()),
            line("X-Delivery-Attempt", delivery.attempts.to_string()),
            line("webhook-id", event.id.to_string()),
            line("webhook-timestamp", at.as_secs().to_string()),
            line("webhook-signature", signature::standard(&endpoint.secret, event.id, at, &body)),
        ])
    }
}
