//! Idempotency keys: what became of each.

use domain::cursor::Walk;
use domain::filter::{Filter as _, FilterReader, TimeRange};
use domain::id::ApiKeyId;
use domain::model::IdempotencyKey;
use domain::page::{Listed as _, PageRequest};
use store::idempotency::{self as repository, Conflict, IdempotencyFilter};
use store::requests::{self, RequestListFilter};

use super::inspector::diff::{self, Side};
use super::requests::{row as request_row, what_followed};
use super::{ROWS, json, paging};
use crate::model::{ConflictView, KeyRow, KeyView, KeysView};
use crate::query;
use crate::ssr::{Access, Problem};

/// How many uses of one key are shown.
const USES: u32 = 50;

/// The keys that a page's query asks for, and the one that is open.
pub(crate) async fn keys(project: &str, query: &str) -> Result<KeysView, Problem> {
    let mut access = Access::to(project).await?;
    let filters = query::without(&query::filters(query), &["api_key_id"]);
    let filter = IdempotencyFilter::read(&mut FilterReader::new(query::pairs(&filters)))?;
    let filter = IdempotencyFilter { key: filter.key.map(|key| unquoted(&key)) };
    let canonical = filter.canonical();
    let walk = Walk { list: "idempotency-keys", project: access.project, filters: &canonical };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let (project, now) = (access.project, access.state.store.now());
    let conn = &mut access.conn;
    let mut page = repository::list(conn, project, &filter, now, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::list(conn, project, &filter, now, request).await?;
    }
    let by: Option<ApiKeyId> = query::value(query, "api_key_id").and_then(|text| text.parse().ok());
    // A key alone is enough where one API key has used it.
    let chosen = match (by, page.data.as_slice()) {
        _ if filter.key.is_none() => None,
        (Some(by), rows) => rows.iter().find(|row| row.api_key_id == by).cloned(),
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    };
    let rows = page.data.iter().map(row).collect();
    let pager = paging::around(&signer, walk, request, &page);
    let open = match chosen {
        Some(key) => Some(detail(&mut access, key).await?),
        None => None,
    };
    // The stored answer is what a customer was told, a body what a customer said.
    if let Some(shown) = open.as_ref().filter(|key| key.answer.is_some() || key.conflict.is_some()) {
        access.opened(shown.first_request_id.clone()).await?;
    }
    Ok(KeysView { rows, pager, open })
}

async fn detail(access: &mut Access, key: IdempotencyKey) -> Result<KeyView, Problem> {
    let (project, store) = (access.project, access.state.store.clone());
    let now = store.now();
    let answer = repository::answer(&mut access.conn, store.keys(), key.api_key_id, &key.key, now).await?;
    let conflict = repository::conflict(&mut access.conn, store.keys(), key.api_key_id, &key.key, now).await?;
    // Every use lies between the first and the answer's end: a stretch of the log, not all of it.
    let created = TimeRange { created_after: Some(key.position().created_at), created_before: Some(key.expires_at) };
    let of_key = RequestListFilter { idempotency_key: Some(key.key.clone()), created, ..RequestListFilter::default() };
    let uses = requests::list(&mut access.conn, project, &of_key, PageRequest::first(USES)).await?;
    let created = what_followed(access, key.first_request_id).await?;
    Ok(KeyView {
        first_request_id: key.first_request_id.to_string(),
        fingerprint: key.fingerprint.clone(),
        expires_at: key.expires_at.into(),
        answer: answer.map(|answer| json::indented(&answer.redacted_body())),
        conflict: conflict.map(|conflict| told(&key, &conflict)),
        uses: uses.data.iter().filter(|used| used.api_key_id == Some(key.api_key_id)).map(request_row).collect(),
        created,
        row: row(&key),
    })
}

/// What somebody has to see to find the mistake: in what the two requests differ.
fn told(key: &IdempotencyKey, conflict: &Conflict) -> ConflictView {
    let shown = |body: &Option<Vec<u8>>| body.as_deref().map(repository::redacted);
    let bodies = shown(&conflict.first_body).zip(shown(&conflict.body));
    let difference = bodies.map(|(first, other)| {
        let old = Side { line: format!("{} {}", key.method, key.path), headers: &[], body: first.as_bytes() };
        let line = format!("{} {}", conflict.method, conflict.path);
        diff::between(&old, &Side { line, headers: &[], body: other.as_bytes() })
    });
    ConflictView { request_id: conflict.request_id.to_string(), at: conflict.at.into(), difference }
}

fn row(key: &IdempotencyKey) -> KeyRow {
    KeyRow {
        key: key.key.clone(),
        api_key_id: key.api_key_id.to_string(),
        status: key.status,
        target: format!("{} {}", key.method, key.path),
        code: key.response_status_code,
        replays: key.replays,
        conflicts: key.conflicts,
        at: key.created_at.into(),
    }
}

/// A key pasted with its quotation marks or the header's name is still that key.
fn unquoted(text: &str) -> String {
    domain::idempotency_key::IdempotencyKey::parse(text.as_bytes())
        .map_or_else(|_| text.trim().to_owned(), |key| key.to_string())
}
