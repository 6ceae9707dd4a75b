//! What becomes of a key: its answer, and how often it was used again.
//!
//! On PostgreSQL the row of the request log goes along in the same statement, which saves each
//! request a round trip.

use domain::id::ApiKeyId;
use domain::status::IdempotencyStatus;

use super::{Capture, StoredAnswer, context, held, of};
use crate::conn::Dialect;
use crate::error::StoreError;
use crate::requests::{self, NewRequest};
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

/// Stores the answer, in the transaction of the work itself.
///
/// # Errors
/// [`StoreError::Fenced`] when the capture was taken over: the work must be rolled back.
pub async fn complete(tx: &mut Tx, capture: &Capture, answer: &StoredAnswer) -> Result<(), StoreError> {
    let query = completion(tx, Sql::new(""), capture, answer)?;
    match query.execute(tx).await? {
        1 => Ok(()),
        _ => Err(StoreError::Fenced),
    }
}

/// As [`complete`], and logs the request.
///
/// # Errors
/// As [`complete`].
pub async fn complete_and_log(
    tx: &mut Tx,
    capture: &Capture,
    answer: &StoredAnswer,
    request: &NewRequest,
) -> Result<(), StoreError> {
    if tx.dialect() == Dialect::Sqlite {
        complete(tx, capture, answer).await?;
        return requests::insert_all(tx, std::slice::from_ref(request)).await;
    }
    let query = completion(tx, Sql::new("WITH done AS ("), capture, answer)?.push(" RETURNING 1) ");
    match requests::insert_from(query, request, " FROM done").execute(tx).await? {
        1 => Ok(()),
        _ => Err(StoreError::Fenced),
    }
}

fn completion(tx: &Tx, query: Sql, capture: &Capture, answer: &StoredAnswer) -> Result<Sql, StoreError> {
    let context = context(capture.api_key_id, &capture.key);
    let headers = tx.keys().seal(&answer.headers_json()?, &context, tx.entropy());
    let body = tx.keys().seal(&answer.body, &context, tx.entropy());
    let query = query
        .push("UPDATE btx_idempotency SET status = ")
        .bind(IdempotencyStatus::Done)
        .push(", capture_token = NULL, leased_until = NULL, response_status_code = ")
        .bind(answer.status_code)
        .push(", response_headers = ")
        .bind(headers)
        .push(", response_body = ")
        .bind(body);
    Ok(held(query, capture))
}

/// Counts one more replay of the stored answer and logs its request, so that both can be found at once.
pub async fn note_replay(
    store: &Store,
    by: ApiKeyId,
    key: &str,
    request: Option<NewRequest>,
) -> Result<(), StoreError> {
    if let Some(request) = request.as_ref().filter(|_| store.dialect() == Dialect::Postgres) {
        let query = Sql::new("WITH counted AS (UPDATE btx_idempotency SET replays = replays + 1 WHERE 1 = 1");
        let query = of(query, by, key).push(") ");
        // The work that is answered again is durable already; a crash of the database may forget the count.
        let query = requests::insert_from(query, request, " FROM set_config('synchronous_commit', 'off', true)");
        return query.execute(&mut store.reader().await?).await.map(drop);
    }
    let key = key.to_owned();
    store
        .write(move |tx| {
            Box::pin(async move {
                count_replay(tx, by, &key).await?;
                requests::insert_all(tx, request.as_slice()).await
            })
        })
        .await
}

/// Counts one more replay of the stored answer.
pub async fn count_replay(tx: &mut Tx, by: ApiKeyId, key: &str) -> Result<(), StoreError> {
    let query = Sql::new("UPDATE btx_idempotency SET replays = replays + 1 WHERE 1 = 1");
    of(query, by, key).execute(tx).await.map(drop)
}

/// Counts requests that tried to use the key for something else.
pub async fn count_conflicts(tx: &mut Tx, by: ApiKeyId, key: &str, n: u32) -> Result<(), StoreError> {
    let query = Sql::new("UPDATE btx_idempotency SET conflicts = conflicts + ").bind(n).push(" WHERE 1 = 1");
    of(query, by, key).execute(tx).await.map(drop)
}
