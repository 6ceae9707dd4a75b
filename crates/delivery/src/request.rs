//! The request of one attempt: signed, with its headers as they are sent and as they are logged.

use bytes::Bytes;
use domain::Timestamp;
use domain::model::Headers;
use domain::{payload, signature};
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use store::claim::Claimed;

const USER_AGENT: &str = "BOTIX-Webhooks/1.1";

/// A request that can't be put together; the URL was checked when the endpoint was created.
#[derive(Debug, thiserror::Error)]
#[error("the stored URL can't be requested: {0}")]
pub(crate) struct Unrequestable(#[from] http::Error);

/// The headers that are sent, in the contract's spelling and order, and the body.
pub(crate) fn sign(claimed: &Claimed, at: Timestamp) -> (Headers, Bytes) {
    let body = payload::render(claimed.project_id, &claimed.event);
    let target = &claimed.endpoint;
    let mut secrets = vec![&target.secret];
    secrets.extend(&target.previous_secret);
    let mut lines = vec![
        ("Content-Type", "application/json".to_owned()),
        ("Content-Length", body.len().to_string()),
        ("User-Agent", USER_AGENT.to_owned()),
        ("X-Botix-Event", claimed.event.event_type.clone()),
        ("X-Botix-Signature", signature::botix(&target.secret, &body)),
        ("X-Botix-Request-Id", claimed.request_id.to_string()),
        ("X-Delivery-Attempt", claimed.attempt_number.to_string()),
        ("webhook-id", claimed.event.id.to_string()),
        ("webhook-timestamp", at.as_secs().to_string()),
        ("webhook-signature", signature::standard_all(&secrets, claimed.event.id, at, &body)),
    ];
    if let Some(previous) = &target.previous_secret {
        lines.insert(5, ("X-Botix-Signature-Previous", signature::botix(previous, &body)));
    }
    let headers = lines.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    (Headers(headers), Bytes::from(body))
}

/// The request with these headers.
pub(crate) fn build(url: &str, headers: &Headers, body: Bytes) -> Result<Request<Full<Bytes>>, Unrequestable> {
    let mut request = Request::builder().method(Method::POST).uri(url);
    for (name, value) in &headers.0 {
        request = request.header(name.as_str(), HeaderValue::from_str(value).map_err(http::Error::from)?);
    }
    Ok(request.body(Full::new(body))?)
}
