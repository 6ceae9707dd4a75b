//! Bulk retries: the preview, and one job.

use domain::filter::{DeadLetterFilter, Filter as _, FilterReader};
use domain::model::RetryJob;
use domain::status::RetryJobStatus;
use store::{endpoints, inbox, retry_jobs};

use super::short_url;
use crate::error::UiError;
use crate::model::{JobView, RetryManyView};
use crate::query;
use crate::ssr::{Access, Problem};

/// What a bulk retry of what this query shows would do.
pub(crate) async fn retry_many(project: &str, query: &str) -> Result<RetryManyView, Problem> {
    let mut access = Access::to(project).await?;
    if !access.may_retry() {
        return Err(UiError::Forbidden.into());
    }
    let filters = query::without(&query::filters(query), &["resolved"]);
    let filter = DeadLetterFilter::read(&mut FilterReader::new(query::pairs(&filters)))?;
    let conn = &mut access.conn;
    let count = inbox::count(conn, access.project, &filter).await?;
    let endpoint = match filter.endpoint_id {
        Some(id) => endpoints::get(conn, access.project, id).await?,
        None => None,
    };
    Ok(RetryManyView {
        filters,
        count,
        more: count >= inbox::MOST,
        disabled: endpoint.as_ref().is_some_and(|endpoint| !endpoint.enabled),
        endpoint: endpoint.map(|endpoint| short_url(&endpoint.url).to_owned()),
    })
}

/// One bulk retry.
pub(crate) async fn job(project: &str, id: &str) -> Result<JobView, Problem> {
    let mut access = Access::to(project).await?;
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let found = retry_jobs::get(&mut access.conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    Ok(view(&access, &found))
}

/// The project's bulk retry that is under way.
pub(super) async fn running(access: &mut Access) -> Result<Option<JobView>, Problem> {
    let found = retry_jobs::running(&mut access.conn, access.project).await?;
    Ok(found.map(|found| view(access, &found)))
}

fn view(access: &Access, job: &RetryJob) -> JobView {
    let runs = matches!(job.status, RetryJobStatus::Pending | RetryJobStatus::Running);
    let mut attempts = query::with("", "trigger", Some("bulk"));
    attempts = query::with(&attempts, "endpoint_id", job.endpoint_id.map(|id| id.to_string()).as_deref());
    attempts = query::with(&attempts, "created_after", Some(&job.created_at.to_string()));
    JobView {
        id: job.id.to_string(),
        status: job.status,
        total: job.total,
        done: job.done,
        failed: job.failed,
        may_cancel: runs && access.may_retry(),
        created_at: job.created_at.into(),
        started_at: job.started_at.map(Into::into),
        finished_at: job.finished_at.map(Into::into),
        attempts,
    }
}
