//! Idempotency keys (contract section 5): who holds one, and the answer that is given again.
//!
//! On PostgreSQL a row goes through `capture` → `complete`, or `capture` → `release`. The capture commits
//! by itself, so that others see it, and its token fences what follows: whoever lost the capture changes
//! nothing. On SQLite others see the capture in the process's memory, so the row is written once, with its
//! answer, as the last thing that the work's own transaction does ([`capture_and_complete`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::Timestamp;
use domain::filter::{Filter, FilterReader, Rejected};
use domain::fingerprint::Fingerprint;
use domain::id::{ApiKeyId, ProjectId, RequestId};
use domain::model::IdempotencyKey;
use domain::page::{Page, PageRequest};
use domain::status::IdempotencyStatus;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::keys::Keyring;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

mod answer;
mod capture;
mod conflict;
mod outcome;

pub use answer::{StoredAnswer, redacted};
pub use capture::{Glance, capture, capture_or_find};
pub(crate) use conflict::reseal as reseal_conflict;
pub use conflict::{Conflict, Conflicting, LONGEST_BODY, conflict};
pub use outcome::{Reuse, capture_and_complete, complete, count_conflicts, count_reuses};

const COLUMNS: &str = "key, status, method, path, fingerprint, api_key_id, first_request_id, response_status_code, \
                       replays, conflicts, created_at, expires_at, leased_until";
const ORDER: Order = Order { created_at: "created_at", id: "first_request_id", prefix: RequestId::PREFIX };

/// The right to execute a key's first request.
#[derive(Clone, Debug)]
pub struct Capture {
    /// Whose key it is.
    pub api_key_id: ApiKeyId,
    /// The key, without quotes.
    pub key: String,
    /// The project.
    pub project: ProjectId,
    /// The request's method.
    pub method: String,
    /// The request's path.
    pub path: String,
    /// What tells it from other requests.
    pub fingerprint: Fingerprint,
    /// The request.
    pub request_id: RequestId,
    /// When it was first seen.
    pub first_seen: Timestamp,
    /// Until when nobody else may take it over.
    pub leased_until: Timestamp,
    /// When its answer is erased.
    pub expires_at: Timestamp,
    /// What it said, unless that is longer than [`LONGEST_BODY`]: to be compared with what conflicts with it.
    pub body: Option<Arc<[u8]>>,
}

/// What is known of a key that somebody has used.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What tells its request from others.
    pub fingerprint: Fingerprint,
    /// Its first request.
    pub first_request_id: RequestId,
    /// When it was first seen.
    pub first_seen: Timestamp,
    /// When its answer is erased.
    pub expires_at: Timestamp,
    /// What became of it.
    pub state: SeenState,
}

impl Seen {
    /// What is known of the key once `answer` has been stored for it.
    pub fn answered(capture: &Capture, answer: StoredAnswer) -> Self {
        Self {
            fingerprint: capture.fingerprint,
            first_request_id: capture.request_id,
            first_seen: capture.first_seen,
            expires_at: capture.expires_at,
            state: SeenState::Done(answer),
        }
    }
}

/// What became of a key's first request.
#[derive(Clone, Debug)]
pub enum SeenState {
    /// It runs, or its process died: then the lease runs out.
    Running {
        /// Until when nobody else may take it over.
        leased_until: Timestamp,
    },
    /// It was answered.
    Done(StoredAnswer),
}

/// Gives the key back untouched, because nothing was done: a retry executes.
pub async fn release(tx: &mut Tx, capture: &Capture) -> Result<(), StoreError> {
    held(Sql::new("DELETE FROM btx_idempotency"), capture).execute(tx).await.map(drop)
}

/// What is known of a key, unless it is new or has expired.
pub async fn find(
    conn: &mut Conn,
    keys: &Keyring,
    by: ApiKeyId,
    key: &str,
    now: Timestamp,
) -> Result<Option<Seen>, StoreError> {
    let query = Sql::new("SELECT response_headers, response_body, ").push(COLUMNS).push(" FROM btx_idempotency");
    let query = query.push(" WHERE expires_at > ").bind(now);
    let Some(row) = of(query, by, key).fetch_optional(conn).await? else { return Ok(None) };
    seen(&row, keys, by, key).map(Some)
}

fn seen(row: &Row, keys: &Keyring, by: ApiKeyId, key: &str) -> Result<Seen, StoreError> {
    let state = match row.opt_small("response_status_code")? {
        None => SeenState::Running { leased_until: row.opt_time("leased_until")?.unwrap_or_default() },
        Some(status_code) => SeenState::Done(StoredAnswer::open(keys, &context(by, key), status_code, row)?),
    };
    Ok(Seen {
        fingerprint: fingerprint(row)?,
        first_request_id: row.parse("first_request_id")?,
        first_seen: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        state,
    })
}

/// One key of one API key.
pub async fn get(
    conn: &mut Conn,
    project: ProjectId,
    by: ApiKeyId,
    key: &str,
    now: Timestamp,
) -> Result<Option<IdempotencyKey>, StoreError> {
    let row = of(select(project), by, key).fetch_optional(conn).await?;
    row.map(|row| read(&row, now)).transpose()
}

/// The stored answer of one key of one API key, while it is kept.
pub async fn answer(
    conn: &mut Conn,
    keys: &Keyring,
    by: ApiKeyId,
    key: &str,
    now: Timestamp,
) -> Result<Option<StoredAnswer>, StoreError> {
    let seen = find(conn, keys, by, key, now).await?;
    Ok(seen.and_then(|seen| match seen.state {
        SeenState::Done(answer) => Some(answer),
        SeenState::Running { .. } => None,
    }))
}

/// Filters of the list of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdempotencyFilter {
    /// This key, of whichever API key.
    pub key: Option<String>,
}

impl Filter for IdempotencyFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self { key: query.take("key") };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        self.key.iter().map(|key| ("key", key.clone())).collect()
    }
}

/// The project's keys that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &IdempotencyFilter,
    now: Timestamp,
    request: PageRequest,
) -> Result<Page<IdempotencyKey>, StoreError> {
    let query = match &filter.key {
        None => select(project),
        // By the primary key, once for each API key of the project; the revoked ones are kept, too.
        Some(key) => Sql::new("SELECT ")
            .push(COLUMNS)
            .push(" FROM btx_idempotency WHERE key = ")
            .bind(key)
            .push(" AND api_key_id IN (SELECT id FROM btx_api_key WHERE project_id = ")
            .bind(project)
            .push(")"),
    };
    paging::page(conn, query, ORDER, request, |row| read(row, now)).await
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_idempotency WHERE project_id = ").bind(project)
}

fn of(query: Sql, by: ApiKeyId, key: &str) -> Sql {
    query.push(" AND api_key_id = ").bind(by).push(" AND key = ").bind(key)
}

/// Only while the capture still holds.
fn held(query: Sql, capture: &Capture) -> Sql {
    let query = query.push(" WHERE capture_token = ").bind(capture.request_id.to_string());
    of(query, capture.api_key_id, &capture.key)
}

/// What ties a sealed answer to its key.
pub(crate) fn context(by: ApiKeyId, key: &str) -> String {
    format!("idempotency:{by}:{key}")
}

fn fingerprint(row: &Row) -> Result<Fingerprint, StoreError> {
    Fingerprint::from_slice(&row.bytes("fingerprint")?)
        .ok_or_else(|| StoreError::Inconsistent("fingerprint: wrong length".to_owned()))
}

fn read(row: &Row, now: Timestamp) -> Result<IdempotencyKey, StoreError> {
    let expires_at = row.time("expires_at")?;
    let status = if expires_at <= now { IdempotencyStatus::Expired } else { row.parse("status")? };
    Ok(IdempotencyKey {
        key: row.text("key")?,
        status,
        method: row.text("method")?,
        path: row.text("path")?,
        fingerprint: fingerprint(row)?.to_string(),
        api_key_id: row.parse("api_key_id")?,
        first_request_id: row.parse("first_request_id")?,
        response_status_code: row.opt_small("response_status_code")?,
        replays: row.small("replays")?,
        conflicts: row.small("conflicts")?,
        created_at: row.time("created_at")?,
        expires_at,
    })
}
