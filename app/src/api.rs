//! What each page is drawn from: one call per page, which finds out for itself who asks and what they
//! may see.

use crate::error::UiError;
use crate::model::{
    ApiKeyRow, ApiKeysView, AttemptView, AttemptsView, BinForm, BinView, BinsView, CaptureView, CompareView,
    DeadLetterView, DeadLettersView, DeliveryView, EndpointView, EndpointsView, EventView, EventsView, FrameView,
    JobView, KeysView, NewEndpointView, NewKeyView, RehearseView, ReplayView, RequestsView, RetryManyView, RotateView,
    SearchView, SettingsView, TraceView,
};

/// What surrounds every page of a project.
pub async fn frame(project: String) -> Result<FrameView, UiError> {
    crate::ssr::answer(crate::ssr::views::frame(&project).await)
}

/// A page of attempts; `query` is the page's own, as text.
pub async fn attempts(project: String, query: String) -> Result<AttemptsView, UiError> {
    crate::ssr::answer(crate::ssr::views::attempts(&project, &query).await)
}

/// One attempt; `retried` is the delivery that a press of Retry has just made.
pub async fn attempt(project: String, id: String, retried: Option<String>) -> Result<AttemptView, UiError> {
    crate::ssr::answer(crate::ssr::views::attempt(&project, &id, retried.as_deref()).await)
}

/// A page of dead letters.
pub async fn dead_letters(project: String, query: String) -> Result<DeadLettersView, UiError> {
    crate::ssr::answer(crate::ssr::views::dead_letters(&project, &query).await)
}

/// What a bulk retry of what the query shows would do.
pub async fn retry_many(project: String, query: String) -> Result<RetryManyView, UiError> {
    crate::ssr::answer(crate::ssr::views::retry_many(&project, &query).await)
}

/// One bulk retry.
pub async fn job(project: String, id: String) -> Result<JobView, UiError> {
    crate::ssr::answer(crate::ssr::views::job(&project, &id).await)
}

/// One dead letter.
pub async fn dead_letter(project: String, id: String, retried: Option<String>) -> Result<DeadLetterView, UiError> {
    crate::ssr::answer(crate::ssr::views::dead_letter(&project, &id, retried.as_deref()).await)
}

/// One delivery.
pub async fn delivery(project: String, id: String, retried: Option<String>) -> Result<DeliveryView, UiError> {
    crate::ssr::answer(crate::ssr::views::delivery(&project, &id, retried.as_deref()).await)
}

/// A page of events.
pub async fn events(project: String, query: String) -> Result<EventsView, UiError> {
    crate::ssr::answer(crate::ssr::views::events(&project, &query).await)
}

/// One event.
pub async fn event(project: String, id: String) -> Result<EventView, UiError> {
    crate::ssr::answer(crate::ssr::views::event(&project, &id).await)
}

/// A page of endpoints.
pub async fn endpoints(project: String, query: String) -> Result<EndpointsView, UiError> {
    crate::ssr::answer(crate::ssr::views::endpoints(&project, &query).await)
}

/// One endpoint.
pub async fn endpoint(project: String, id: String) -> Result<EndpointView, UiError> {
    crate::ssr::answer(crate::ssr::views::endpoint(&project, &id).await)
}

/// A page of requests.
pub async fn requests(project: String, query: String) -> Result<RequestsView, UiError> {
    crate::ssr::answer(crate::ssr::views::requests(&project, &query).await)
}

/// One request with everything that followed.
pub async fn trace(project: String, id: String) -> Result<TraceView, UiError> {
    crate::ssr::answer(crate::ssr::views::trace(&project, &id).await)
}

/// A page of idempotency keys; the query may name the one that is open.
pub async fn idempotency(project: String, query: String) -> Result<KeysView, UiError> {
    crate::ssr::answer(crate::ssr::views::keys(&project, &query).await)
}

/// What the search has found that this page answers.
pub async fn search(project: String) -> Result<SearchView, UiError> {
    crate::ssr::answer(crate::ssr::found(&project).await)
}

/// A page of API keys.
pub async fn api_keys(project: String, query: String) -> Result<ApiKeysView, UiError> {
    crate::ssr::answer(crate::ssr::views::api_keys(&project, &query).await)
}

/// One API key, for those who may revoke it.
pub async fn api_key(project: String, id: String) -> Result<ApiKeyRow, UiError> {
    crate::ssr::answer(crate::ssr::views::api_key(&project, &id).await)
}

/// The form for a new API key, as it was answered.
pub async fn new_key(project: String) -> Result<NewKeyView, UiError> {
    crate::ssr::answer(crate::ssr::new_key(&project).await)
}

/// The project's settings; the query says which page of the audit log.
pub async fn settings(project: String, query: String) -> Result<SettingsView, UiError> {
    crate::ssr::answer(crate::ssr::views::settings(&project, &query).await)
}

/// The form for a new endpoint, as it was answered.
pub async fn new_endpoint(project: String) -> Result<NewEndpointView, UiError> {
    crate::ssr::answer(crate::ssr::new_endpoint(&project).await)
}

/// The page on which an endpoint's secret is replaced.
pub async fn rotation(project: String, id: String) -> Result<RotateView, UiError> {
    crate::ssr::answer(crate::ssr::rotation(&project, &id).await)
}

/// A page of the inspector's bins.
pub async fn bins(project: String, query: String) -> Result<BinsView, UiError> {
    crate::ssr::answer(crate::ssr::views::inspector::bins(&project, &query).await)
}

/// One bin and a page of its captures.
pub async fn bin(project: String, id: String, query: String) -> Result<BinView, UiError> {
    crate::ssr::answer(crate::ssr::views::inspector::bin(&project, &id, &query).await)
}

/// The form of a bin, or of a new one, as it was answered.
pub async fn bin_form(project: String, bin: Option<String>) -> Result<BinForm, UiError> {
    crate::ssr::answer(crate::ssr::inspector::form(&project, bin.as_deref()).await)
}

/// One capture.
pub async fn capture(project: String, bin: String, id: String) -> Result<CaptureView, UiError> {
    crate::ssr::answer(crate::ssr::views::inspector::capture(&project, &bin, &id).await)
}

/// One capture beside another.
pub async fn compare(project: String, bin: String, id: String, with: Option<String>) -> Result<CompareView, UiError> {
    crate::ssr::answer(crate::ssr::views::inspector::compare(&project, &bin, &id, with.as_deref()).await)
}

/// The form that sends a capture again, as it was answered.
pub async fn replay(project: String) -> Result<ReplayView, UiError> {
    crate::ssr::answer(crate::ssr::inspector::replay(&project).await)
}

/// The form of a rehearsal, as it was answered.
pub async fn rehearsal(project: String, bin: String, query: String) -> Result<RehearseView, UiError> {
    crate::ssr::answer(crate::ssr::inspector::rehearsal(&project, &bin, &query).await)
}
