//! API keys, members, and what people did.

use domain::status::{AuditAction, Role, Scope};
use serde::{Deserialize, Serialize};

use super::{Moment, Pager};

/// Whether a key opens anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyState {
    /// It does.
    Valid,
    /// Its time is over.
    Expired,
    /// Somebody has revoked it.
    Revoked,
}

/// An API key in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKeyRow {
    /// `key_…`
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its first characters.
    pub hint: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Whether it opens anything.
    pub state: KeyState,
    /// When it was made.
    pub created_at: Moment,
    /// When it was last used.
    pub last_used_at: Option<Moment>,
    /// When it stops.
    pub expires_at: Option<Moment>,
}

/// The page of API keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKeysView {
    /// Newest first.
    pub rows: Vec<ApiKeyRow>,
    /// The pages around.
    pub pager: Pager,
    /// Whether this person may make and revoke them.
    pub may_change: bool,
}

/// The form for a new key as it was filled in, what was wrong with it, or the key that it made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewKeyView {
    /// As typed.
    pub name: String,
    /// As ticked.
    pub scopes: Vec<Scope>,
    /// After how many days it stops.
    pub days: Option<u32>,
    /// Whether the name is empty or too long.
    pub name_fault: bool,
    /// Whether nothing was ticked.
    pub scopes_fault: bool,
    /// The key, shown once.
    pub made: Option<String>,
}

impl Default for NewKeyView {
    fn default() -> Self {
        Self {
            name: String::new(),
            scopes: vec![Scope::Read, Scope::Write],
            days: None,
            name_fault: false,
            scopes_fault: false,
            made: None,
        }
    }
}

/// Somebody with a role in the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRow {
    /// `usr_…`
    pub id: String,
    /// Their address.
    pub email: String,
    /// What they may do.
    pub role: Role,
    /// Since when.
    pub since: Moment,
    /// Whether they are the one who looks.
    pub you: bool,
}

/// One line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Who.
    pub email: String,
    /// In which role.
    pub role: Role,
    /// What.
    pub action: AuditAction,
    /// On what.
    pub object: Option<String>,
    /// And what the id doesn't tell.
    pub detail: Option<String>,
    /// When.
    pub at: Moment,
}

/// The page of settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsView {
    /// What the project is called.
    pub name: String,
    /// How many contacts it may hold.
    pub contact_limit: Option<u32>,
    /// Requests a minute for each key.
    pub rate_limit: Option<u32>,
    /// Whether this person may change the members and the name.
    pub may_manage: bool,
    /// Who is in it.
    pub members: Vec<MemberRow>,
    /// What people did; for those who may see it.
    pub audit: Option<(Vec<AuditRow>, Pager)>,
}
