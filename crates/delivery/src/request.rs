//! The request of one attempt: signed, with its headers as they are sent and as they are logged.

use bytes::Bytes;
use domain::Timestamp;
use domain::model::Headers;
use domain::outgoing::Outgoing;
use domain::payload;
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use store::claim::Claimed;

/// A request that can't be put together; the URL was checked when the endpoint was created.
#[derive(Debug, thiserror::Error)]
#[error("the stored URL can't be requested: {0}")]
pub(crate) struct Unrequestable(#[from] http::Error);

/// The headers that are sent, in the contract's spelling and order, and the body.
pub(crate) fn sign(claimed: &Claimed, at: Timestamp) -> (Headers, Bytes) {
    let body = payload::render(claimed.project_id, &claimed.event);
    let outgoing = Outgoing {
        event: &claimed.event,
        secret: &claimed.endpoint.secret,
        previous_secret: claimed.endpoint.previous_secret.as_ref(),
        request_id: claimed.request_id,
        attempt_number: claimed.attempt_number,
        at,
    };
    (outgoing.headers(&body), Bytes::from(body))
}

/// The request with these headers.
pub(crate) fn build(url: &str, headers: &Headers, body: Bytes) -> Result<Request<Full<Bytes>>, Unrequestable> {
    let mut request = Request::builder().method(Method::POST).uri(url);
    for (name, value) in &headers.0 {
        request = request.header(name.as_str(), HeaderValue::from_str(value).map_err(http::Error::from)?);
    }
    Ok(request.body(Full::new(body))?)
}
