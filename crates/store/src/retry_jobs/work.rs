//! The work on a bulk retry, under a lease.

use std::time::Duration;

use domain::id::{JobId, ProjectId, RequestId};
use domain::status::RetryJobStatus;

use super::batch::{self, Place};
use super::{COLUMNS, Work, careful, work};
use crate::conn::Dialect;
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

/// How long a claim holds; far longer than a batch takes, and renewed by each.
pub const LEASE: Duration = Duration::from_secs(15);
/// How often a job may be taken up without a step forward before it is given up.
const MOST_TRIES: i64 = 10;
/// Batches of one job before another project's turn.
const TURN: u32 = 20;

/// A job that somebody works on.
#[derive(Clone, Debug)]
pub struct Claimed {
    id: JobId,
    project: ProjectId,
    token: String,
    tries: i64,
}

/// Works for a while on the job that has waited longest. `false` when none waits.
///
/// # Errors
/// The database's; the job is taken up again after its lease, or at once by the next call.
pub async fn run_next(store: &Store) -> Result<bool, StoreError> {
    let Some(claimed) = claim(store).await? else { return Ok(false) };
    let mut outcome = Ok(true);
    for _ in 0..TURN {
        match take_step(store, &claimed).await {
            Ok(Step::More) => {}
            // At its end, put down for a moment, called off, or in another worker's hands.
            Ok(Step::Paused | Step::Ended) | Err(StoreError::Fenced) => return Ok(true),
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    store.write::<_, _, StoreError>(move |tx| Box::pin(release(tx, claimed))).await?;
    outcome
}

/// Takes the job that has waited longest, of those that are their project's first.
pub async fn claim(store: &Store) -> Result<Option<Claimed>, StoreError> {
    store.write::<_, _, StoreError>(|tx| Box::pin(take(tx))).await
}

/// What a step led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    More,
    /// The claim is given back for a moment.
    Paused,
    Ended,
}

/// Carries out the next batch. `false` when that was the last.
///
/// # Errors
/// [`StoreError::Fenced`] when the job was called off, or is in another worker's hands.
pub async fn step(store: &Store, claimed: &Claimed) -> Result<bool, StoreError> {
    Ok(take_step(store, claimed).await? != Step::Ended)
}

async fn take_step(store: &Store, claimed: &Claimed) -> Result<Step, StoreError> {
    let claimed = claimed.clone();
    store.write::<_, _, StoreError>(move |tx| Box::pin(advance(tx, claimed))).await
}

async fn take(tx: &mut Tx) -> Result<Option<Claimed>, StoreError> {
    let now = tx.now();
    let mut query = Sql::new(
        "SELECT id, project_id, tries FROM btx_retry_job j WHERE finished_at IS NULL \
         AND (leased_until IS NULL OR leased_until <= ",
    )
    .bind(now)
    .push(
        ") AND NOT EXISTS (SELECT 1 FROM btx_retry_job e WHERE e.project_id = j.project_id \
         AND e.finished_at IS NULL AND (e.created_at, e.id) < (j.created_at, j.id)) \
         ORDER BY updated_at, id LIMIT 1",
    );
    if tx.dialect() == Dialect::Postgres {
        query = query.push(" FOR UPDATE SKIP LOCKED");
    }
    let Some(row) = query.fetch_optional(tx).await? else { return Ok(None) };
    let claimed = Claimed {
        id: row.parse("id")?,
        project: row.parse("project_id")?,
        // Random and unique is all that a token has to be.
        token: RequestId::generate(now, tx.entropy()).to_string(),
        tries: row.int("tries")? + 1,
    };
    Sql::new("UPDATE btx_retry_job SET status = ")
        .bind(RetryJobStatus::Running)
        .push(", tries = ")
        .bind(claimed.tries)
        .push(", claim_token = ")
        .bind(&claimed.token)
        .push(", leased_until = ")
        .bind(now.plus(LEASE))
        .push(", started_at = COALESCE(started_at, ")
        .bind(now)
        .push("), updated_at = ")
        .bind(now)
        .push(" WHERE id = ")
        .bind(claimed.id)
        .execute(tx)
        .await?;
    Ok(Some(claimed))
}

async fn advance(tx: &mut Tx, claimed: Claimed) -> Result<Step, StoreError> {
    let row = held(tx, &claimed).await?;
    let mut work = work(&row)?;
    if claimed.tries > MOST_TRIES {
        tracing::error!(job = %claimed.id, "a bulk retry is given up");
        work.job.status = RetryJobStatus::Failed;
        save(tx, &work, None).await?;
        return Ok(Step::Ended);
    }
    if careful::must_wait(tx, claimed.project, &work).await? {
        pause(tx, &claimed).await?;
        return Ok(Step::Paused);
    }
    let after = row.opt_time("after_created_at")?.zip(row.opt_text("after_id")?);
    let place = Place { at_skipped: row.flag("at_skipped")?, after };
    let mut outcome = batch::advance(tx, claimed.project, &work, place).await?;
    work.left = work.left.saturating_add(u32::try_from(outcome.left).unwrap_or(u32::MAX));
    if work.left > 0 && work.job.endpoint_id.is_some() {
        // There is no other endpoint to look for.
        outcome.next = None;
    }
    let job = &mut work.job;
    job.done = job.done.saturating_add(u32::try_from(outcome.done).unwrap_or(u32::MAX));
    job.failed = job.failed.saturating_add(u32::try_from(outcome.failed).unwrap_or(u32::MAX));
    if outcome.next.is_none() {
        job.status = if work.left > 0 { RetryJobStatus::Stopped } else { RetryJobStatus::Completed };
        // What left the inbox by another hand since it was counted was not this job's to send.
        job.total = job.total.max(job.done.saturating_add(job.failed));
        job.failed = job.total - job.done;
    }
    save(tx, &work, outcome.next.as_ref()).await?;
    Ok(if outcome.next.is_some() { Step::More } else { Step::Ended })
}

/// The job's row, if the claim still holds.
async fn held(tx: &mut Tx, claimed: &Claimed) -> Result<Row, StoreError> {
    let mut query = Sql::new("SELECT at_skipped, after_created_at, after_id, inbox, careful, left_behind, ")
        .push(COLUMNS)
        .push(" FROM btx_retry_job WHERE id = ")
        .bind(claimed.id)
        .push(" AND finished_at IS NULL AND claim_token = ")
        .bind(&claimed.token);
    if tx.dialect() == Dialect::Postgres {
        query = query.push(" FOR UPDATE");
    }
    query.fetch_optional(tx).await?.ok_or(StoreError::Fenced)
}

/// Stores the progress: with a fresh lease and the place to go on at, or as the end.
async fn save(tx: &mut Tx, work: &Work, next: Option<&Place>) -> Result<(), StoreError> {
    let (now, job) = (tx.now(), &work.job);
    let query = Sql::new("UPDATE btx_retry_job SET tries = 0, status = ")
        .bind(job.status)
        .push(", total = ")
        .bind(job.total)
        .push(", done = ")
        .bind(job.done)
        .push(", failed = ")
        .bind(job.failed)
        .push(", left_behind = ")
        .bind(work.left)
        .push(", updated_at = ")
        .bind(now);
    let query = match next {
        Some(place) => query
            .push(", leased_until = ")
            .bind(now.plus(LEASE))
            .push(", at_skipped = ")
            .bind(place.at_skipped)
            .push(", after_created_at = ")
            .bind(place.after.as_ref().map(|(created_at, _)| *created_at))
            .push(", after_id = ")
            .bind(place.after.as_ref().map(|(_, id)| id)),
        None => query.push(", claim_token = NULL, leased_until = NULL, finished_at = ").bind(now),
    };
    query.push(" WHERE id = ").bind(job.id).execute(tx).await.map(drop)
}

/// Nobody takes it up for a moment, and that is no failed try.
async fn pause(tx: &mut Tx, claimed: &Claimed) -> Result<(), StoreError> {
    let until = tx.now().plus(careful::PAUSE);
    Sql::new("UPDATE btx_retry_job SET tries = 0, claim_token = NULL, leased_until = ")
        .bind(until)
        .push(" WHERE id = ")
        .bind(claimed.id)
        .execute(tx)
        .await
        .map(drop)
}

/// The next call may take it up at once.
async fn release(tx: &mut Tx, claimed: Claimed) -> Result<(), StoreError> {
    let query = Sql::new("UPDATE btx_retry_job SET claim_token = NULL, leased_until = NULL WHERE id = ");
    query.bind(claimed.id).push(" AND claim_token = ").bind(&claimed.token).execute(tx).await.map(drop)
}
