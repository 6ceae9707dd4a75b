//! What a collector of traces is told: how long each part of a request's story took, and how it ended.
//!
//! A trace needs nothing beside the request id that everything carries already. The ULID's 128 bits are the trace's id,
//! and its random half is the id of the first span; so the API, a worker in another process and an attempt that
//! follows a day later agree without a word between them, and who has a request id has the trace.

use std::time::Duration;

use domain::Timestamp;
use domain::id::RequestId;

/// Takes spans to wherever they are collected. Must not wait: it is called on hot paths.
pub trait Spans: Send + Sync {
    /// Something has ended.
    fn ended(&self, span: Span);
}

/// A part of a request's story that has ended.
#[derive(Clone, Debug)]
pub struct Span {
    /// The request whose story it is.
    pub request_id: RequestId,
    /// Where in the story it stands.
    pub place: Place,
    /// Of a small closed set, as collectors group by it.
    pub name: &'static str,
    /// When it began.
    pub begun: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// What is known of it, under the names of OpenTelemetry's semantic conventions where there is one. Neither
    /// a payload nor anything secret.
    pub attributes: Vec<(&'static str, Fact)>,
    /// Why it failed, as a code; `None` when it did not.
    pub error: Option<String>,
}

/// Where a span stands in its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The API's own request, from which all else follows.
    Origin,
    /// A request of ours to somebody else, which the origin caused.
    Consequence,
    /// A request of ours to somebody else that no request to the API caused.
    Alone,
}

/// An attribute's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
}

impl From<String> for Fact {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u16> for Fact {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Fact {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}
