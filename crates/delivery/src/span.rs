//! An attempt as a collector of traces sees it.

use std::time::Duration;

use domain::id::RequestId;
use domain::status::AttemptError;
use store::record::Finished;
use store::spans::{Fact, Place, Span};
use url::Url;

/// The span of an attempt that ended, in the trace of the API's request that caused the event. Of the URL the host
/// alone: path and query belong to the receiver.
pub(crate) fn of(finished: &Finished, cause: Option<RequestId>) -> Span {
    let result = &finished.result;
    let host = Url::parse(&finished.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let mut attributes: Vec<(&'static str, Fact)> = vec![
        ("http.request.method", "POST".into()),
        ("botix.request_id", finished.request_id.to_string().into()),
        ("botix.project_id", finished.project_id.to_string().into()),
        ("botix.event_id", finished.event_id.to_string().into()),
        ("botix.event_type", finished.event_type.as_str().into()),
        ("botix.endpoint_id", finished.endpoint_id.to_string().into()),
        ("botix.delivery_id", finished.delivery_id.to_string().into()),
        ("botix.attempt_number", finished.attempt_number.into()),
        ("botix.trigger", finished.trigger.as_str().into()),
    ];
    attributes.extend(host.map(|host| ("server.address", host.into())));
    attributes.extend(result.remote_ip.as_deref().map(|ip| ("network.peer.address", ip.into())));
    attributes.extend(result.status.map(|status| ("http.response.status_code", status.into())));
    let error = match (result.error, result.status) {
        (Some(error), _) => Some(AttemptError::as_str(error).to_owned()),
        (None, Some(200..=299)) => None,
        (None, status) => status.map(|status| status.to_string()),
    };
    Span {
        request_id: cause.unwrap_or(finished.request_id),
        place: if cause.is_some() { Place::Consequence } else { Place::Alone },
        name: "webhook attempt",
        begun: finished.requested_at,
        took: finished.responded_at.map_or(Duration::ZERO, |at| at.since(finished.requested_at)),
        attributes,
        error,
    }
}
