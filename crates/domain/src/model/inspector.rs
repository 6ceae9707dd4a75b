//! The inspector: bins with secret addresses, and what was captured in them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Headers;
use crate::cursor::Position;
use crate::id::{AttemptId, BinId, CaptureId, DeliveryId, EndpointId, EventId, RequestId};
use crate::page::Listed;
use crate::script::Script;
use crate::status::{AttemptError, AttemptStatus, CaptureKind, DeadLetterReason};
use crate::time::Timestamp;

/// An address that shows what is sent to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// Its id.
    pub id: BinId,
    /// What it is called.
    pub name: String,
    /// Its secret address: whoever knows it can send there. Any path below it is captured, too.
    pub url: String,
    /// What it answers, in order; the last answer repeats.
    pub script: Script,
    /// Whether redirected attempts come here.
    pub is_default: bool,
    /// How many captures it holds, 500 at most.
    pub captures_count: u32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its name or script was last changed.
    pub updated_at: Timestamp,
}

impl Listed for Bin {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}

/// A request that a bin received, or a copy of one that was sent elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Capture {
    /// Its id.
    pub id: CaptureId,
    /// The bin it is in.
    pub bin_id: BinId,
    /// How it came here.
    pub kind: CaptureKind,
    /// Its HTTP method.
    pub method: String,
    /// Its path behind the bin's address, as it was written; of a copy the path that it was sent to.
    pub path: String,
    /// What followed the question mark, as it was written.
    pub query: Option<String>,
    /// How many bytes its body has.
    pub body_size: u32,
    /// Where it came from.
    pub remote_ip: Option<String>,
    /// The HTTP status that it was answered with; null for a copy, which nobody answered.
    pub response_status_code: Option<u16>,
    /// Of a copy or a rehearsal: what it is a copy of.
    pub source: Option<CaptureSource>,
    /// When it was captured.
    pub created_at: Timestamp,
    /// Its headers and body, when one is fetched.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<CapturePayload>,
}

impl Listed for Capture {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}

/// What a capture is a copy of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaptureSource {
    /// The attempt whose bytes these are.
    pub attempt_id: Option<AttemptId>,
    /// Its delivery.
    pub delivery_id: Option<DeliveryId>,
    /// Its event.
    pub event_id: Option<EventId>,
    /// The endpoint it was, or would be, sent to.
    pub endpoint_id: Option<EndpointId>,
    /// The delivery's request id.
    pub request_id: Option<RequestId>,
    /// Of a rehearsal: when this attempt would have been made.
    pub simulated_at: Option<Timestamp>,
}

/// A capture's headers and body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CapturePayload {
    /// The header lines in their order, repeated ones kept.
    pub headers: Vec<HeaderLine>,
    /// The body as text; null when it is not UTF-8.
    pub body: Option<String>,
    /// The body byte for byte, in base64.
    pub body_base64: String,
}

impl CapturePayload {
    /// From what is stored.
    pub fn new(headers: Vec<HeaderLine>, body: Vec<u8>) -> Self {
        Self { headers, body_base64: STANDARD.encode(&body), body: String::from_utf8(body).ok() }
    }

    /// The body's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.body {
            Some(text) => text.clone().into_bytes(),
            // Made by ourselves.
            None => STANDARD.decode(&self.body_base64).unwrap_or_default(),
        }
    }
}

/// One header line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeaderLine {
    /// Its name, in lower case as the HTTP parser hands it on; of a copy, as it was sent.
    pub name: String,
    /// Its value; bytes that are no UTF-8 are shown as U+FFFD.
    pub value: String,
    /// Its value byte for byte, in base64, when it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_base64: Option<String>,
}

impl HeaderLine {
    /// From what was received.
    pub fn new(name: &str, value: &[u8]) -> Self {
        let text = String::from_utf8_lossy(value);
        let exact = std::str::from_utf8(value).is_err().then(|| STANDARD.encode(value));
        Self { name: name.to_owned(), value: text.into_owned(), value_base64: exact }
    }

    /// The value's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.value_base64 {
            Some(exact) => STANDARD.decode(exact).unwrap_or_default(),
            None => self.value.clone().into_bytes(),
        }
    }
}

/// Where a redirected attempt is to be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Redirected {
    /// The copy.
    pub capture_id: CaptureId,
    /// The project's default bin, which it is in.
    pub bin_id: BinId,
    /// The dashboard's page that shows it.
    pub url: String,
}

/// A climb of the retry ladder on an accelerated clock, without network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rehearsal {
    /// The bin whose script answered.
    pub bin_id: BinId,
    /// The event that was sent.
    pub event_id: EventId,
    /// The endpoint whose secret signed.
    pub endpoint_id: EndpointId,
    /// The attempts, first to last.
    pub rungs: Vec<Rung>,
    /// How it ended: `delivered` or `dead_lettered`.
    pub status: AttemptStatus,
    /// Why it was given up.
    pub reason: Option<DeadLetterReason>,
    /// Whether the endpoint would have been disabled (410).
    pub disables_endpoint: bool,
}

/// One attempt of a rehearsal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rung {
    /// 1, 2, …
    pub attempt_number: u32,
    /// The capture that shows the exact bytes and headers.
    pub capture_id: CaptureId,
    /// When it would begin.
    pub requested_at: Timestamp,
    /// When it would end.
    pub responded_at: Timestamp,
    /// The HTTP status of the scripted answer; null when it would come too late.
    pub response_status_code: Option<u16>,
    /// Why there would be no answer.
    pub error_code: Option<AttemptError>,
    /// What would be recorded.
    pub status: AttemptStatus,
    /// When the next attempt would be made.
    pub next_attempt_at: Option<Timestamp>,
    /// Whether the answer's `Retry-After` chose that time.
    pub by_retry_after: bool,
}

/// What came of sending a capture somewhere again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayResult {
    /// The HTTP status of the answer.
    pub response_status_code: Option<u16>,
    /// Why there is no answer.
    pub error_code: Option<AttemptError>,
    /// The address that was connected to.
    pub remote_ip: Option<String>,
    /// The headers of the answer.
    pub response_headers: Option<Headers>,
    /// The first 4,096 bytes of the answer's body; bytes that are no UTF-8 are shown as U+FFFD.
    pub response_body: Option<String>,
    /// Whether the answer's body went on.
    pub response_body_truncated: bool,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inspector_rewrites_body_never_happens_bytes_and_header_values_come_back_exactly() {
        for bytes in [&b""[..], b"{ \"n\": 1.10 }\n", b"\x00\xff\xfe binary \x80", "\u{feff}Ж".as_bytes()] {
            let payload = CapturePayload::new(vec![HeaderLine::new("x", bytes)], bytes.to_vec());
            assert_eq!(payload.bytes(), bytes);
            assert_eq!(payload.headers[0].bytes(), bytes);
            assert_eq!(STANDARD.decode(&payload.body_base64).unwrap(), bytes);
            let read: CapturePayload = serde_json::from_str(&serde_json::to_string(&payload).unwrap()).unwrap();
            assert_eq!(read.bytes(), bytes);
        }
    }
}
