//! An API key without its secret.

use serde::{Deserialize, Serialize};

use crate::cursor::Position;
use crate::id::{ApiKeyId, ProjectId};
use crate::page::Listed;
use crate::status::Scope;
use crate::time::Timestamp;

/// An API key as it is listed: everything but the key itself, of which only a hash is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// The only project it opens.
    pub project_id: ProjectId,
    /// What it is called.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// The first characters, to recognise it by.
    pub hint: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used; follows by up to a minute.
    pub last_used_at: Option<Timestamp>,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl ApiKey {
    /// Whether it opens anything at `now`.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|at| now < at)
    }
}

impl Listed for ApiKey {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}
