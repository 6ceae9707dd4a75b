//! Answers to a key that somebody has used before.

use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue, StatusCode};
use domain::fingerprint::Fingerprint;
use domain::id::RequestId;
use domain::status::IdempotencyOutcome;
use domain::{ErrorCode, Timestamp};
use store::idempotency::{self as keys, Capture, Conflicting, Reuse, Seen, SeenState, StoredAnswer};
use store::requests::NewRequest;

use super::running::Occupant;
use crate::door::REQUEST_ID;
use crate::envelope::Reply;
use crate::error::ApiError;
use crate::operation::Call;

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const REPLAY_REQUEST_ID: HeaderName = HeaderName::from_static("x-replay-request-id");

/// The answer that the key's row calls for; `None` when the request is to be executed.
pub(super) async fn answer(call: &Arc<Call>, capture: &Capture) -> Result<Option<Reply>, ApiError> {
    let now = call.state.store.now();
    let mut conn = call.state.store.reader().await?;
    let keyring = call.state.store.keys();
    let seen = keys::find(&mut conn, keyring, capture.api_key_id, &capture.key, now).await?;
    drop(conn);
    match seen {
        Some(seen) => {
            call.state.recent.remember(capture, seen.clone());
            tell(call, capture, seen).await
        }
        None => Ok(None),
    }
}

/// The answer that what is known of the key calls for; `None` when the request is to be executed.
pub(super) async fn tell(call: &Arc<Call>, capture: &Capture, seen: Seen) -> Result<Option<Reply>, ApiError> {
    if seen.fingerprint != capture.fingerprint {
        let reply = conflict(call, seen.first_request_id, seen.first_seen);
        note(call, capture, &reply, Used::Otherwise(seen.first_request_id)).await;
        return Ok(Some(reply));
    }
    match seen.state {
        SeenState::Done(stored) => replay(call, capture, seen.first_request_id, stored).await.map(Some),
        // Its process died: this request takes the capture over.
        SeenState::Running { leased_until } if leased_until <= call.state.store.now() => Ok(None),
        SeenState::Running { .. } => Ok(Some(in_progress(call))),
    }
}

/// The answer that the cache has for the key, so that a replay need not read the table.
pub(super) async fn cached(call: &Arc<Call>, capture: &Capture) -> Result<Option<Reply>, ApiError> {
    let Some(redis) = &call.state.shared else { return Ok(None) };
    let Some(cached) = redis.cached(&call.state.store, capture).await else { return Ok(None) };
    if cached.is_same {
        return replay(call, capture, cached.first_request_id, cached.answer).await.map(Some);
    }
    let reply = conflict(call, cached.first_request_id, cached.first_seen);
    note(call, capture, &reply, Used::Otherwise(cached.first_request_id)).await;
    Ok(Some(reply))
}

/// The answer while another process holds the shared lock.
pub(super) async fn locked(call: &Call, capture: &Capture) -> Option<Reply> {
    let taken = call.state.shared.as_ref()?.lock(capture, call.state.store.now()).await?;
    Some(if taken.is_same { in_progress(call) } else { conflict(call, taken.first_request_id, taken.first_seen) })
}

/// The answer while this process works on the key.
pub(super) fn occupied(call: &Call, capture: &Capture, occupant: &Occupant) -> Reply {
    if is_same(occupant.fingerprint, capture) {
        in_progress(call)
    } else {
        call.state.running.count_conflict(capture);
        conflict(call, occupant.request_id, occupant.first_seen)
    }
}

fn is_same(fingerprint: Fingerprint, capture: &Capture) -> bool {
    fingerprint == capture.fingerprint
}

fn in_progress(call: &Call) -> Reply {
    call.exchange.learn(|learned| learned.outcome = Some(IdempotencyOutcome::InProgress));
    call.exchange.reply(Err(ApiError::InProgress))
}

fn conflict(call: &Call, first_request_id: RequestId, first_seen_at: Timestamp) -> Reply {
    call.exchange.learn(|learned| learned.outcome = Some(IdempotencyOutcome::Conflict));
    call.exchange.reply(Err(ApiError::KeyReuse { first_request_id, first_seen_at }))
}

/// The stored answer, byte for byte, under the first attempt's id.
async fn replay(
    call: &Arc<Call>,
    capture: &Capture,
    first: RequestId,
    stored: StoredAnswer,
) -> Result<Reply, ApiError> {
    let status = StatusCode::from_u16(stored.status_code).map_err(ApiError::internal)?;
    let mut reply = Reply { status, headers: Vec::new(), body: stored.body.into(), error: None };
    let own = [
        ("x-request-id".to_owned(), first.to_string()),
        (REPLAY_REQUEST_ID.to_string(), call.request_id().to_string()),
        (REPLAYED.to_string(), "1".to_owned()),
    ];
    for (name, value) in stored.headers.into_iter().chain(own) {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(ApiError::internal)?;
        reply.headers.push((name, HeaderValue::from_str(&value).map_err(ApiError::internal)?));
    }
    debug_assert!(reply.headers.iter().any(|(name, _)| name == REQUEST_ID));
    if !status.is_success() {
        reply.error = error_code(&reply.body);
    }
    call.exchange.learn(|learned| learned.outcome = Some(IdempotencyOutcome::Replayed));
    note(call, capture, &reply, Used::Again(first)).await;
    Ok(reply)
}

/// How a key was used that some first request had used before.
enum Used {
    /// For the same: a replay.
    Again(RequestId),
    /// For something else: a conflict.
    Otherwise(RequestId),
}

/// Counts a replay or a conflict, and logs its request, so that both can be found once it is answered. What is
/// answered again is durable already, so repetitions share their transactions.
async fn note(call: &Call, capture: &Capture, reply: &Reply, used: Used) {
    let Some(row) = call.exchange.log_row(reply.status, reply.error) else { return };
    let (replayed, conflict) = match used {
        Used::Again(first) => (Some(first), None),
        Used::Otherwise(first_request_id) => {
            (None, Some(Box::new(Conflicting { first_request_id, request: capture.clone() })))
        }
    };
    let row = NewRequest { replayed_request_id: replayed, ..row };
    let reuse = Reuse { api_key_id: capture.api_key_id, key: capture.key.clone(), conflict };
    call.exchange.learn(|learned| learned.logged = true);
    call.state.log.reused(row, reuse).await;
}

/// The code in a stored error, for the log.
fn error_code(body: &[u8]) -> Option<ErrorCode> {
    #[derive(serde::Deserialize)]
    struct Coded {
        code: ErrorCode,
    }
    serde_json::from_slice::<Coded>(body).ok().map(|coded| coded.code)
}
