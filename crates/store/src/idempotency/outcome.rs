//! What becomes of a key: its answer, and how often it was used again.
//!
//! The row of the request log goes along with the answer in the same statement, which saves each request a
//! round trip to PostgreSQL and a change of threads on SQLite.

use std::collections::BTreeMap;

use domain::id::ApiKeyId;
use domain::status::IdempotencyStatus;

use super::capture::{insert_into, unless_held, values};
use super::conflict::{self, Conflicting, sealed_body};
use super::{Capture, StoredAnswer, context, held};
use crate::conn::Dialect;
use crate::error::StoreError;
use crate::requests::{self, NewRequest};
use crate::sql::{Bind as _, Sql};
use crate::table::pieces;
use crate::tx::Tx;

/// Stores the answer, in the transaction of the work itself, and logs the request with it. What was
/// captured before is completed.
///
/// # Errors
/// [`StoreError::Fenced`] when the capture was taken over: the work must be rolled back.
pub async fn complete(
    tx: &mut Tx,
    capture: &Capture,
    answer: &StoredAnswer,
    request: Option<&NewRequest>,
) -> Result<(), StoreError> {
    let Some(request) = request.filter(|_| tx.dialect() == Dialect::Postgres) else {
        let completed = completion(tx, Sql::new(""), capture, answer)?.execute(tx).await?;
        if completed != 1 {
            return Err(StoreError::Fenced);
        }
        return requests::insert_all(tx, request.map(std::slice::from_ref).unwrap_or_default()).await;
    };
    let query = completion(tx, Sql::new("WITH done AS ("), capture, answer)?.push(" RETURNING 1) ");
    match requests::insert_from(query, request, " FROM done").execute(tx).await? {
        1 => Ok(()),
        _ => Err(StoreError::Fenced),
    }
}

/// Stores the answer to a key that has no row yet, in the transaction of the work itself, and logs the
/// request with it. For SQLite, whose only process keeps the captures in its memory.
///
/// # Errors
/// [`StoreError::Fenced`] when somebody was first: the work must be rolled back.
pub async fn capture_and_complete(
    tx: &mut Tx,
    capture: &Capture,
    answer: &StoredAnswer,
    request: Option<&NewRequest>,
) -> Result<(), StoreError> {
    let now = tx.now();
    let (headers, body) = sealed(tx, capture, answer)?;
    let query = insert_into(Sql::new(""), ", response_status_code, response_headers, response_body, request_body");
    let query = values(query, capture, IdempotencyStatus::Done)
        .push(", ")
        .bind(answer.status_code)
        .push(", ")
        .bind(headers)
        .push(", ")
        .bind(body)
        .push(", ")
        .bind(sealed_body(tx, capture))
        // The condition keeps SQLite from reading `ON CONFLICT` as part of a join.
        .push(" WHERE 1 = 1");
    let query = unless_held(query, now);
    let (query, expected) = match request {
        Some(request) => (requests::insert_from(query.push("; "), request, ""), 2),
        None => (query, 1),
    };
    if query.execute(tx).await? == expected { Ok(()) } else { Err(StoreError::Fenced) }
}

fn sealed(tx: &Tx, capture: &Capture, answer: &StoredAnswer) -> Result<(Vec<u8>, Vec<u8>), StoreError> {
    let context = context(capture.api_key_id, &capture.key);
    let headers = tx.keys().seal(&answer.headers_json()?, &context, tx.entropy());
    Ok((headers, tx.keys().seal(&answer.body, &context, tx.entropy())))
}

fn completion(tx: &Tx, query: Sql, capture: &Capture, answer: &StoredAnswer) -> Result<Sql, StoreError> {
    let (headers, body) = sealed(tx, capture, answer)?;
    let query = query
        .push("UPDATE btx_idempotency SET status = ")
        .bind(IdempotencyStatus::Done)
        .push(", capture_token = NULL, leased_until = NULL, is_erased = 0, response_status_code = ")
        .bind(answer.status_code)
        .push(", response_headers = ")
        .bind(headers)
        .push(", response_body = ")
        .bind(body)
        .push(", request_body = ")
        .bind(sealed_body(tx, capture));
    Ok(held(query, capture))
}

/// A request whose key was known: to be counted.
#[derive(Clone, Debug)]
pub struct Reuse {
    /// Whose key it is.
    pub api_key_id: ApiKeyId,
    /// The key, without quotes.
    pub key: String,
    /// When it was no replay: a request other than the key's first.
    pub conflict: Option<Box<Conflicting>>,
}

/// Counts repetitions, of any keys, and keeps the last conflict of each. Each key's row is touched once, in the
/// keys' order.
pub async fn count_reuses(tx: &mut Tx, reuses: impl IntoIterator<Item = Reuse>) -> Result<(), StoreError> {
    let mut counts = BTreeMap::<(String, String), (u32, u32)>::new();
    let mut last = BTreeMap::new();
    for Reuse { api_key_id, key, conflict } in reuses {
        let name = (api_key_id.to_string(), key);
        let (replays, conflicts) = counts.entry(name.clone()).or_default();
        *(if conflict.is_some() { conflicts } else { replays }) += 1;
        if let Some(conflict) = conflict {
            last.insert(name, conflict);
        }
    }
    for conflict in last.values() {
        conflict::keep(tx, conflict).await?;
    }
    let dialect = tx.dialect();
    for piece in pieces(dialect, &counts.into_iter().collect::<Vec<_>>()) {
        let rows = piece
            .iter()
            .map(|((by, key), (replays, conflicts))| [by.value(), key.value(), replays.value(), conflicts.value()]);
        let query = Sql::new("WITH came (api_key_id, key, replays, conflicts) AS (").table(dialect, rows.collect());
        let query = query.push(
            ") UPDATE btx_idempotency AS known SET replays = known.replays + came.replays, \
             conflicts = known.conflicts + came.conflicts FROM came \
             WHERE known.api_key_id = came.api_key_id AND known.key = came.key",
        );
        query.execute(tx).await?;
    }
    Ok(())
}

/// Counts requests that tried to use a key for something else while its first request ran; `last` is one of them.
pub async fn count_conflicts(tx: &mut Tx, n: u32, last: &Conflicting) -> Result<(), StoreError> {
    let query = Sql::new("UPDATE btx_idempotency SET conflicts = conflicts + ").bind(n).push(" WHERE 1 = 1");
    super::of(query, last.request.api_key_id, &last.request.key).execute(tx).await?;
    conflict::keep(tx, last).await
}
