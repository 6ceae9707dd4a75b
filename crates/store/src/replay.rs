//! Sending a capture somewhere again. The guarded way out belongs to the engine, which the dashboard and
//! the API don't know: whoever wires them hands them a [`Replayer`].

use bytes::Bytes;
use domain::endpoint_url::EndpointUrl;
use domain::model::{Capture, HeaderLine, ReplayResult};
use futures::future::BoxFuture;

/// What is sent.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where to; checked by [`EndpointUrl::parse`], and by the address guard when it is connected to.
    pub url: EndpointUrl,
    /// The capture's method.
    pub method: String,
    /// The capture's header lines, as they are kept.
    pub headers: Vec<HeaderLine>,
    /// The capture's body.
    pub body: Bytes,
}

impl Replay {
    /// Of a capture that was fetched with its payload.
    pub fn of(capture: Capture, url: EndpointUrl) -> Self {
        let payload = capture.payload.unwrap_or_default();
        Self { url, method: capture.method, body: payload.bytes().into(), headers: payload.headers }
    }
}

/// The guarded way out: the same address guard and time limits as a delivery's, and nothing is recorded.
pub trait Replayer: Send + Sync + 'static {
    /// Sends it once, and says what came of it.
    fn replay(&self, replay: Replay) -> BoxFuture<'static, ReplayResult>;
}
