//! The one way in which anything is changed (contract section 5).
//!
//! ```text
//!            seen before? ── yes ─→ replay · conflict · in progress
//!                │ no                (on PostgreSQL one statement asks and captures)
//!            capture: visible to others before the work starts
//!                │
//!   ┌── one transaction ──────────────────────────────────────────┐
//!   │  change + event + deliveries + log row + stored answer       │
//!   └──────────────────────────────────────────────────────────────┘
//!                │ 5xx: all of it undone, the key released
//! ```
//!
//! A capture is an entry in this process's memory ([`Running`]) and a row. On PostgreSQL the row is
//! committed first, for the other replicas, and its token fences the work, so that whoever lost a capture
//! changes nothing; on SQLite, which has one process, the row is written with its answer as the last thing
//! of the work's transaction, and only if there is none: after a crash there is either all or nothing. A Redis, where there is one, stands in front
//! ([`crate::shared`]): it saves the table a look, and decides nothing.

mod known;
mod recent;
mod running;
mod work;

use std::sync::Arc;

use domain::idempotency_key::IdempotencyKey;
use store::idempotency::{self as keys, Capture, Glance, Seen};
use store::{Dialect, StoreError, fail_point};

use crate::envelope::Reply;
use crate::error::ApiError;
use crate::operation::{Call, Mutation};

pub(crate) use recent::Recent;
pub(crate) use running::Running;
use work::Outcome;

/// How often a race for a key is run again before the caller hears that it is in progress.
const ROUNDS: u32 = 4;

/// Runs a mutation under its key, if it has one, and answers.
pub(crate) async fn execute<M: Mutation>(call: Arc<Call>, key: Option<IdempotencyKey>) -> Reply {
    #[cfg(feature = "bench")]
    let key = key.filter(|_| !call.state.is_without_idempotency);
    let outcome = match key {
        Some(key) => under_key::<M>(&call, &key).await,
        None => match work::run::<M>(&call, None, None).await {
            Ok(Outcome::Done(reply)) => Ok(reply),
            Ok(Outcome::Lost) => Err(ApiError::internal("lost a capture that was never made")),
            Err(error) => Err(error),
        },
    };
    outcome.unwrap_or_else(|error| call.exchange.reply(Err(error)))
}

async fn under_key<M: Mutation>(call: &Arc<Call>, key: &IdempotencyKey) -> Result<Reply, ApiError> {
    let capture = capture_of(call, key);
    call.exchange.learn(|learned| learned.idempotency_key = Some(capture.key.clone()));
    for _ in 0..ROUNDS {
        if let Some(seen) = call.state.recent.find(&capture, call.state.store.now())
            && let Some(reply) = known::tell(call, &capture, seen).await?
        {
            return Ok(reply);
        }
        if let Some(reply) = known::cached(call, &capture).await? {
            return Ok(reply);
        }
        // On PostgreSQL the capture itself looks, unless a Redis lock would hide the answer meanwhile.
        let is_shared = call.state.store.dialect() == Dialect::Postgres;
        let looks_first = !is_shared || call.state.shared.is_some();
        if looks_first && let Some(reply) = known::answer(call, &capture).await? {
            return Ok(reply);
        }
        let place = match call.state.running.enter(&capture) {
            Ok(place) => place,
            // Either the first request is at work here, or another repetition is just being answered.
            Err(occupant) => {
                let known = if looks_first { None } else { known::answer(call, &capture).await? };
                return Ok(known.unwrap_or_else(|| known::occupied(call, &capture, &occupant)));
            }
        };
        if let Some(reply) = known::locked(call, &capture).await {
            return Ok(reply);
        }
        let glance = if is_shared {
            keys::capture_or_find(&call.state.store, &capture).await.map(|(glance, conn)| (glance, Some(conn)))
        } else {
            Ok((Glance::Captured, None))
        };
        let outcome = match glance {
            Ok((Glance::Captured, conn)) => {
                fail_point::pass("after-capture");
                work::run::<M>(call, Some(&capture), conn).await
            }
            Ok((Glance::Known(seen), conn)) => {
                drop(conn);
                settle(call, &capture, &Ok(Outcome::Lost)).await;
                place.leave(call);
                call.state.recent.remember(&capture, (*seen).clone());
                match known::tell(call, &capture, *seen).await? {
                    Some(reply) => return Ok(reply),
                    None => continue,
                }
            }
            Ok((Glance::Raced, _)) => Ok(Outcome::Lost),
            Err(error) => Err(error.into()),
        };
        if outcome.is_err() {
            release(call, &capture).await;
        }
        settle(call, &capture, &outcome).await;
        place.leave(call);
        match outcome? {
            Outcome::Done(reply) => {
                call.state.recent.remember(&capture, Seen::answered(&capture, work::stored(&reply)));
                return Ok(reply);
            }
            // Finished by somebody else in between: the next round finds the answer.
            Outcome::Lost => {}
        }
    }
    Err(ApiError::InProgress)
}

fn capture_of(call: &Call, key: &IdempotencyKey) -> Capture {
    let (exchange, config) = (&call.exchange, call.config());
    let method = exchange.method.as_str();
    Capture {
        api_key_id: call.caller.key_id,
        key: key.as_str().to_owned(),
        project: call.project(),
        method: method.to_owned(),
        path: exchange.path.clone(),
        fingerprint: call.fingerprint(),
        request_id: exchange.id,
        first_seen: exchange.arrived,
        // From now, not from the arrival: a body may take its time.
        leased_until: call.state.store.now().plus(config.idempotency_lease),
        expires_at: exchange.arrived.plus(config.idempotency_ttl),
        body: call.kept_body().map(Arc::from),
    }
}

/// Tells the other replicas what came of the work: the answer, or that the lock is free again.
async fn settle(call: &Call, capture: &Capture, outcome: &Result<Outcome, ApiError>) {
    let Some(redis) = &call.state.shared else { return };
    match outcome {
        Ok(Outcome::Done(reply)) => redis.keep(&call.state.store, capture, &work::stored(reply)).await,
        Ok(Outcome::Lost) | Err(_) => redis.unlock(capture).await,
    }
}

/// After a failure of ours: nothing was done, so the retry must execute.
async fn release(call: &Call, capture: &Capture) {
    if call.state.store.dialect() == Dialect::Sqlite {
        return;
    }
    let capture = capture.clone();
    let released = call.state.store.write(move |tx| Box::pin(async move { keys::release(tx, &capture).await }));
    if let Err(error) = released.await {
        let error: StoreError = error;
        tracing::warn!(%error, "an idempotency key could not be released; its lease will run out");
    }
}
