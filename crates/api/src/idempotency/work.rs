//! The one transaction: change, events, deliveries, log row and stored answer.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use domain::status::IdempotencyOutcome;
use futures::FutureExt as _;
use store::idempotency::{self as keys, Capture, StoredAnswer};
use store::{Conn, Dialect, Tx, fail_point, requests};

use crate::envelope::{Answer, Reply};
use crate::error::ApiError;
use crate::operation::{Call, Mutation};

/// How the work ended.
pub(super) enum Outcome {
    /// Committed, and this is the answer, be it a refusal.
    Done(Reply),
    /// Somebody else's answer is in the row already; nothing was done.
    Lost,
}

/// Runs a mutation. An error is ours (a 5xx), and nothing of it remains.
///
/// `conn` is the connection that captured, if there is one.
pub(super) async fn run<M: Mutation>(
    call: &Arc<Call>,
    capture: Option<&Capture>,
    conn: Option<Conn>,
) -> Result<Outcome, ApiError> {
    let parsed = M::parse(call);
    let (call, capture) = (Arc::clone(call), capture.cloned());
    if capture.is_some() {
        call.exchange.learn(|learned| learned.outcome = Some(IdempotencyOutcome::Executed));
    }
    let store = call.state.store.clone();
    let exchange = call.exchange.clone();
    let done = store
        .write_on::<_, Reply, ApiError>(conn, move |tx| {
            Box::pin(async move {
                let outcome = carry_out(tx, &call, parsed).await?;
                let reply = call.exchange.reply(outcome);
                let row = call.exchange.log_row(reply.status, reply.error);
                let is_captured = tx.dialect() == Dialect::Postgres;
                match &capture {
                    Some(capture) if is_captured => {
                        keys::complete(tx, capture, &stored(&reply), row.as_ref()).await?;
                    }
                    Some(capture) => keys::capture_and_complete(tx, capture, &stored(&reply), row.as_ref()).await?,
                    None => requests::insert_all(tx, row.as_slice()).await?,
                }
                fail_point::pass("before-commit");
                Ok(reply)
            })
        })
        .await;
    fail_point::pass("before-answer");
    match done {
        Ok(reply) => {
            exchange.learn(|learned| learned.logged = true);
            Ok(Outcome::Done(reply))
        }
        // The key was somebody else's by the time of the answer: all of the work is undone. (An operation's own
        // refusal is an answer, not an error.)
        Err(ApiError::InProgress) => Ok(Outcome::Lost),
        Err(error) => Err(error),
    }
}

/// The operation's own answer: a refusal undoes its change and no more. The outer error is ours.
async fn carry_out<M: Mutation>(
    tx: &mut Tx,
    call: &Call,
    parsed: Result<M, ApiError>,
) -> Result<Result<Answer, ApiError>, ApiError> {
    let mutation = match parsed {
        Ok(mutation) => mutation,
        Err(refusal) if refusal.status().is_server_error() => return Err(refusal),
        Err(refusal) => return Ok(Err(refusal)),
    };
    tx.savepoint().await?;
    let ran = AssertUnwindSafe(mutation.run(tx, call)).catch_unwind().await;
    match ran.unwrap_or_else(|panic| Err(ApiError::panicked(&*panic))) {
        Ok(answer) => {
            tx.release_savepoint().await?;
            Ok(Ok(answer))
        }
        Err(failure) if failure.status().is_server_error() => Err(failure),
        Err(refusal) => {
            tx.rollback_to_savepoint().await?;
            Ok(Err(refusal))
        }
    }
}

pub(super) fn stored(reply: &Reply) -> StoredAnswer {
    let header = |(name, value): &(axum::http::HeaderName, axum::http::HeaderValue)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    StoredAnswer {
        status_code: reply.status.as_u16(),
        headers: reply.headers.iter().map(header).collect(),
        body: reply.body.to_vec(),
    }
}
