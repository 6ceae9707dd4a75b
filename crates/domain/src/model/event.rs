//! A domain event.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RawJson;
use crate::cursor::Position;
use crate::id::{EventId, RequestId};
use crate::page::Listed;
use crate::time::Timestamp;

/// Something that happened, to be told to whoever subscribed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Its id, by which receivers de-duplicate.
    pub id: EventId,
    /// Dotted lower-case, e.g. `contact.created`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// The whole data, byte for byte as it is (or, when thin, would be) sent.
    pub data: RawJson,
    /// When it happened, by which receivers order.
    pub timestamp: Timestamp,
    /// The API call that caused it.
    pub request_id: Option<RequestId>,
    /// When it was stored.
    pub created_at: Timestamp,
}

impl Listed for Event {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}
