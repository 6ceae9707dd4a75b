//! «Redirect to webhook.botix.pro»: a copy of what was sent becomes a capture, which is then shown. The
//! original stays as it is.

use axum::Extension;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::id::{AttemptId, DeadLetterId, DeliveryId, ProjectId};
use serde::Deserialize;
use store::inspector::{Copied, RedirectError, redirect_attempt, redirect_dead_letter, redirect_delivery};

use super::preferences::is_page;
use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told};
use crate::error::UiError;
use crate::query;

impl From<RedirectError> for Problem {
    fn from(error: RedirectError) -> Self {
        match error {
            RedirectError::NotFound => Self::Told(UiError::NotFound),
            RedirectError::NoAttempt => Self::Told(UiError::NothingSent),
            RedirectError::Expired => Self::Told(UiError::AttemptsExpired),
            RedirectError::Store(error) => Self::Store(error),
        }
    }
}

/// The form: what is copied (`att_…`, `dlv_…` or `dlq_…`), and the page that it was pressed on.
#[derive(Deserialize)]
pub(super) struct Pressed {
    #[serde(default)]
    id: String,
    #[serde(default)]
    page: String,
}

/// Copies, and leads to the copy; or back, with the reason why not.
pub(super) async fn redirect(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let request_id = visitor.request_id.clone();
    let Ok(ours) = project.parse::<ProjectId>().map(|project| format!("/developers/{project}/")) else {
        return Redirect::to("/developers").into_response();
    };
    match copy(state, visitor, &project, &pressed.id).await {
        Ok(Copied { capture_id, bin_id }) => Redirect::to(&format!("{ours}inspector/{bin_id}/{capture_id}")),
        Err(problem) => {
            let page = Some(pressed.page).filter(|page| is_page(page) && page.starts_with(&ours));
            let page = page.unwrap_or_else(|| format!("{ours}webhooks"));
            let (path, before) = page.split_once('?').unwrap_or((&page, ""));
            let word = told::tell(problem, request_id).word();
            Redirect::to(&query::href(path, &query::with(&query::list(before), "problem", Some(word))))
        }
    }
    .into_response()
}

enum Source {
    Attempt(AttemptId),
    Delivery(DeliveryId),
    DeadLetter(DeadLetterId),
}

async fn copy(state: AppState, visitor: Visitor, project: &str, id: &str) -> Result<Copied, Problem> {
    let source = match (id.parse(), id.parse(), id.parse()) {
        (Ok(id), _, _) => Source::Attempt(id),
        (_, Ok(id), _) => Source::Delivery(id),
        (_, _, Ok(id)) => Source::DeadLetter(id),
        _ => return Err(UiError::NotFound.into()),
    };
    let access = Access::of(state, visitor, project).await?;
    // Whoever may send again may look at what is sent.
    if !access.may_retry() {
        return Err(UiError::Forbidden.into());
    }
    let (project, store) = (access.project, access.state.store.clone());
    drop(access);
    let work = store.write(move |tx| {
        Box::pin(async move {
            match source {
                Source::Attempt(id) => redirect_attempt(tx, project, id).await,
                Source::Delivery(id) => redirect_delivery(tx, project, id).await,
                Source::DeadLetter(id) => redirect_dead_letter(tx, project, id).await,
            }
        })
    });
    Ok(work.await?)
}
