//! Recording what came of attempts: the attempt's row, the delivery's state, a dead letter, the
//! hourly counter, the endpoint's health and what it asked for commit together, for a whole batch at once.
//!
//! Each is fenced by its claim token: a process that was paused past its lease finds that somebody
//! else went on, and its outcome is dropped.

mod attempt_rows;
mod health;
mod settle;

use std::collections::BTreeMap;

use domain::Timestamp;
use domain::id::{DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::ladder::NextStep;
use domain::model::Headers;
use domain::status::{AttemptError, AttemptStatus, AttemptTrigger, DeadLetterReason, DeliveryStatus, DisabledReason};

use crate::dead_letters::{self, NewDeadLetter};
use crate::error::StoreError;
use crate::sql::{Bind as _, Sql};
use crate::table::pieces;
use crate::tx::Tx;

/// An attempt that ended, and what follows.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The project.
    pub project_id: ProjectId,
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// The event.
    pub event_id: EventId,
    /// Its type.
    pub event_type: String,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The delivery's request id.
    pub request_id: RequestId,
    /// The attempt's number.
    pub attempt_number: u32,
    /// What started it.
    pub trigger: AttemptTrigger,
    /// Rungs taken, this attempt included where it takes one.
    pub rungs_taken: u32,
    /// Interrupted attempts in a row, this one included.
    pub interruptions: u32,
    /// Proof of the claim.
    pub token: String,
    /// The URL it was sent to.
    pub url: String,
    /// The headers as sent.
    pub request_headers: Headers,
    /// What came back.
    pub result: AttemptResult,
    /// When it began.
    pub requested_at: Timestamp,
    /// When it ended; `None` for an interrupted one.
    pub responded_at: Option<Timestamp>,
    /// What follows.
    pub next: NextStep,
}

/// What came back from one attempt.
#[derive(Clone, Debug, Default)]
pub struct AttemptResult {
    /// The HTTP status.
    pub status: Option<u16>,
    /// Why there is none.
    pub error: Option<AttemptError>,
    /// The address that was connected to.
    pub remote_ip: Option<String>,
    /// The headers of the answer.
    pub response_headers: Option<Headers>,
    /// The first bytes of the answer's body.
    pub response_body: Option<Vec<u8>>,
    /// Whether the body went on.
    pub response_body_truncated: bool,
}

/// Records a batch. Returns how many were recorded; the others had lost their claim.
pub async fn record(tx: &mut Tx, batch: &[Finished]) -> Result<usize, StoreError> {
    let now = tx.now();
    let ours = settle::settle(tx, batch, now).await?;
    attempt_rows::insert(tx, &ours, now).await?;
    count(tx, &ours, now).await?;
    health::note(tx, &ours, now).await?;
    for (finished, status) in &ours {
        if let NextStep::DeadLetter { reason, disable_endpoint } = finished.next {
            if *status == DeliveryStatus::DeadLettered {
                dead_letters::insert(tx, &given_up(finished, reason)).await?;
            }
            if disable_endpoint {
                health::disable(tx, finished.project_id, finished.endpoint_id, DisabledReason::Gone, now).await?;
            }
        }
        if let NextStep::RetryAt { hold_endpoint_until: Some(until), .. } = finished.next {
            hold(tx, finished.endpoint_id, until).await?;
        }
    }
    if !ours.is_empty() {
        tx.announce_recorded();
    }
    Ok(ours.len())
}

/// The word that the log shows for what follows.
fn attempt_status(finished: &Finished) -> AttemptStatus {
    match finished.next {
        _ if finished.responded_at.is_none() => AttemptStatus::Interrupted,
        NextStep::Delivered => AttemptStatus::Delivered,
        NextStep::RetryAt { .. } => AttemptStatus::Retrying,
        NextStep::DeadLetter { .. } => AttemptStatus::DeadLettered,
    }
}

fn next_at(finished: &Finished) -> Option<Timestamp> {
    match finished.next {
        NextStep::RetryAt { at, .. } => Some(at),
        NextStep::Delivered | NextStep::DeadLetter { .. } => None,
    }
}

fn given_up(finished: &Finished, reason: DeadLetterReason) -> NewDeadLetter {
    NewDeadLetter {
        project_id: finished.project_id,
        delivery_id: finished.delivery_id,
        event_id: finished.event_id,
        event_type: finished.event_type.clone(),
        endpoint_id: finished.endpoint_id,
        request_id: finished.request_id,
        reason,
        last_response_status_code: finished.result.status,
        last_error_code: finished.result.error,
    }
}

async fn hold(tx: &mut Tx, endpoint: EndpointId, until: Timestamp) -> Result<(), StoreError> {
    Sql::new("UPDATE btx_webhook_endpoint SET held_until = ")
        .bind(until)
        .push(" WHERE id = ")
        .bind(endpoint)
        .push(" AND (held_until IS NULL OR held_until < ")
        .bind(until)
        .push(")")
        .execute(tx)
        .await
        .map(drop)
}

/// Adds to the hourly counters, in the order of their keys: two replicas that add to the same ones
/// then wait for each other instead of deadlocking.
async fn count(tx: &mut Tx, batch: &[(&Finished, DeliveryStatus)], now: Timestamp) -> Result<(), StoreError> {
    let mut counts = BTreeMap::<_, u32>::new();
    for (finished, _) in batch {
        *counts.entry((finished.project_id, finished.endpoint_id, attempt_status(finished))).or_default() += 1;
    }
    let counts: Vec<_> = counts.into_iter().collect();
    let dialect = tx.dialect();
    for piece in pieces(dialect, &counts) {
        let rows = piece.iter().map(|((project, endpoint, status), count)| {
            [project.value(), now.hour().value(), endpoint.value(), status.value(), count.value()]
        });
        let query = Sql::new("INSERT INTO btx_attempt_hour (project_id, hour, endpoint_id, status, count) ");
        let query = query.table(dialect, rows.collect());
        let query = query.push(
            " ON CONFLICT (project_id, hour, endpoint_id, status) \
             DO UPDATE SET count = btx_attempt_hour.count + excluded.count",
        );
        query.execute(tx).await?;
    }
    Ok(())
}
