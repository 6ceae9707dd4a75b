//! The work on a bulk retry, under a lease.

use domain::id::JobId;
use domain::status::RetryJobStatus;

use super::batch::{self, Place};
use super::{COLUMNS, Work, careful, work};
use crate::error::StoreError;
use crate::leased::{self, Queue};
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

const QUEUE: Queue = Queue { table: "btx_retry_job", order: "updated_at, id" };
/// What a job knows of itself beside what is shown.
const PLACE: &str = "at_skipped, after_created_at, after_id, inbox, careful, left_behind";
/// Batches of one job before another project's turn.
const TURN: u32 = 20;

/// A job that somebody works on.
pub type Claimed = leased::Claimed<JobId>;

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
    store.write::<_, _, StoreError>(move |tx| Box::pin(async move { QUEUE.release(tx, &claimed).await })).await?;
    outcome
}

/// Takes the job that has waited longest, of those that are their project's first.
pub async fn claim(store: &Store) -> Result<Option<Claimed>, StoreError> {
    QUEUE.claim(store).await
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

async fn advance(tx: &mut Tx, claimed: Claimed) -> Result<Step, StoreError> {
    let row = QUEUE.held(tx, &claimed, &format!("{PLACE}, {COLUMNS}")).await?;
    let mut work = work(&row)?;
    if claimed.tries > leased::MOST_TRIES {
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
            .bind(now.plus(leased::LEASE))
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
