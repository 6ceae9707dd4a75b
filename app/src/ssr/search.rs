//! The search box's form. What was pasted comes in a POST and is repeated in no address: one match is
//! a redirect to its page, anything else is the page of the answer itself.

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told, views};
use crate::error::UiError;
use crate::model::SearchView;

/// The answer to the search that this page was asked for with; nothing when it was merely opened.
pub(crate) async fn found(project: &str) -> Result<SearchView, Problem> {
    match told::told::<SearchView>() {
        Some(answer) => Ok(answer?),
        None => Access::to(project).await.map(|_| SearchView::default()),
    }
}

/// Looks for what was pasted.
pub(super) async fn search(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    request: Request,
) -> Response {
    if visitor.user.is_none() {
        return Redirect::to("/developers/sign-in").into_response();
    }
    let Some((parts, fields)) = told::fields(request).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, visitor.locale.search_too_long()).into_response();
    };
    let text = fields.into_iter().find(|(name, _)| name == "q").map(|(_, value)| value).unwrap_or_default();
    let answer = look(state.clone(), visitor, &project, &text).await;
    if let Ok(SearchView { hits, misses, .. }) = &answer
        && let ([only], []) = (hits.as_slice(), misses.as_slice())
    {
        return Redirect::to(&only.href).into_response();
    }
    told::page(state, parts, answer).await
}

async fn look(state: AppState, visitor: Visitor, project: &str, text: &str) -> Result<SearchView, UiError> {
    let request_id = visitor.request_id.clone();
    let found = async {
        let mut access = Access::of(state, visitor, project).await?;
        views::search(&mut access, text).await
    };
    found.await.map_err(|problem| told::tell(problem, request_id))
}
