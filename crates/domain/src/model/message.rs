//! A message.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cursor::Position;
use crate::id::{ContactId, MessageId};
use crate::page::Listed;
use crate::status::MessageStatus;
use crate::time::Timestamp;

/// The longest text, in characters.
pub const MAX_TEXT: usize = 4_096;

/// Something said to a contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// To whom.
    pub contact_id: ContactId,
    /// What is said.
    pub text: String,
    /// By which channel, in the project's own words.
    pub channel: Option<String>,
    /// What became of it.
    pub status: MessageStatus,
    /// When it was accepted.
    pub created_at: Timestamp,
}

impl Listed for Message {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}
