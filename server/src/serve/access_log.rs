//! One line in the log for each request, with the request id that the caller was told.

use std::time::Instant;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

/// Where bins receive; the rest of such a path is a token, and a secret.
const BINS: &str = "/inspect/";

/// Logs method, path, status and duration. Never the query: it may carry what people search for.
pub(crate) async fn log(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    // What a bin was told to answer is no failure of ours.
    let is_scripted = path.starts_with(BINS);
    let path = if is_scripted { "/inspect/…".to_owned() } else { path };
    let started = Instant::now();
    let response = next.run(request).await;
    let (status, ms) = (response.status().as_u16(), u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
    let request_id = response.headers().get("x-request-id").and_then(|value| value.to_str().ok());
    if response.status().is_server_error() && !is_scripted {
        tracing::error!(target: "botix::request", %method, path, status, ms, request_id, "failed");
    } else {
        tracing::debug!(target: "botix::request", %method, path, status, ms, request_id, "answered");
    }
    response
}
