//! The door: the outermost layer, through which every request comes in and every answer leaves.

use std::panic::AssertUnwindSafe;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::ALLOW;
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode};
use axum::middleware::Next;
use domain::ErrorCode;
use futures::FutureExt as _;

use crate::envelope::Ours;
use crate::error::ApiError;
use crate::exchange::Exchange;
use crate::span;
use crate::state::ApiState;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// As many header lines as a request may have; the HTTP parser itself gives up far beyond that.
const MOST_HEADERS: usize = 100;

/// Opens an [`Exchange`], lets the request through, and sees the answer off: envelope, request id,
/// fresh rate-limit headers, log row, metrics.
pub(crate) async fn door(State(state): State<ApiState>, request: Request, next: Next) -> Response<Body> {
    let (mut head, body) = request.into_parts();
    let exchange = Exchange::open(&state, &head).await;
    head.extensions.insert(exchange.clone());
    let too_many = head.headers.len() > MOST_HEADERS;
    let answered = if too_many {
        let refused = ApiError::malformed(format!("more than {MOST_HEADERS} header lines"));
        Ok(exchange.reply(Err(refused)).into_response())
    } else {
        AssertUnwindSafe(next.run(Request::from_parts(head, body))).catch_unwind().await
    };
    let mut response = match answered {
        Ok(response) => in_envelope(&exchange, response),
        Err(panic) => exchange.reply(Err(ApiError::panicked(&*panic))).into_response(),
    };
    let error = response.extensions().get::<Ours>().and_then(|ours| ours.0);
    log(&state, &exchange, response.status(), error).await;
    exchange.rate.write(response.headers_mut());
    if let Ok(id) = HeaderValue::from_str(&exchange.id.to_string()) {
        // A replay carries the first attempt's id already.
        response.headers_mut().entry(REQUEST_ID).or_insert(id);
    }
    let labels = [("method", method_label(&exchange.method)), ("status", status_label(response.status()))];
    metrics::counter!("botix_api_requests_total", &labels).increment(1);
    metrics::histogram!("botix_api_request_seconds", &labels).record(exchange.took().as_secs_f64());
    if let Some(spans) = &state.store.environment().spans {
        spans.ended(span::of(&exchange, method_label(&exchange.method), response.status(), error));
    }
    response
}

/// Puts what the framework refused by itself into the contract's form.
fn in_envelope(exchange: &Exchange, response: Response<Body>) -> Response<Body> {
    if response.extensions().get::<Ours>().is_some() {
        return response;
    }
    let error = match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => {
            let allow = response.headers().get(ALLOW).and_then(|value| value.to_str().ok()).unwrap_or_default();
            let allowed = allow.split(',').map(str::trim).filter(|method| !method.is_empty());
            ApiError::MethodNotAllowed { allowed: allowed.map(str::to_owned).collect() }
        }
        StatusCode::NOT_FOUND => ApiError::not_found("route", &exchange.path),
        status if status.is_client_error() => ApiError::malformed(status.canonical_reason().unwrap_or("bad request")),
        status => ApiError::internal(format!("the framework answered {status}")),
    };
    exchange.reply(Err(error)).into_response()
}

/// A request that changes something is in the log before its answer is out; a read within a second.
async fn log(state: &ApiState, exchange: &Exchange, status: StatusCode, error: Option<ErrorCode>) {
    if exchange.learned().logged {
        return;
    }
    let Some(row) = exchange.log_row(status, error) else { return };
    if exchange.method.is_safe() {
        state.log.later(row);
    } else {
        state.log.now(row).await;
    }
}

/// A closed set, whatever callers invent.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

fn status_label(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

#[cfg(test)]
mod tests;
