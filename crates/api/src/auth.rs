//! Who calls (contract section 4).
//!
//! A key is looked up by its hash on every request: that costs one indexed read, and a revoked key
//! stops at once, in every replica.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use domain::Timestamp;
use domain::api_key::ApiKeySecret;
use domain::id::{ApiKeyId, ProjectId};
use domain::model::ApiKey;
use domain::status::Scope;
use store::{StoreError, api_keys};

use crate::error::ApiError;
use crate::state::ApiState;

/// A caller with a valid key.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) key_id: ApiKeyId,
    pub(crate) project: ProjectId,
    pub(crate) rate_limit: Option<u32>,
    scopes: Vec<Scope>,
}

/// What is known of whoever sent a request.
#[derive(Clone, Debug)]
pub(crate) enum Identity {
    /// A valid key.
    Known(Caller),
    /// A missing, malformed, unknown, expired or revoked key: all alike.
    Unknown,
    /// The database could not be asked.
    Unclear { cause: String },
}

impl Identity {
    pub(crate) const fn caller(&self) -> Option<&Caller> {
        match self {
            Self::Known(caller) => Some(caller),
            Self::Unknown | Self::Unclear { .. } => None,
        }
    }
}

impl Caller {
    pub(crate) fn require(&self, scope: Scope) -> Result<(), ApiError> {
        if self.scopes.contains(&scope) { Ok(()) } else { Err(ApiError::Forbidden { required: scope }) }
    }
}

/// Finds out who sent a request with these headers.
pub(crate) async fn identify(state: &ApiState, headers: &HeaderMap, now: Timestamp) -> Identity {
    let Some(secret) = bearer(headers) else { return Identity::Unknown };
    match find(state, &secret, now).await {
        Ok(Some(caller)) => Identity::Known(caller),
        Ok(None) => Identity::Unknown,
        Err(error) => Identity::Unclear { cause: error.to_string() },
    }
}

async fn find(state: &ApiState, secret: &ApiKeySecret, now: Timestamp) -> Result<Option<Caller>, StoreError> {
    let Some(found) = api_keys::find(&state.store, secret.hash()).await? else { return Ok(None) };
    if !found.key.is_valid(now) {
        return Ok(None);
    }
    if api_keys::is_worth_touching(&found.key, now) {
        state.log.key_used(found.key.id, now);
    }
    let ApiKey { id: key_id, project_id: project, scopes, .. } = found.key;
    Ok(Some(Caller { key_id, project, rate_limit: found.rate_limit, scopes }))
}

/// The one bearer key in the headers. Two `Authorization` lines are none: nobody should guess which
/// one a proxy in between meant.
fn bearer(headers: &HeaderMap) -> Option<ApiKeySecret> {
    let mut lines = headers.get_all(AUTHORIZATION).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else { return None };
    let (scheme, key) = line.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| ApiKeySecret::parse(key.trim()).ok())?
}
