//! Projects and the people in them.

use serde::{Deserialize, Serialize};

use crate::id::{ProjectId, UserId};
use crate::time::Timestamp;

/// The tenant that owns contacts, events, endpoints and all that follows from them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// What it is called.
    pub name: String,
    /// How many contacts it may hold; unlimited when `None`.
    pub contact_limit: Option<u32>,
    /// Requests a minute for each of its keys; the server's default when `None`.
    pub rate_limit: Option<u32>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A person who signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Its id.
    pub id: UserId,
    /// The address that it signs in with, lower-case.
    pub email: String,
    /// When it was created.
    pub created_at: Timestamp,
}
