//! Bulk retries (contract section 7): asked for at once, carried out by a worker batch by batch.
//!
//! A job covers what lay in the inbox when it was asked for, oldest first. A step is one
//! transaction: a batch of dead letters resolved, their new deliveries, the progress. After
//! `kill -9` the next worker goes on behind the last batch that was committed. Jobs of one project
//! run one after the other.
//!
//! A careful job (the dashboard's) begins with a few, and goes on only when all it has sent was
//! attempted once: what goes to an endpoint that takes none of them stays in the inbox ([`mod@careful`]).

mod batch;
mod careful;
mod work;

use std::collections::BTreeMap;

use domain::filter::{DeadLetterFilter, Filter as _, FilterReader, TimeRange};
use domain::id::{EndpointId, JobId, ProjectId};
use domain::model::RetryJob;
use domain::status::{DeadLetterReason, RetryJobStatus};

use crate::conn::Conn;
use crate::decisions::DecisionError;
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

pub use crate::leased::LEASE;
pub use batch::BATCH;
pub use work::{Claimed, claim, run_next, step};

const COLUMNS: &str = "id, status, total, done, failed, dry_run, endpoint_id, event_type, reason, created_after, \
                       created_before, include_skipped, created_at, updated_at, started_at, finished_at";

/// What is to be sent again.
#[derive(Clone, Debug, Default)]
pub struct NewRetryJob {
    /// Of one endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// Of one event type.
    pub event_type: Option<String>,
    /// Given up (or skipped) for this reason.
    pub reason: Option<DeadLetterReason>,
    /// When it was given up or skipped.
    pub created: TimeRange,
    /// Skipped deliveries, too.
    pub include_skipped: bool,
    /// Only count.
    pub dry_run: bool,
    /// Exactly what this filter of the inbox shows, in place of the fields above.
    pub inbox: Option<DeadLetterFilter>,
    /// Leave the rest where it is when an endpoint fails again.
    pub careful: bool,
}

/// A job as it is worked on.
struct Work {
    job: RetryJob,
    inbox: Option<DeadLetterFilter>,
    careful: bool,
    /// How many were left in the inbox because their endpoint failed again.
    left: u32,
}

/// Counts what matches and stores the job; a worker will find it. One that has nothing to do, or is
/// only to count, has ended already.
pub async fn insert(tx: &mut Tx, project: ProjectId, new: NewRetryJob) -> Result<RetryJob, StoreError> {
    let now = tx.now();
    let job = RetryJob {
        id: JobId::generate(now, tx.entropy()),
        status: RetryJobStatus::Pending,
        total: 0,
        done: 0,
        failed: 0,
        dry_run: new.dry_run,
        endpoint_id: new.endpoint_id,
        event_type: new.event_type,
        reason: new.reason,
        created_after: new.created.created_after,
        created_before: new.created.created_before,
        include_skipped: new.include_skipped,
        created_at: now,
        updated_at: now,
        started_at: None,
        finished_at: None,
    };
    let text = new.inbox.as_ref().map(text_of).transpose()?;
    let mut work = Work { job, inbox: new.inbox, careful: new.careful, left: 0 };
    work.job.total = batch::count(tx, project, &work).await?;
    let mut job = work.job;
    if job.dry_run || job.total == 0 {
        job.status = RetryJobStatus::Completed;
        job.finished_at = Some(now);
    }
    Sql::new("INSERT INTO btx_retry_job (project_id, inbox, careful, ")
        .push(COLUMNS)
        .push(") VALUES (")
        .bind(project)
        .push(", ")
        .bind(text)
        .push(", ")
        .bind(work.careful)
        .push(", ")
        .bind(job.id)
        .push(", ")
        .bind(job.status)
        .push(", ")
        .bind(job.total)
        .push(", 0, 0, ")
        .bind(job.dry_run)
        .push(", ")
        .bind(job.endpoint_id)
        .push(", ")
        .bind(job.event_type.as_ref())
        .push(", ")
        .bind(job.reason)
        .push(", ")
        .bind(job.created_after)
        .push(", ")
        .bind(job.created_before)
        .push(", ")
        .bind(job.include_skipped)
        .push(", ")
        .bind(now)
        .push(", ")
        .bind(now)
        .push(", NULL, ")
        .bind(job.finished_at)
        .push(")")
        .execute(tx)
        .await?;
    Ok(job)
}

/// The project's job that is under way, or else the first that waits.
pub async fn running(conn: &mut Conn, project: ProjectId) -> Result<Option<RetryJob>, StoreError> {
    let query = Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_retry_job WHERE project_id = ").bind(project);
    let query = query.push(" AND finished_at IS NULL ORDER BY created_at, id LIMIT 1");
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The job under way that covers just this, so that a second press starts no second one.
pub async fn same(
    conn: &mut Conn,
    project: ProjectId,
    inbox: &DeadLetterFilter,
) -> Result<Option<RetryJob>, StoreError> {
    let query = Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_retry_job WHERE project_id = ").bind(project);
    let query = query.push(" AND finished_at IS NULL AND inbox = ").bind(text_of(inbox)?);
    query.push(" ORDER BY created_at, id LIMIT 1").fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// One job.
pub async fn get(conn: &mut Conn, project: ProjectId, id: JobId) -> Result<Option<RetryJob>, StoreError> {
    let query = Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_retry_job WHERE project_id = ").bind(project);
    query.push(" AND id = ").bind(id).fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// Calls a job off: its worker is fenced off at the next batch, and what was sent by then stays sent.
/// A second call finds it called off and changes nothing.
///
/// # Errors
/// [`DecisionError::TooLate`] when it has ended in another way.
pub async fn cancel(tx: &mut Tx, project: ProjectId, id: JobId) -> Result<RetryJob, DecisionError> {
    let now = tx.now();
    Sql::new("UPDATE btx_retry_job SET claim_token = NULL, leased_until = NULL, status = ")
        .bind(RetryJobStatus::Cancelled)
        .push(", updated_at = ")
        .bind(now)
        .push(", finished_at = ")
        .bind(now)
        .push(" WHERE finished_at IS NULL AND project_id = ")
        .bind(project)
        .push(" AND id = ")
        .bind(id)
        .execute(tx)
        .await?;
    let found = get(tx, project, id).await?.ok_or(DecisionError::NotFound)?;
    if found.status == RetryJobStatus::Cancelled { Ok(found) } else { Err(DecisionError::TooLate) }
}

fn text_of(inbox: &DeadLetterFilter) -> Result<String, StoreError> {
    serde_json::to_string(&inbox.pairs()).map_err(|error| StoreError::Inconsistent(format!("a filter: {error}")))
}

fn work(row: &Row) -> Result<Work, StoreError> {
    let inbox = row.opt_text("inbox")?.map(|text| {
        let pairs: BTreeMap<String, String> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        DeadLetterFilter::read(&mut FilterReader::new(pairs)).map_err(|refused| format!("{refused:?}"))
    });
    Ok(Work {
        job: read(row)?,
        inbox: inbox.transpose().map_err(|error| StoreError::Inconsistent(format!("a job's filter: {error}")))?,
        careful: row.flag("careful")?,
        left: row.small("left_behind")?,
    })
}

fn read(row: &Row) -> Result<RetryJob, StoreError> {
    Ok(RetryJob {
        id: row.parse("id")?,
        status: row.parse("status")?,
        total: row.small("total")?,
        done: row.small("done")?,
        failed: row.small("failed")?,
        dry_run: row.flag("dry_run")?,
        endpoint_id: row.opt_parse("endpoint_id")?,
        event_type: row.opt_text("event_type")?,
        reason: row.opt_parse("reason")?,
        created_after: row.opt_time("created_after")?,
        created_before: row.opt_time("created_before")?,
        include_skipped: row.flag("include_skipped")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        started_at: row.opt_time("started_at")?,
        finished_at: row.opt_time("finished_at")?,
    })
}
