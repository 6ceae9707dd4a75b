//! Capturing a key, or finding who has it.

use domain::Timestamp;
use domain::status::IdempotencyStatus;

use super::{COLUMNS, Capture, Seen, SeenState, of, seen};
use crate::conn::Conn;
use crate::error::StoreError;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

/// What came of an attempt to capture a key.
#[derive(Clone, Debug)]
pub enum Glance {
    /// It is captured, and others see it.
    Captured,
    /// Somebody has used it before.
    Known(Box<Seen>),
    /// Somebody captured it in this very moment: a second look will tell more.
    Raced,
}

/// Captures a key that is new, has expired, or whose holder's lease ran out on the same request.
/// `false` when somebody else has it.
pub async fn capture(tx: &mut Tx, capture: &Capture) -> Result<bool, StoreError> {
    let now = tx.now();
    // The condition keeps SQLite from reading `ON CONFLICT` as part of a join.
    let query = values(insert_into(Sql::new(""), ""), capture, IdempotencyStatus::InProgress).push(" WHERE 1 = 1");
    let query = unless_held(query, now).push(" RETURNING key");
    Ok(query.fetch_optional(tx).await?.is_some())
}

/// As [`capture`], committed at once and in one statement with the look at who has the key otherwise.
/// PostgreSQL only. The connection is for the work that follows ([`Store::write_on`]).
pub async fn capture_or_find(store: &Store, capture: &Capture) -> Result<(Glance, Conn), StoreError> {
    let now = store.now();
    let known = Sql::new("WITH known AS MATERIALIZED (SELECT response_headers, response_body, ").push(COLUMNS);
    let known = known.push(" FROM btx_idempotency WHERE expires_at > ").bind(now);
    let query = of(known, capture.api_key_id, &capture.key).push("), captured AS (");
    // Losing a capture in a crash is as good as the lease running out; the work itself is durable.
    let query = values(insert_into(query, ""), capture, IdempotencyStatus::InProgress)
        .push(" FROM set_config('synchronous_commit', 'off', true) WHERE NOT EXISTS (SELECT 1 FROM known WHERE status <> ")
        .bind(IdempotencyStatus::InProgress)
        .push(" OR leased_until > ")
        .bind(now)
        .push(" OR fingerprint <> ")
        .bind(capture.fingerprint.0.as_slice())
        .push(")");
    let query = unless_held(query, now)
        .push(" RETURNING 1) SELECT (SELECT COUNT(*) FROM captured) AS captured, known.* FROM (SELECT 1) AS one LEFT JOIN known ON TRUE");
    let (rows, conn) = store.fetch_repeatable(&query).await?;
    let row = rows.first().ok_or_else(|| StoreError::Inconsistent("no look at the key".to_owned()))?;
    let glance = if row.int("captured")? > 0 {
        Glance::Captured
    } else if row.opt_text("key")?.is_none() {
        Glance::Raced
    } else {
        let seen = seen(row, store.keys(), capture.api_key_id, &capture.key)?;
        // The statement was repeated, and had captured before its connection broke.
        let is_own = matches!(seen.state, SeenState::Running { .. }) && seen.first_request_id == capture.request_id;
        if is_own { Glance::Captured } else { Glance::Known(Box::new(seen)) }
    };
    Ok((glance, conn))
}

/// `more` are columns whose values come after [`values`].
pub(super) fn insert_into(query: Sql, more: &str) -> Sql {
    query
        .push(
            "INSERT INTO btx_idempotency (api_key_id, key, project_id, status, method, path, fingerprint, \
             first_request_id, capture_token, leased_until, created_at, expires_at",
        )
        .push(more)
        .push(") SELECT ")
}

/// A key that has its answer is in nobody's hands any more.
pub(super) fn values(query: Sql, capture: &Capture, status: IdempotencyStatus) -> Sql {
    let is_held = status == IdempotencyStatus::InProgress;
    query
        .bind(capture.api_key_id)
        .push(", ")
        .bind(&capture.key)
        .push(", ")
        .bind(capture.project)
        .push(", ")
        .bind(status)
        .push(", ")
        .bind(&capture.method)
        .push(", ")
        .bind(&capture.path)
        .push(", ")
        .bind(capture.fingerprint.0.as_slice())
        .push(", ")
        .bind(capture.request_id)
        .push(", ")
        .bind(is_held.then(|| capture.request_id.to_string()))
        .push(", ")
        .bind(is_held.then_some(capture.leased_until))
        .push(", ")
        .bind(capture.first_seen)
        .push(", ")
        .bind(capture.expires_at)
}

/// Takes the row over when it has expired, or when its holder's lease ran out on the same request.
pub(super) fn unless_held(query: Sql, now: Timestamp) -> Sql {
    query
        .push(
            " ON CONFLICT (api_key_id, key) DO UPDATE SET status = excluded.status, method = excluded.method, \
             path = excluded.path, fingerprint = excluded.fingerprint, first_request_id = excluded.first_request_id, \
             capture_token = excluded.capture_token, leased_until = excluded.leased_until, \
             response_status_code = excluded.response_status_code, response_headers = excluded.response_headers, \
             response_body = excluded.response_body, request_body = excluded.request_body, \
             replays = 0, conflicts = 0, is_erased = 0, created_at = excluded.created_at, expires_at = excluded.expires_at WHERE btx_idempotency.expires_at <= ",
        )
        .bind(now)
        .push(" OR (btx_idempotency.status = ")
        .bind(IdempotencyStatus::InProgress)
        .push(" AND btx_idempotency.leased_until <= ")
        .bind(now)
        .push(" AND btx_idempotency.fingerprint = excluded.fingerprint)")
}
