//! What the last request that tried to use a key for something else said, beside what the key's first request said.
//!
//! Bodies are sealed as answers are, and go when the answer goes.

use domain::Timestamp;
use domain::id::{ApiKeyId, RequestId};

use super::{Capture, context, of};
use crate::conn::Conn;
use crate::error::StoreError;
use crate::keys::Keyring;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

/// The longest body that is kept for a comparison, in bytes.
pub const LONGEST_BODY: usize = 16 * 1024;

/// The last request that wanted a key for something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Its id.
    pub request_id: RequestId,
    /// Its method.
    pub method: String,
    /// Its path.
    pub path: String,
    /// When it came.
    pub at: Timestamp,
    /// What it said; `None` when that was longer than [`LONGEST_BODY`].
    pub body: Option<Vec<u8>>,
    /// What the key's first request said, likewise.
    pub first_body: Option<Vec<u8>>,
}

/// A conflict that is to be kept.
#[derive(Clone, Debug)]
pub struct Conflicting {
    /// The request whose key it is.
    pub first_request_id: RequestId,
    /// The other request, as if it had captured the key.
    pub request: Capture,
}

/// The last conflict of a key that is still kept, if there was one.
pub async fn conflict(
    conn: &mut Conn,
    keys: &Keyring,
    by: ApiKeyId,
    key: &str,
    now: Timestamp,
) -> Result<Option<Conflict>, StoreError> {
    let query = Sql::new(
        "SELECT c.request_id, c.method, c.path, c.body, c.created_at, k.request_body FROM btx_idempotency_conflict c \
         JOIN btx_idempotency k ON k.api_key_id = c.api_key_id AND k.key = c.key \
         AND k.first_request_id = c.first_request_id WHERE k.expires_at > ",
    );
    let query = query.bind(now).push(" AND c.api_key_id = ").bind(by).push(" AND c.key = ").bind(key);
    let Some(row) = query.fetch_optional(conn).await? else { return Ok(None) };
    let open = |column: &str| opened(&row, column, keys, &context(by, key));
    Ok(Some(Conflict {
        request_id: row.parse("request_id")?,
        method: row.text("method")?,
        path: row.text("path")?,
        at: row.time("created_at")?,
        body: open("body")?,
        first_body: open("request_body")?,
    }))
}

fn opened(row: &Row, column: &str, keys: &Keyring, context: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(sealed) = row.opt_bytes(column)? else { return Ok(None) };
    keys.open(&sealed, context).map(Some).map_err(|error| StoreError::Inconsistent(format!("{column}: {error}")))
}

/// Keeps a conflict in place of the key's last one.
pub(super) async fn keep(tx: &mut Tx, conflict: &Conflicting) -> Result<(), StoreError> {
    let Conflicting { first_request_id, request } = conflict;
    Sql::new(
        "INSERT INTO btx_idempotency_conflict \
         (api_key_id, key, first_request_id, request_id, method, path, body, created_at, expires_at) VALUES (",
    )
    .bind(request.api_key_id)
    .push(", ")
    .bind(&request.key)
    .push(", ")
    .bind(*first_request_id)
    .push(", ")
    .bind(request.request_id)
    .push(", ")
    .bind(&request.method)
    .push(", ")
    .bind(&request.path)
    .push(", ")
    .bind(sealed_body(tx, request))
    .push(", ")
    .bind(request.first_seen)
    .push(", ")
    .bind(request.expires_at)
    .push(
        ") ON CONFLICT (api_key_id, key) DO UPDATE SET first_request_id = excluded.first_request_id, \
         request_id = excluded.request_id, method = excluded.method, path = excluded.path, body = excluded.body, \
         created_at = excluded.created_at, expires_at = excluded.expires_at",
    )
    .execute(tx)
    .await
    .map(drop)
}

/// A request's body as it is stored.
pub(super) fn sealed_body(tx: &Tx, request: &Capture) -> Option<Vec<u8>> {
    let body = request.body.as_ref()?;
    Some(tx.keys().seal(body, &context(request.api_key_id, &request.key), tx.entropy()))
}

/// Seals what a key's last conflict said with the current key.
pub(crate) async fn reseal(tx: &mut Tx, by: ApiKeyId, key: &str) -> Result<bool, StoreError> {
    let query = of(Sql::new("SELECT body FROM btx_idempotency_conflict WHERE body IS NOT NULL"), by, key);
    let Some(row) = query.fetch_optional(tx).await? else { return Ok(false) };
    let (old, keys) = (row.bytes("body")?, tx.keys().clone());
    if keys.is_current(&old) {
        return Ok(false);
    }
    let context = context(by, key);
    let plain = keys.open(&old, &context).map_err(|error| StoreError::Inconsistent(format!("{context}: {error}")))?;
    let anew = keys.seal(&plain, &context, tx.entropy());
    let query = Sql::new("UPDATE btx_idempotency_conflict SET body = ").bind(anew).push(" WHERE body = ").bind(old);
    Ok(of(query, by, key).execute(tx).await? == 1)
}
