//! One attempt with all that belongs to it.

use domain::Timestamp;
use domain::ladder::RetrySchedule;
use domain::model::{Attempt, DeadLetter, Delivery};
use domain::status::{AttemptStatus, DeliveryStatus};
use store::{attempts, dead_letters, deliveries, endpoints};

use super::{attempt_row, captions, curl, json, retried, retry_form};
use crate::error::UiError;
use crate::model::{AttemptView, Body, NextStep, Rung};
use crate::ssr::{Access, Problem};

/// One attempt: what was sent and received, what became of its delivery, and what comes next.
pub(crate) async fn attempt(project: &str, id: &str, just_made: Option<&str>) -> Result<AttemptView, Problem> {
    let mut access = Access::to(project).await?;
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let conn = &mut access.conn;
    let found = attempts::get_with_payload(conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    let captions = captions(endpoints::captions(conn, access.project).await?);
    let siblings = attempts::of_delivery(conn, access.project, found.delivery_id).await?;
    let delivery = deliveries::get(conn, access.project, found.delivery_id).await?.ok_or(UiError::NotFound)?;
    let letter = dead_letters::of_delivery(conn, access.project, found.delivery_id).await?;
    let schedule = access.state.store.environment().schedule.clone();
    let payload = found.payload.clone().unwrap_or_default();
    let curl = curl::command(&found.url, &payload.request_headers.0, &payload.request_body);
    let view = AttemptView {
        row: attempt_row(&found, &captions),
        event_id: found.event_id.to_string(),
        endpoint_id: found.endpoint_id.to_string(),
        request_id: found.request_id.to_string(),
        url: found.url.clone(),
        trigger: found.trigger,
        remote_ip: found.remote_ip.clone(),
        requested_at: found.requested_at.into(),
        responded_at: found.responded_at.map(Into::into),
        request_headers: payload.request_headers.0,
        request_body: body_of(payload.request_body),
        response_headers: payload.response_headers.map(|headers| headers.0),
        response_body: payload.response_body.map(body_of),
        response_body_truncated: payload.response_body_truncated,
        curl,
        next: next_step(&delivery, letter.as_ref(), access.state.store.now()),
        ladder: ladder(&schedule, &siblings, &delivery),
        rungs: schedule.max_attempts(),
        siblings: siblings.iter().map(|attempt| attempt_row(attempt, &captions)).collect(),
        retry: retry_form(&access, found.delivery_id.to_string()),
        retried: retried(&mut access, just_made, &captions).await?,
    };
    access.opened(found.id.to_string()).await?;
    Ok(view)
}

fn body_of(raw: String) -> Body {
    let pretty = Some(json::indented(&raw)).filter(|pretty| *pretty != raw);
    Body { bytes: u32::try_from(raw.len()).unwrap_or(u32::MAX), pretty, raw }
}

/// What happens to a delivery next.
pub(super) fn next_step(delivery: &Delivery, letter: Option<&DeadLetter>, now: Timestamp) -> NextStep {
    match delivery.status {
        DeliveryStatus::Delivered => NextStep::Delivered,
        DeliveryStatus::Skipped => NextStep::Skipped,
        DeliveryStatus::Cancelled => NextStep::Cancelled(delivery.cancel_reason),
        DeliveryStatus::Pending | DeliveryStatus::Retrying => match delivery.next_attempt_at {
            // Due means claimed, or about to be: its time is no news any more.
            Some(at) if at > now => NextStep::Due { at: at.into(), inbox_at: delivery.dead_letters_at.map(Into::into) },
            _ => NextStep::Running,
        },
        DeliveryStatus::DeadLettered => match letter.map(|letter| (letter, letter.resolution)) {
            Some((letter, Some(resolution))) => NextStep::Resolved {
                dead_letter: letter.id.to_string(),
                resolution,
                retry_delivery: letter.retry_delivery_id.map(|id| id.to_string()),
            },
            found => NextStep::Inbox { dead_letter: found.map(|(letter, _)| letter.id.to_string()) },
        },
    }
}

/// The attempts that were made, and the rungs that are left while the delivery still waits.
pub(super) fn ladder(schedule: &RetrySchedule, made: &[Attempt], delivery: &Delivery) -> Vec<Rung> {
    let after = |taken: usize| match taken {
        0 => 0,
        taken => schedule.steps().get(taken - 1).map_or(0, std::time::Duration::as_secs),
    };
    let mut taken = 0;
    let mut rungs = Vec::new();
    for attempt in made {
        rungs.push(Rung {
            number: attempt.attempt_number,
            after_secs: after(taken),
            recorded: Some((attempt.status, attempt.id.to_string())),
            next: false,
        });
        // An interrupted attempt takes a number and no rung.
        taken += usize::from(attempt.status != AttemptStatus::Interrupted);
    }
    if delivery.status.is_waiting() {
        let last = made.last().map_or(0, |attempt| attempt.attempt_number);
        let left = (schedule.max_attempts() as usize).saturating_sub(taken).max(1);
        for (number, index) in (last + 1..).zip(0..left) {
            rungs.push(Rung { number, after_secs: after(taken + index), recorded: None, next: index == 0 });
        }
    }
    rungs
}

#[cfg(test)]
mod tests {
    use domain::id::{AttemptId, DeliveryId, EndpointId, EventId, RequestId, Ulid};
    use domain::status::{AttemptTrigger, DeliveryTrigger};

    use super::*;

    fn delivery(status: DeliveryStatus) -> Delivery {
        let now = Timestamp::from_secs(1);
        Delivery {
            id: DeliveryId::from_ulid(Ulid::nil()),
            event_id: EventId::from_ulid(Ulid::nil()),
            event_type: "contact.created".to_owned(),
            endpoint_id: EndpointId::from_ulid(Ulid::nil()),
            request_id: RequestId::from_ulid(Ulid::nil()),
            parent_delivery_id: None,
            trigger: DeliveryTrigger::Initial,
            status,
            skip_reason: None,
            cancel_reason: None,
            attempts_count: 0,
            last_attempt_at: None,
            next_attempt_at: None,
            dead_letters_at: None,
            created_at: now,
            updated_at: now,
        }
    }

    fn attempt(attempt_number: u32, status: AttemptStatus) -> Attempt {
        let now = Timestamp::from_secs(1);
        Attempt {
            id: AttemptId::from_ulid(Ulid::from_parts(1, u128::from(attempt_number))),
            delivery_id: DeliveryId::from_ulid(Ulid::nil()),
            event_id: EventId::from_ulid(Ulid::nil()),
            event_type: "contact.created".to_owned(),
            endpoint_id: EndpointId::from_ulid(Ulid::nil()),
            request_id: RequestId::from_ulid(Ulid::nil()),
            attempt_number,
            trigger: AttemptTrigger::Initial,
            url: "https://example.com".to_owned(),
            status,
            response_status_code: None,
            error_code: None,
            remote_ip: None,
            requested_at: now,
            responded_at: None,
            duration_ms: None,
            next_attempt_at: None,
            created_at: now,
            payload: None,
        }
    }

    fn drawn(made: &[Attempt], status: DeliveryStatus) -> Vec<(u32, u64, bool)> {
        let rungs = ladder(&RetrySchedule::default(), made, &delivery(status));
        rungs.into_iter().map(|rung| (rung.number, rung.after_secs, rung.next)).collect()
    }

    #[test]
    fn while_a_delivery_waits_the_rungs_that_are_left_are_shown() {
        let made = [attempt(1, AttemptStatus::Retrying), attempt(2, AttemptStatus::Retrying)];
        assert_eq!(
            drawn(&made, DeliveryStatus::Retrying),
            [(1, 0, false), (2, 60, false), (3, 900, true), (4, 3_600, false), (5, 86_400, false)]
        );
    }

    #[test]
    fn an_interrupted_attempt_takes_a_number_and_no_rung() {
        let made = [attempt(1, AttemptStatus::Interrupted), attempt(2, AttemptStatus::Retrying)];
        let drawn = drawn(&made, DeliveryStatus::Retrying);
        assert_eq!(drawn.len(), 6);
        assert_eq!(drawn[1..3], [(2, 0, false), (3, 60, true)]);
    }

    #[test]
    fn what_has_ended_shows_what_was_tried_only() {
        let made = [attempt(1, AttemptStatus::Retrying), attempt(2, AttemptStatus::Delivered)];
        assert_eq!(drawn(&made, DeliveryStatus::Delivered), [(1, 0, false), (2, 60, false)]);
    }

    #[test]
    fn a_claimed_delivery_is_running_and_a_dead_one_waits_in_the_inbox() {
        assert_eq!(next_step(&delivery(DeliveryStatus::Retrying), None, Timestamp::from_secs(2)), NextStep::Running);
        assert_eq!(
            next_step(&delivery(DeliveryStatus::DeadLettered), None, Timestamp::from_secs(2)),
            NextStep::Inbox { dead_letter: None }
        );
        let due = Delivery { next_attempt_at: Some(Timestamp::from_secs(9)), ..delivery(DeliveryStatus::Pending) };
        let waits = NextStep::Due { at: Timestamp::from_secs(9).into(), inbox_at: None };
        assert_eq!(next_step(&due, None, Timestamp::from_secs(8)), waits);
        assert_eq!(next_step(&due, None, Timestamp::from_secs(9)), NextStep::Running);
    }
}
