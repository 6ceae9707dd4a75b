//! Forms that answer with a page instead of a redirect, because what they tell stands in no address:
//! what was pasted into the search, a secret that is shown once, what was typed and refused.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use leptos::prelude::{provide_context, use_context};
use leptos_axum::render_app_async_with_context;

use super::access::Problem;
use super::state::AppState;
use super::visit::provide_visitor;
use crate::error::UiError;
use crate::query;
use crate::shell::shell;

/// The longest form that is read.
const LONGEST: usize = 256 * 1024;

/// What a page is told, in place of what it would look up.
#[derive(Clone)]
struct Told<T>(Result<T, UiError>);

/// What the form that led here has to tell; nothing when the page was merely opened.
pub(super) fn told<T: Clone + Send + Sync + 'static>() -> Option<Result<T, UiError>> {
    use_context::<Told<T>>().map(|Told(answer)| answer)
}

/// A request taken apart, with the fields of its form. `None`: too long.
pub(super) async fn fields(request: Request) -> Option<(Parts, Vec<(String, String)>)> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, LONGEST).await.ok()?;
    Some((parts, query::pairs(&String::from_utf8_lossy(&body))))
}

/// Draws the page at the request's own address with what it is told.
pub(super) async fn page<T>(state: AppState, mut parts: Parts, answer: Result<T, UiError>) -> Response
where
    T: Clone + Send + Sync + 'static,
{
    parts.method = Method::GET;
    let options = state.leptos_options.clone();
    let status = answer.as_ref().err().map(UiError::status);
    let context = move || {
        provide_context(state.clone());
        provide_context(Told(answer.clone()));
        provide_visitor();
    };
    let draw = render_app_async_with_context(context, move || shell(options.clone()));
    let mut drawn = draw(Request::from_parts(parts, Body::empty())).await;
    if let Some(status) = status.and_then(|status| StatusCode::from_u16(status).ok()) {
        *drawn.status_mut() = status;
    }
    drawn
}

/// What the visitor is told of a problem; ours goes to the log.
pub(super) fn tell(problem: Problem, request_id: String) -> UiError {
    match problem {
        Problem::Told(error) => error,
        Problem::Store(error) => {
            tracing::error!(%request_id, %error, "a form could not be carried out");
            if error.is_transient() { UiError::Unavailable } else { UiError::Internal(request_id) }
        }
    }
}
