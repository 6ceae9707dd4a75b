//! Who may do what in a project, and what they did (contract section 9).

use serde::{Deserialize, Serialize};

use crate::cursor::Position;
use crate::id::{AuditId, UserId};
use crate::page::Listed;
use crate::status::{AuditAction, Role};
use crate::time::Timestamp;

/// A person with a role in a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Who.
    pub user_id: UserId,
    /// The address that they sign in with.
    pub email: String,
    /// What they may do.
    pub role: Role,
    /// Since when they have had a role.
    pub created_at: Timestamp,
}

/// One line of a project's audit log. It says who they were then: a later change of the role or the
/// address doesn't reach it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its id.
    pub id: AuditId,
    /// Who did it.
    pub user_id: UserId,
    /// Under which address.
    pub email: String,
    /// In which role.
    pub role: Role,
    /// What they did.
    pub action: AuditAction,
    /// With what: an id, where it is one thing.
    pub object: Option<String>,
    /// What the id doesn't tell: a name, a count, a role.
    pub detail: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

impl Listed for AuditEntry {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}
