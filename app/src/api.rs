//! The server functions: one call per page. They are public addresses, so each finds out for itself
//! who asks and what they may see.
#![expect(missing_docs, reason = "the macro makes a struct of each function, with its arguments as fields")]

use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

use crate::error::UiError;
use crate::model::{
    AttemptView, AttemptsView, DeadLetterView, DeadLettersView, DeliveryView, EndpointView, EndpointsView, EventView,
    EventsView, FrameView, KeysView, NewEndpointView, RequestsView, RotateView, SearchView, TraceView,
};

/// What surrounds every page of a project.
#[server(prefix = "/developers/fn", endpoint = "frame", input = GetUrl)]
pub async fn frame(project: String) -> Result<FrameView, UiError> {
    crate::ssr::answer(crate::ssr::views::frame(&project).await)
}

/// A page of attempts; `query` is the page's own, as text.
#[server(prefix = "/developers/fn", endpoint = "attempts", input = GetUrl)]
pub async fn attempts(project: String, query: String) -> Result<AttemptsView, UiError> {
    crate::ssr::answer(crate::ssr::views::attempts(&project, &query).await)
}

/// One attempt; `retried` is the delivery that a press of Retry has just made.
#[server(prefix = "/developers/fn", endpoint = "attempt", input = GetUrl)]
pub async fn attempt(project: String, id: String, retried: Option<String>) -> Result<AttemptView, UiError> {
    crate::ssr::answer(crate::ssr::views::attempt(&project, &id, retried.as_deref()).await)
}

/// A page of dead letters.
#[server(prefix = "/developers/fn", endpoint = "dead-letters", input = GetUrl)]
pub async fn dead_letters(project: String, query: String) -> Result<DeadLettersView, UiError> {
    crate::ssr::answer(crate::ssr::views::dead_letters(&project, &query).await)
}

/// One dead letter.
#[server(prefix = "/developers/fn", endpoint = "dead-letter", input = GetUrl)]
pub async fn dead_letter(project: String, id: String, retried: Option<String>) -> Result<DeadLetterView, UiError> {
    crate::ssr::answer(crate::ssr::views::dead_letter(&project, &id, retried.as_deref()).await)
}

/// One delivery.
#[server(prefix = "/developers/fn", endpoint = "delivery", input = GetUrl)]
pub async fn delivery(project: String, id: String, retried: Option<String>) -> Result<DeliveryView, UiError> {
    crate::ssr::answer(crate::ssr::views::delivery(&project, &id, retried.as_deref()).await)
}

/// A page of events.
#[server(prefix = "/developers/fn", endpoint = "events", input = GetUrl)]
pub async fn events(project: String, query: String) -> Result<EventsView, UiError> {
    crate::ssr::answer(crate::ssr::views::events(&project, &query).await)
}

/// One event.
#[server(prefix = "/developers/fn", endpoint = "event", input = GetUrl)]
pub async fn event(project: String, id: String) -> Result<EventView, UiError> {
    crate::ssr::answer(crate::ssr::views::event(&project, &id).await)
}

/// A page of endpoints.
#[server(prefix = "/developers/fn", endpoint = "endpoints", input = GetUrl)]
pub async fn endpoints(project: String, query: String) -> Result<EndpointsView, UiError> {
    crate::ssr::answer(crate::ssr::views::endpoints(&project, &query).await)
}

/// One endpoint.
#[server(prefix = "/developers/fn", endpoint = "endpoint", input = GetUrl)]
pub async fn endpoint(project: String, id: String) -> Result<EndpointView, UiError> {
    crate::ssr::answer(crate::ssr::views::endpoint(&project, &id).await)
}

/// A page of requests.
#[server(prefix = "/developers/fn", endpoint = "requests", input = GetUrl)]
pub async fn requests(project: String, query: String) -> Result<RequestsView, UiError> {
    crate::ssr::answer(crate::ssr::views::requests(&project, &query).await)
}

/// One request with everything that followed.
#[server(prefix = "/developers/fn", endpoint = "trace", input = GetUrl)]
pub async fn trace(project: String, id: String) -> Result<TraceView, UiError> {
    crate::ssr::answer(crate::ssr::views::trace(&project, &id).await)
}

/// A page of idempotency keys; the query may name the one that is open.
#[server(prefix = "/developers/fn", endpoint = "idempotency", input = GetUrl)]
pub async fn idempotency(project: String, query: String) -> Result<KeysView, UiError> {
    crate::ssr::answer(crate::ssr::views::keys(&project, &query).await)
}

/// What the search has found that this page answers.
#[server(prefix = "/developers/fn", endpoint = "search", input = GetUrl)]
pub async fn search(project: String) -> Result<SearchView, UiError> {
    crate::ssr::answer(crate::ssr::found(&project).await)
}

/// The form for a new endpoint, as it was answered.
#[server(prefix = "/developers/fn", endpoint = "new-endpoint", input = GetUrl)]
pub async fn new_endpoint(project: String) -> Result<NewEndpointView, UiError> {
    crate::ssr::answer(crate::ssr::new_endpoint(&project).await)
}

/// The page on which an endpoint's secret is replaced.
#[server(prefix = "/developers/fn", endpoint = "rotation", input = GetUrl)]
pub async fn rotation(project: String, id: String) -> Result<RotateView, UiError> {
    crate::ssr::answer(crate::ssr::rotation(&project, &id).await)
}

/// The Retry button: sends a delivery (`dlv_…`) or a dead letter (`dlq_…`) again and leads back to
/// `page`, one of the project's pages. `token` makes a second press harmless.
#[server(prefix = "/developers/fn", endpoint = "retry")]
pub async fn retry(project: String, id: String, token: String, page: String) -> Result<(), UiError> {
    crate::ssr::retry(&project, &id, &token, &page).await
}
