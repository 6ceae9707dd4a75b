//! One attempt with all that belongs to it.

use domain::ladder::RetrySchedule;
use domain::model::{Attempt, DeadLetter, Delivery};
use domain::status::{AttemptStatus, DeliveryStatus};
use store::{attempts, dead_letters, deliveries, endpoints};

use super::{attempt_row, captions, curl, json, retried, retry_form};
use crate::error::UiError;
use crate::model::{AttemptView, NextStep, Rung};
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
    Ok(AttemptView {
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
        request_body: json::indented(&payload.request_body),
        response_headers: payload.response_headers.map(|headers| headers.0),
        response_body: payload.response_body,
        response_body_truncated: payload.response_body_truncated,
        curl,
        next: next_step(&delivery, letter.as_ref()),
        ladder: ladder(&schedule, &siblings, &delivery),
        rungs: schedule.max_attempts(),
        siblings: siblings.iter().map(|attempt| attempt_row(attempt, &captions)).collect(),
        retry: retry_form(&access, found.delivery_id.to_string()),
        retried: retried(&mut access, just_made, &captions).await?,
    })
}

/// What happens to a delivery next.
pub(super) fn next_step(delivery: &Delivery, letter: Option<&DeadLetter>) -> NextStep {
    match delivery.status {
        DeliveryStatus::Delivered => NextStep::Delivered,
        DeliveryStatus::Skipped => NextStep::Skipped,
        DeliveryStatus::Cancelled => NextStep::Cancelled(delivery.cancel_reason),
        DeliveryStatus::Pending | DeliveryStatus::Retrying => match delivery.next_attempt_at {
            Some(at) => NextStep::Due { at: at.into(), inbox_at: delivery.dead_letters_at.map(Into::into) },
            None => NextStep::Running,
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
