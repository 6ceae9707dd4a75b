//! Capturing a key, or finding who has it.

use domain::Timestamp;
use domain::status::IdempotencyStatus;

use super::{COLUMNS, Capture, Seen, of, seen};
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
    let query = values(insert_into(Sql::new("")), capture).push(" WHERE 1 = 1");
    let query = unless_held(query, now).push(" RETURNING key");
    Ok(query.fetch_optional(tx).await?.is_some())
}

/// As [`capture`], committed at once and in one statement with the look at who has the key otherwise.
/// PostgreSQL only.
pub async fn capture_or_find(store: &Store, capture: &Capture) -> Result<Glance, StoreError> {
    let now = store.now();
    let known = Sql::new("WITH known AS MATERIALIZED (SELECT response_headers, response_body, ").push(COLUMNS);
    let known = known.push(" FROM btx_idempotency WHERE expires_at > ").bind(now);
    let query = of(known, capture.api_key_id, &capture.key).push("), captured AS (");
    // Losing a capture in a crash is as good as the lease running out; the work itself is durable.
    let query = values(insert_into(query), capture)
        .push(" FROM set_config('synchronous_commit', 'off', true) WHERE NOT EXISTS (SELECT 1 FROM known WHERE status <> ")
        .bind(IdempotencyStatus::InProgress)
        .push(" OR leased_until > ")
        .bind(now)
        .push(" OR fingerprint <> ")
        .bind(capture.fingerprint.0.as_slice())
        .push(")");
    let query = unless_held(query, now)
        .push(" RETURNING 1) SELECT (SELECT COUNT(*) FROM captured) AS captured, known.* FROM (SELECT 1) AS one LEFT JOIN known ON TRUE");
    let row = query.fetch_one(&mut store.reader().await?).await?;
    if row.int("captured")? > 0 {
        return Ok(Glance::Captured);
    }
    if row.opt_text("key")?.is_none() {
        return Ok(Glance::Raced);
    }
    seen(&row, store.keys(), capture.api_key_id, &capture.key).map(|seen| Glance::Known(Box::new(seen)))
}

fn insert_into(query: Sql) -> Sql {
    query.push(
        "INSERT INTO btx_idempotency (api_key_id, key, project_id, status, method, path, fingerprint, \
         first_request_id, capture_token, leased_until, created_at, expires_at) SELECT ",
    )
}

fn values(query: Sql, capture: &Capture) -> Sql {
    query
        .bind(capture.api_key_id)
        .push(", ")
        .bind(&capture.key)
        .push(", ")
        .bind(capture.project)
        .push(", ")
        .bind(IdempotencyStatus::InProgress)
        .push(", ")
        .bind(&capture.method)
        .push(", ")
        .bind(&capture.path)
        .push(", ")
        .bind(capture.fingerprint.0.as_slice())
        .push(", ")
        .bind(capture.request_id)
        .push(", ")
        .bind(capture.request_id.to_string())
        .push(", ")
        .bind(capture.leased_until)
        .push(", ")
        .bind(capture.first_seen)
        .push(", ")
        .bind(capture.expires_at)
}

/// Takes the row over when it has expired, or when its holder's lease ran out on the same request.
fn unless_held(query: Sql, now: Timestamp) -> Sql {
    query
        .push(
            " ON CONFLICT (api_key_id, key) DO UPDATE SET status = excluded.status, method = excluded.method, \
             path = excluded.path, fingerprint = excluded.fingerprint, first_request_id = excluded.first_request_id, \
             capture_token = excluded.capture_token, leased_until = excluded.leased_until, \
             response_status_code = NULL, response_headers = NULL, response_body = NULL, replays = 0, conflicts = 0, \
             created_at = excluded.created_at, expires_at = excluded.expires_at WHERE btx_idempotency.expires_at <= ",
        )
        .bind(now)
        .push(" OR (btx_idempotency.status = ")
        .bind(IdempotencyStatus::InProgress)
        .push(" AND btx_idempotency.leased_until <= ")
        .bind(now)
        .push(" AND btx_idempotency.fingerprint = excluded.fingerprint)")
}
