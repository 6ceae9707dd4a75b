//! Starting a bulk retry of what the inbox shows, and calling it off. The work itself is a job that
//! some worker carries out (`store::retry_jobs`); these forms lead to its page.

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::filter::{DeadLetterFilter, Filter as _, FilterReader};
use domain::id::{JobId, ProjectId};
use domain::status::AuditAction;
use store::decisions::DecisionError;
use store::retry_jobs::{self, NewRetryJob};
use store::{StoreError, audit};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told};
use crate::error::UiError;
use crate::query;

/// Starts a job that covers exactly what the filters show. A second press lands on the first one's job.
pub(super) async fn start(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    request: Request,
) -> Response {
    let Some((_, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request_id = visitor.request_id.clone();
    let asked = fields.iter().rfind(|(name, _)| name == "filters").map_or("", |(_, value)| value.as_str());
    let filters = query::without(&query::filters(asked), &["resolved"]);
    let begun = async {
        let access = Access::of(state, visitor, &project).await?;
        if !access.may_retry() {
            return Err(Problem::Told(UiError::Forbidden));
        }
        let filter = DeadLetterFilter::read(&mut FilterReader::new(query::pairs(&filters)))?;
        let (store, actor) = access.into_actor();
        let shown = filters.clone();
        let work = store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                if let Some(job) = retry_jobs::same(tx, actor.project, &filter).await? {
                    return Ok(job.id);
                }
                // What can be said in the job's own words is, so that everybody can read it there.
                let new = NewRetryJob {
                    endpoint_id: filter.endpoint_id,
                    event_type: filter.event_type.clone(),
                    reason: filter.reason.first().copied().filter(|_| filter.reason.len() == 1),
                    created: filter.created,
                    inbox: Some(filter),
                    careful: true,
                    ..NewRetryJob::default()
                };
                let job = retry_jobs::insert(tx, actor.project, new).await?;
                let (id, detail) = (job.id.to_string(), format!("{} {shown}", job.total));
                audit::note(tx, &actor, AuditAction::BulkRetryStarted, Some(&id), Some(detail.trim())).await?;
                Ok(job.id)
            })
        });
        Ok(work.await?)
    };
    match begun.await {
        Ok(job) => Redirect::to(&job_page(&project, job)).into_response(),
        Err(problem) => {
            let told = query::with(&filters, "problem", Some(told::tell(problem, request_id).word()));
            Redirect::to(&query::href(&inbox(&project), &told)).into_response()
        }
    }
}

/// Calls a job off; one that has ended stays as it is, and its page says so.
pub(super) async fn cancel(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, id)): Path<(String, String)>,
) -> Response {
    let request_id = visitor.request_id.clone();
    let done = async {
        let access = Access::of(state, visitor, &project).await?;
        if !access.may_retry() {
            return Err(Problem::Told(UiError::Forbidden));
        }
        let id: JobId = id.parse().map_err(|_| UiError::NotFound)?;
        let (store, actor) = access.into_actor();
        let work = store.write::<_, _, DecisionError>(move |tx| {
            Box::pin(async move {
                retry_jobs::cancel(tx, actor.project, id).await?;
                let object = id.to_string();
                audit::note(tx, &actor, AuditAction::BulkRetryCancelled, Some(&object), None).await?;
                Ok(())
            })
        });
        match work.await {
            Ok(()) | Err(DecisionError::TooLate) => Ok(id),
            Err(DecisionError::NotFound) => Err(UiError::NotFound.into()),
            Err(DecisionError::Store(error)) => Err(error.into()),
        }
    };
    match done.await {
        Ok(id) => Redirect::to(&job_page(&project, id)).into_response(),
        Err(problem) => {
            let word = told::tell(problem, request_id).word();
            Redirect::to(&format!("{}?problem={word}", inbox(&project))).into_response()
        }
    }
}

fn inbox(project: &str) -> String {
    project
        .parse::<ProjectId>()
        .map_or_else(|_| "/developers".to_owned(), |project| format!("/developers/{project}/dead-letters"))
}

fn job_page(project: &str, job: JobId) -> String {
    format!("{}/jobs/{job}", inbox(project))
}
