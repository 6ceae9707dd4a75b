//! Sending a capture of the inspector somewhere again, through the same guard and under the same limits
//! as a delivery. Nothing of it is recorded.

use std::sync::Arc;

use bytes::Bytes;
use domain::model::ReplayResult;
use domain::status::AttemptError;
use futures::future::{BoxFuture, FutureExt as _};
use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName, TE, TRAILER, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use store::replay::{Replay, Replayer};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::client::{self, Client};
use crate::config::Config;
use crate::request::Unrequestable;
use crate::send::exchange;

/// Replays under way at once; more wait for their turn.
const AT_ONCE: usize = 16;
/// What belongs to the connection that the capture came on, and not to the one that it goes out on.
const OF_THE_CONNECTION: [HeaderName; 8] =
    [CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];

/// The guarded way out. Cheap to clone.
#[derive(Clone)]
pub struct Replays {
    client: Client,
    config: Arc<Config>,
    places: Arc<Semaphore>,
}

impl Replays {
    /// With the engine's configuration.
    pub fn new(config: Config) -> Self {
        Self { client: client::build(&config), config: Arc::new(config), places: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Replayer for Replays {
    fn replay(&self, replay: Replay) -> BoxFuture<'static, ReplayResult> {
        let Self { client, config, places } = self.clone();
        async move {
            // Never closed.
            let _place = places.acquire().await;
            let started = Instant::now();
            let mut result = match build(replay) {
                Ok(request) => shown(exchange(&client, &config, request).await),
                Err(error) => {
                    tracing::debug!(%error, "a capture can't be sent as it is");
                    ReplayResult { error_code: Some(AttemptError::InvalidResponse), ..ReplayResult::default() }
                }
            };
            result.duration_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
            result
        }
        .boxed()
    }
}

/// The capture as a request of ours. Its signatures stay: that is what a replay is good for.
fn build(replay: Replay) -> Result<Request<Full<Bytes>>, Unrequestable> {
    let method = Method::from_bytes(replay.method.as_bytes()).map_err(http::Error::from)?;
    let mut request = Request::builder().method(method).uri(replay.url.as_str());
    for line in &replay.headers {
        let name = HeaderName::from_bytes(line.name.as_bytes()).map_err(http::Error::from)?;
        if OF_THE_CONNECTION.contains(&name) || name.as_str().starts_with("proxy-") || name == "keep-alive" {
            continue;
        }
        request = request.header(name, HeaderValue::from_bytes(&line.bytes()).map_err(http::Error::from)?);
    }
    Ok(request.body(Full::new(replay.body))?)
}

fn shown(result: store::record::AttemptResult) -> ReplayResult {
    ReplayResult {
        response_status_code: result.status,
        error_code: result.error,
        remote_ip: result.remote_ip,
        response_headers: result.response_headers,
        response_body: result.response_body.map(|body| String::from_utf8_lossy(&body).into_owned()),
        response_body_truncated: result.response_body_truncated,
        duration_ms: 0,
    }
}
