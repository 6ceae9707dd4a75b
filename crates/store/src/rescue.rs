//! Rescuing deliveries whose process died: an expired lease is logged as an `interrupted` attempt,
//! and the delivery is due again at once.

use std::time::Duration;

use domain::Timestamp;
use domain::ladder::Outcome;
use domain::model::Headers;
use domain::status::DeliveryTrigger;

use crate::conn::{Conn, Dialect};
use crate::error::StoreError;
use crate::record::{self, AttemptResult, Finished};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

/// Rows that one transaction rescues at most; the caller calls again until none is left.
pub const BATCH: u32 = 200;
/// How long one that can't be rescued waits before it is looked at again.
const PUT_OFF: Duration = Duration::from_secs(600);

/// Whether a lease has expired: a look that costs nothing, before a write that would.
pub async fn is_needed(conn: &mut Conn, now: Timestamp) -> Result<bool, StoreError> {
    let query = Sql::new("SELECT 1 AS one FROM btx_webhook_delivery WHERE leased_until < ").bind(now).push(" LIMIT 1");
    Ok(query.fetch_optional(conn).await?.is_some())
}

/// Rescues up to [`BATCH`] deliveries. Returns how many it looked at; fewer than that, and none is left.
///
/// Guarded by state and token: a delivery that is finished between the look and the change is left
/// alone, because its token is gone by then.
pub async fn rescue(tx: &mut Tx) -> Result<usize, StoreError> {
    let now = tx.now();
    let lock = if tx.dialect() == Dialect::Postgres { " FOR UPDATE OF d SKIP LOCKED" } else { "" };
    let query = Sql::new(
        "SELECT d.id, d.project_id, d.event_id, d.event_type, d.endpoint_id, d.request_id, d.cause, \
         d.attempts_count, d.rungs_taken, d.interruptions, d.claimed_at, d.claim_token, w.url \
         FROM btx_webhook_delivery d JOIN btx_webhook_endpoint w ON w.id = d.endpoint_id \
         WHERE d.leased_until < ",
    );
    let found = query.bind(now).push(" ORDER BY d.leased_until LIMIT ").bind(BATCH).push(lock).fetch_all(tx).await?;
    let mut batch = Vec::with_capacity(found.len());
    for row in &found {
        match next_of(tx, row, now) {
            Ok(finished) => batch.push(finished),
            Err(error) => put_off(tx, &row.text("id")?, &error).await?,
        }
    }
    tx.savepoint().await?;
    let rescued = match record::record(tx, &batch).await {
        Ok(recorded) => {
            tx.release_savepoint().await?;
            recorded
        }
        Err(error) if error.is_transient() => return Err(error),
        Err(_) => {
            tx.rollback_to_savepoint().await?;
            one_by_one(tx, &batch).await?
        }
    };
    if rescued > 0 {
        tx.wake_due();
    }
    Ok(found.len())
}

/// So that one that the database refuses neither takes its neighbours with it nor hides those
/// behind it.
async fn one_by_one(tx: &mut Tx, batch: &[Finished]) -> Result<usize, StoreError> {
    let mut rescued = 0;
    for finished in batch {
        tx.savepoint().await?;
        match record::record(tx, std::slice::from_ref(finished)).await {
            Ok(recorded) => {
                tx.release_savepoint().await?;
                rescued += recorded;
            }
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => {
                tx.rollback_to_savepoint().await?;
                put_off(tx, &finished.delivery_id.to_string(), &error).await?;
            }
        }
    }
    Ok(rescued)
}

/// Leaves a delivery that can't be rescued as it is, and looks at it again later.
async fn put_off(tx: &mut Tx, delivery: &str, error: &StoreError) -> Result<(), StoreError> {
    tracing::error!(%delivery, %error, "an interrupted attempt can't be recorded; it is tried again in a while");
    let query = Sql::new("UPDATE btx_webhook_delivery SET leased_until = ").bind(tx.now().plus(PUT_OFF));
    query.push(" WHERE id = ").bind(delivery).execute(tx).await.map(drop)
}

/// The interrupted attempt of a row, and what follows it.
fn next_of(tx: &Tx, row: &Row, now: Timestamp) -> Result<Finished, StoreError> {
    let mut finished = interrupted(row, now)?;
    let outcome = Outcome::Interrupted { in_a_row: finished.interruptions };
    if outcome.takes_rung() {
        finished.rungs_taken += 1;
    }
    finished.next = tx.environment().schedule.next(finished.rungs_taken, outcome, now);
    if outcome.takes_rung() {
        finished.interruptions = 0;
    }
    Ok(finished)
}

fn interrupted(row: &Row, now: Timestamp) -> Result<Finished, StoreError> {
    let attempt_number = row.small("attempts_count")?;
    let trigger: DeliveryTrigger = row.parse("cause")?;
    Ok(Finished {
        project_id: row.parse("project_id")?,
        delivery_id: row.parse("id")?,
        event_id: row.parse("event_id")?,
        event_type: row.text("event_type")?,
        endpoint_id: row.parse("endpoint_id")?,
        request_id: row.parse("request_id")?,
        attempt_number,
        trigger: trigger.of_attempt(attempt_number),
        rungs_taken: row.small("rungs_taken")?,
        interruptions: row.small::<u32>("interruptions")? + 1,
        token: row.text("claim_token")?,
        url: row.text("url")?,
        request_headers: Headers::default(),
        result: AttemptResult::default(),
        requested_at: row.opt_time("claimed_at")?.unwrap_or(now),
        responded_at: None,
        next: domain::ladder::NextStep::RetryAt { at: now, hold_endpoint_until: None },
    })
}
