//! One attempt, from the claim to its outcome.

use std::pin::pin;

use bytes::Bytes;
use domain::Timestamp;
use domain::ladder::{Outcome, RetrySchedule};
use domain::retry_after::parse_retry_after;
use domain::status::AttemptError;
use futures::future::{Either, select};
use http::header::RETRY_AFTER;
use http_body_util::Full;
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use store::claim::Claimed;
use store::record::{AttemptResult, Finished};
use store::{Store, fail_point};
use tokio::time::{Instant, timeout_at};

use crate::classify::classify;
use crate::client::Client;
use crate::config::Config;
use crate::stream::RemoteIp;
use crate::{metrics, request, response, span};

/// Sends a claimed delivery and says what came of it. Takes no longer than
/// [`Config::longest_request`].
pub(crate) async fn send(
    client: &Client,
    config: &Config,
    store: &Store,
    schedule: &RetrySchedule,
    claimed: Claimed,
) -> Finished {
    let requested_at = store.now();
    let cause = claimed.event.request_id;
    metrics::begun(&claimed, requested_at);
    let (headers, body) = request::sign(&claimed, requested_at);
    let answered = match request::build(&claimed.endpoint.url, &headers, body) {
        Ok(request) => exchange(client, config, request).await,
        Err(error) => {
            tracing::warn!(delivery = %claimed.delivery_id, %error, "a stored URL can't be requested");
            failed(AttemptError::DnsError)
        }
    };
    let responded_at = store.now();
    let outcome = outcome(&answered, responded_at);
    let rungs_taken = claimed.rungs_taken + u32::from(outcome.takes_rung());
    let finished = Finished {
        project_id: claimed.project_id,
        delivery_id: claimed.delivery_id,
        event_id: claimed.event.id,
        event_type: claimed.event.event_type,
        endpoint_id: claimed.endpoint.id,
        request_id: claimed.request_id,
        attempt_number: claimed.attempt_number,
        trigger: claimed.trigger.of_attempt(claimed.attempt_number),
        rungs_taken,
        interruptions: 0,
        token: claimed.token,
        url: claimed.endpoint.url,
        request_headers: headers,
        result: answered,
        requested_at,
        responded_at: Some(responded_at),
        next: schedule.next(rungs_taken, outcome, responded_at),
    };
    if let Some(spans) = &store.environment().spans {
        spans.ended(span::of(&finished, cause));
    }
    finished
}

fn outcome(result: &AttemptResult, now: Timestamp) -> Outcome {
    match (result.status, result.error) {
        (Some(status), None) => {
            let header = result.response_headers.as_ref().and_then(|headers| headers.get(RETRY_AFTER.as_str()));
            Outcome::Responded { status, retry_after: header.and_then(|value| parse_retry_after(value, now)) }
        }
        (_, error) => Outcome::Failed(error.unwrap_or(AttemptError::ConnectionReset)),
    }
}

pub(crate) async fn exchange(
    client: &Client,
    config: &Config,
    mut request: http::Request<Full<Bytes>>,
) -> AttemptResult {
    let mut captured = capture_connection(&mut request);
    let last = Instant::now() + config.longest_request();
    let mut answer = pin!(client.request(request));
    // The answer's own time begins when the connection stands, whatever it took to get there.
    let early = {
        let connected = pin!(captured.wait_for_connection_metadata());
        match timeout_at(last, select(answer.as_mut(), connected)).await {
            Err(_) => return failed(AttemptError::ReadTimeout),
            Ok(Either::Left((head, _))) => Some(head),
            Ok(Either::Right(_)) => {
                fail_point::pass("after-connect");
                None
            }
        }
    };
    let deadline = last.min(Instant::now() + config.read_timeout);
    let head = match early {
        Some(head) => Ok(head),
        None => timeout_at(deadline, answer).await,
    };
    let remote_ip = remote_ip(&captured);
    match head {
        Err(_) => AttemptResult { remote_ip, ..failed(AttemptError::ReadTimeout) },
        Ok(Err(error)) => AttemptResult { remote_ip, ..failed(classify(&error)) },
        Ok(Ok(answer)) => {
            let (head, body) = answer.into_parts();
            let body = response::read_body(body, deadline).await;
            AttemptResult {
                status: Some(head.status.as_u16()),
                error: None,
                remote_ip,
                response_headers: Some(response::headers(&head.headers)),
                response_body: Some(body.kept),
                response_body_truncated: body.truncated,
            }
        }
    }
}

fn remote_ip(captured: &CaptureConnection) -> Option<String> {
    let mut extras = http::Extensions::new();
    captured.connection_metadata().as_ref()?.get_extras(&mut extras);
    extras.get::<RemoteIp>().map(|remote| remote.0.to_string())
}

fn failed(error: AttemptError) -> AttemptResult {
    AttemptResult { error: Some(error), ..AttemptResult::default() }
}
