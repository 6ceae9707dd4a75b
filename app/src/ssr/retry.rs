//! The Retry button. Its outcome is a page: the one it was pressed on, which then says what became
//! of it, with JavaScript or without.

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::id::{DeadLetterId, DeliveryId, ProjectId};
use domain::model::Delivery;
use domain::status::AuditAction;
use store::audit;
use store::retry::{RetryError, retry_dead_letter, retry_delivery};

use super::preferences::is_page;
use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told};
use crate::error::UiError;
use crate::query;

const LONGEST_TOKEN: usize = 64;

impl From<RetryError> for Problem {
    fn from(error: RetryError) -> Self {
        match error {
            RetryError::NotFound => Self::Told(UiError::NotFound),
            RetryError::EndpointDeleted(_) => Self::Told(UiError::EndpointDeleted),
            RetryError::Resolved(_) => Self::Told(UiError::Resolved),
            RetryError::Store(error) => Self::Store(error),
        }
    }
}

/// Sends again what the form names (`dlv_…` or `dlq_…`), and leads back to the page that it was
/// pressed on, with the new delivery, or the reason why not, in its query. The form's token makes a
/// second press harmless.
pub(super) async fn retry(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    request: Request,
) -> Response {
    let Some((_, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let one = |name: &str| fields.iter().rfind(|(n, _)| n == name).map_or("", |(_, value)| value.as_str());
    let request_id = visitor.request_id.clone();
    let ours = project.parse::<ProjectId>().map(|project| format!("/developers/{project}/"));
    let Ok(ours) = ours else { return Redirect::to("/developers").into_response() };
    let page = Some(one("page")).filter(|page| is_page(page) && page.starts_with(&ours));
    let (path, before) = page.and_then(|page| page.split_once('?').or(Some((page, "")))).unwrap_or((&ours, ""));
    let path = if path == ours { format!("{ours}dead-letters") } else { path.to_owned() };
    let before = query::list(before);
    let told = match send_again(state, visitor, &project, one("id"), one("token")).await {
        Ok(delivery) => query::with(&before, "retried", Some(&delivery.id.to_string())),
        Err(problem) => query::with(&before, "problem", Some(told::tell(problem, request_id).word())),
    };
    Redirect::to(&query::href(&path, &told)).into_response()
}

enum Target {
    Delivery(DeliveryId),
    DeadLetter(DeadLetterId),
}

async fn send_again(
    state: AppState,
    visitor: Visitor,
    project: &str,
    id: &str,
    token: &str,
) -> Result<Delivery, Problem> {
    let target = match (id.parse::<DeliveryId>(), id.parse::<DeadLetterId>()) {
        (Ok(id), _) => Target::Delivery(id),
        (_, Ok(id)) => Target::DeadLetter(id),
        _ => return Err(UiError::NotFound.into()),
    };
    let access = Access::of(state, visitor, project).await?;
    if !access.may_retry() {
        return Err(UiError::Forbidden.into());
    }
    if token.is_empty() || token.len() > LONGEST_TOKEN {
        return Err(UiError::NotFound.into());
    }
    let token = token.to_owned();
    let (store, actor) = access.into_actor();
    let work = store.write::<_, _, RetryError>(move |tx| {
        Box::pin(async move {
            let (made, what) = match target {
                Target::Delivery(id) => (retry_delivery(tx, actor.project, id, Some(&token)).await?, id.to_string()),
                Target::DeadLetter(id) => {
                    (retry_dead_letter(tx, actor.project, id, Some(&token)).await?, id.to_string())
                }
            };
            let made_id = made.id.to_string();
            audit::note(tx, &actor, AuditAction::Retried, Some(&made_id), Some(&what)).await?;
            Ok(made)
        })
    });
    Ok(work.await?)
}
