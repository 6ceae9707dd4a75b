//! The search box's form. What was pasted comes in a POST and is repeated in no address: one match is
//! a redirect to its page, anything else is the page of the answer itself.

use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use leptos::prelude::{provide_context, use_context};
use leptos_axum::render_app_async_with_context;

use super::state::AppState;
use super::visit::{Visitor, provide_visitor};
use super::{Access, Problem, views};
use crate::error::UiError;
use crate::model::SearchView;
use crate::query;
use crate::shell::shell;

/// The longest text that is looked through.
const LONGEST: usize = 256 * 1024;

/// What a search has found, for the page that tells it.
#[derive(Clone)]
struct Found(Result<SearchView, UiError>);

/// The answer to the search that this page was asked for with; nothing when it was merely opened.
pub(crate) async fn told(project: &str) -> Result<SearchView, Problem> {
    match use_context::<Found>() {
        Some(Found(answer)) => Ok(answer?),
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
    let (mut parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LONGEST).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, visitor.locale.search_too_long()).into_response();
    };
    let text = query::value(&String::from_utf8_lossy(&body), "q").unwrap_or_default();
    let answer = look(state.clone(), visitor.clone(), &project, &text).await;
    if let Ok(SearchView { hits, misses, .. }) = &answer
        && let ([only], []) = (hits.as_slice(), misses.as_slice())
    {
        return Redirect::to(&only.href).into_response();
    }
    parts.method = Method::GET;
    let options = state.leptos_options.clone();
    let context = move || {
        provide_context(state.clone());
        provide_context(Found(answer.clone()));
        provide_visitor();
    };
    let page = render_app_async_with_context(context, move || shell(options.clone()));
    page(Request::from_parts(parts, Body::empty())).await
}

async fn look(state: AppState, visitor: Visitor, project: &str, text: &str) -> Result<SearchView, UiError> {
    let request_id = visitor.request_id.clone();
    let found = async {
        let mut access = Access::of(state, visitor, project).await?;
        views::search(&mut access, text).await
    };
    found.await.map_err(|problem| match problem {
        Problem::Told(error) => error,
        Problem::Store(error) => {
            tracing::error!(%request_id, %error, "a search failed");
            if error.is_transient() { UiError::Unavailable } else { UiError::Internal(request_id) }
        }
    })
}
