//! API keys, members and the audit log.

use domain::Timestamp;
use domain::cursor::Walk;
use domain::model::{ApiKey, AuditEntry};
use domain::page::PageRequest;
use domain::status::Role;
use store::{api_keys as keys, audit, members, projects};

use super::{ROWS, paging};
use crate::error::UiError;
use crate::model::{ApiKeyRow, ApiKeysView, AuditRow, KeyState, MemberRow, Pager, SettingsView};
use crate::ssr::{Access, Problem};

/// The API keys.
pub(crate) async fn api_keys(project: &str, query: &str) -> Result<ApiKeysView, Problem> {
    let mut access = Access::to(project).await?;
    let walk = Walk { list: "api_keys", project: access.project, filters: "" };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let conn = &mut access.conn;
    let mut page = keys::list(conn, access.project, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = keys::list(conn, access.project, request).await?;
    }
    let now = access.state.store.now();
    Ok(ApiKeysView {
        pager: paging::around(&signer, walk, request, &page),
        rows: page.data.into_iter().map(|key| api_key_row(key, now)).collect(),
        may_change: access.may_change(),
    })
}

/// One API key, for those who may revoke it.
pub(crate) async fn api_key(project: &str, id: &str) -> Result<ApiKeyRow, Problem> {
    let mut access = Access::to(project).await?;
    if !access.may_change() {
        return Err(UiError::Forbidden.into());
    }
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let found = keys::get(&mut access.conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    Ok(api_key_row(found, access.state.store.now()))
}

fn api_key_row(key: ApiKey, now: Timestamp) -> ApiKeyRow {
    ApiKeyRow {
        state: match (key.revoked_at, key.is_valid(now)) {
            (Some(_), _) => KeyState::Revoked,
            (None, true) => KeyState::Valid,
            (None, false) => KeyState::Expired,
        },
        id: key.id.to_string(),
        name: key.name,
        hint: key.hint,
        scopes: key.scopes,
        created_at: key.created_at.into(),
        last_used_at: key.last_used_at.map(Into::into),
        expires_at: key.expires_at.map(Into::into),
    }
}

/// The project's name and limits, its members, and what they did.
pub(crate) async fn settings(project: &str, query: &str) -> Result<SettingsView, Problem> {
    let mut access = Access::to(project).await?;
    let found = projects::get(&mut access.conn, access.project).await?.ok_or(UiError::NotFound)?;
    let members = members::list(&mut access.conn, access.project).await?;
    let audit = if access.may_change() { Some(audit_log(&mut access, query).await?) } else { None };
    Ok(SettingsView {
        name: found.name,
        contact_limit: found.contact_limit,
        rate_limit: found.rate_limit,
        may_manage: access.role == Role::Owner,
        members: members
            .into_iter()
            .map(|member| MemberRow {
                you: member.user_id == access.user.id,
                id: member.user_id.to_string(),
                email: member.email,
                role: member.role,
                since: member.created_at.into(),
            })
            .collect(),
        audit,
    })
}

async fn audit_log(access: &mut Access, query: &str) -> Result<(Vec<AuditRow>, Pager), Problem> {
    let walk = Walk { list: "audit", project: access.project, filters: "" };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let mut page = audit::list(&mut access.conn, access.project, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = audit::list(&mut access.conn, access.project, request).await?;
    }
    let pager = paging::around(&signer, walk, request, &page);
    Ok((page.data.into_iter().map(audit_row).collect(), pager))
}

fn audit_row(entry: AuditEntry) -> AuditRow {
    AuditRow {
        email: entry.email,
        role: entry.role,
        action: entry.action,
        object: entry.object,
        detail: entry.detail,
        at: entry.created_at.into(),
    }
}
