//! Reading an answer: the head decides, the body is read only as far as it is kept.

use bytes::Bytes;
use domain::model::Headers;
use http::HeaderMap;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout_at};

/// How much of the body is kept (contract section 8).
const KEPT: usize = 4_096;
/// How much of it is read, so that the connection of an ordinary answer can be used again.
const READ: usize = 64 * 1_024;

/// The body's beginning.
pub(crate) struct Body {
    /// The first bytes.
    pub kept: Vec<u8>,
    /// Whether it went on, broke off or never ended.
    pub truncated: bool,
}

/// Reads the beginning of a body. Never fails: the head has decided already.
pub(crate) async fn read_body(mut body: Incoming, deadline: Instant) -> Body {
    let mut kept = Vec::new();
    let mut read = 0;
    loop {
        match timeout_at(deadline, body.frame()).await {
            Ok(Some(Ok(frame))) => {
                let data = frame.into_data().unwrap_or_else(|_| Bytes::new());
                read += data.len();
                let room = KEPT - kept.len();
                kept.extend_from_slice(&data[..data.len().min(room)]);
                if read > READ {
                    return Body { kept, truncated: true };
                }
            }
            Ok(None) => return Body { truncated: read > kept.len(), kept },
            Ok(Some(Err(_))) | Err(_) => return Body { kept, truncated: true },
        }
    }
}

/// The header lines as text: bytes that are no UTF-8 are shown as U+FFFD, in the log as on the page.
pub(crate) fn headers(map: &HeaderMap) -> Headers {
    let line = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    Headers(map.iter().map(line).collect())
}
