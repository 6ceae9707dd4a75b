//! API requests, the trace that follows from one, and idempotency keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Attempt, DeadLetter, Delivery, Event};
use crate::cursor::Position;
use crate::id::{ApiKeyId, RequestId};
use crate::page::Listed;
use crate::status::{IdempotencyOutcome, IdempotencyStatus};
use crate::time::Timestamp;

/// One request to the public API, as logged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApiRequest {
    /// The id that its answer carried.
    pub id: RequestId,
    /// The HTTP method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The HTTP status of the answer.
    pub status_code: u16,
    /// The error code of the answer.
    pub error_code: Option<String>,
    /// From the head of the request to the answer, in milliseconds.
    pub duration_ms: u32,
    /// The key that sent it.
    pub api_key_id: Option<ApiKeyId>,
    /// Where it came from.
    pub remote_ip: Option<String>,
    /// What sent it.
    pub user_agent: Option<String>,
    /// Its idempotency key.
    pub idempotency_key: Option<String>,
    /// What the idempotency layer did.
    pub idempotency_outcome: Option<IdempotencyOutcome>,
    /// When it arrived.
    pub created_at: Timestamp,
}

impl Listed for ApiRequest {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}

/// Everything that followed from one request, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// Its events.
    pub events: Vec<Event>,
    /// Their deliveries.
    pub deliveries: Vec<Delivery>,
    /// The attempts at them.
    pub attempts: Vec<Attempt>,
    /// The dead letters among them.
    pub dead_letters: Vec<DeadLetter>,
}

/// One request with its trace. A webhook's own request id has the trace alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestWithTrace {
    /// The request; `None` for the id of a webhook.
    #[serde(flatten)]
    pub request: Option<ApiRequest>,
    /// What followed.
    pub trace: Trace,
}

/// An idempotency key and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdempotencyKey {
    /// The key as sent, without quotes.
    pub key: String,
    /// Where it stands.
    pub status: IdempotencyStatus,
    /// The method of its first request.
    pub method: String,
    /// The path of its first request.
    pub path: String,
    /// SHA-256 of method, path, query and body, in hex.
    pub fingerprint: String,
    /// The API key that it belongs to.
    pub api_key_id: ApiKeyId,
    /// Its first request.
    pub first_request_id: RequestId,
    /// The stored answer's status.
    pub response_status_code: Option<u16>,
    /// How often the stored answer was given again.
    pub replays: u32,
    /// How often another request tried to use it.
    pub conflicts: u32,
    /// When it was first seen.
    pub created_at: Timestamp,
    /// When its answer is erased.
    pub expires_at: Timestamp,
}

impl Listed for IdempotencyKey {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.first_request_id.ulid() }
    }
}
