//! A request as a collector of traces sees it.

use axum::http::StatusCode;
use domain::ErrorCode;
use store::spans::{Fact, Place, Span};

use crate::exchange::Exchange;

/// The span of a request that was answered. Never the query: it may carry what people search for.
pub(crate) fn of(exchange: &Exchange, name: &'static str, status: StatusCode, error: Option<ErrorCode>) -> Span {
    let mut attributes: Vec<(&'static str, Fact)> = vec![
        ("http.request.method", exchange.method.as_str().into()),
        ("url.path", exchange.shown_path().into()),
        ("http.response.status_code", status.as_u16().into()),
        ("botix.request_id", exchange.id.to_string().into()),
    ];
    if let Some(caller) = exchange.identity.caller() {
        attributes.push(("botix.project_id", caller.project.to_string().into()));
    }
    attributes.extend(error.map(|code| ("botix.error_code", code.as_str().into())));
    // By the conventions a refusal is the caller's failure, not this span's.
    let code = error.map_or_else(|| status.as_u16().to_string(), |code| code.as_str().to_owned());
    Span {
        request_id: exchange.id,
        place: Place::Origin,
        name,
        begun: exchange.arrived,
        took: exchange.took(),
        attributes,
        error: status.is_server_error().then_some(code),
    }
}
