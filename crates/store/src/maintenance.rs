//! Retention: what has served its time goes, in small steps that never hold up a write for long.
//!
//! Contract sections 5, 7 and 8: attempts and requests 14 days, idempotency answers 24 hours and
//! their trace 14 days, captures 14 days, resolved dead letters 90 days, events 90 days at least and never before
//! their deliveries. PostgreSQL drops whole days; SQLite deletes in batches.

use std::time::Duration;

use domain::Timestamp;

use crate::conn::Dialect;
use crate::error::StoreError;
use crate::fail_point;
use crate::inspector;
use crate::partitions;
use crate::sql::Sql;
use crate::store::Store;

/// Rows that one transaction deletes at most.
const BATCH: u32 = 500;
const DAY: Duration = Duration::from_secs(86_400);

/// How long things are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Attempts, and the log of requests.
    pub attempts: Duration,
    /// Events, counted from their creation.
    pub events: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self { attempts: DAY * 14, events: DAY * 90 }
    }
}

/// Kept behind a resolved dead letter.
const RESOLVED: Duration = DAY.saturating_mul(90);
/// Kept behind an expired idempotency key.
const EXPIRED_KEYS: Duration = DAY.saturating_mul(14);

/// Behind an upload that never became an import; no upload takes that long.
const UPLOADS: Duration = Duration::from_secs(3_600);

/// One round: new partitions, then every kind that is due. Safe from several replicas at once.
///
/// # Errors
/// The first failure; the next round goes on from there.
pub async fn run(store: &Store, retention: Retention) -> Result<(), StoreError> {
    partitions::ensure(store).await?;
    let now = store.now();
    let log_ends = now.minus(retention.attempts);
    if store.dialect() == Dialect::Postgres {
        partitions::drop_before(store, log_ends).await?;
    }
    // Also on PostgreSQL: the day that straddles the limit, and whatever the default partition took.
    for table in ["btx_webhook_attempt", "btx_request"] {
        delete(store, &format!("{table} WHERE created_at < "), "id", log_ends).await?;
    }
    erase_answers(store, now).await?;
    delete(store, "btx_idempotency_conflict WHERE expires_at < ", "api_key_id, key", now).await?;
    let traces_end = now.minus(EXPIRED_KEYS);
    delete(store, "btx_idempotency WHERE is_erased = 1 AND expires_at < ", "api_key_id, key", traces_end).await?;
    delete(
        store,
        "btx_catalog_chunk WHERE NOT EXISTS \
         (SELECT 1 FROM btx_catalog_import i WHERE i.id = btx_catalog_chunk.import_id) AND created_at < ",
        "import_id",
        now.minus(UPLOADS),
    )
    .await?;
    delete(store, "btx_session WHERE expires_at < ", "token_hash", now).await?;
    delete(store, "btx_retry_token WHERE created_at < ", "project_id, token", now.minus(DAY)).await?;
    delete(store, "btx_webhook_dead_letter WHERE resolved_at < ", "id", now.minus(RESOLVED)).await?;
    delete(store, "btx_retry_job WHERE finished_at < ", "id", now.minus(RESOLVED)).await?;
    inspector::retain(store, now).await?;
    let events_end = now.minus(retention.events);
    delete(
        store,
        "btx_webhook_delivery WHERE next_attempt_at IS NULL AND leased_until IS NULL AND NOT EXISTS \
         (SELECT 1 FROM btx_webhook_dead_letter l WHERE l.delivery_id = btx_webhook_delivery.id) \
         AND created_at < ",
        "id",
        events_end,
    )
    .await?;
    delete(
        store,
        "btx_event WHERE NOT EXISTS (SELECT 1 FROM btx_webhook_delivery d WHERE d.event_id = btx_event.id) \
         AND created_at < ",
        "id",
        events_end,
    )
    .await
}

/// Deletes what `FROM` names, oldest limit excluded, batch by batch.
async fn delete(store: &Store, from: &str, key: &'static str, limit: Timestamp) -> Result<(), StoreError> {
    let table = from.split(' ').next().unwrap_or(from).to_owned();
    let from = from.to_owned();
    loop {
        let (table, from) = (table.clone(), from.clone());
        let deleted = store
            .write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    Sql::new(&format!("DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {from}"))
                        .bind(limit)
                        .push(" LIMIT ")
                        .bind(BATCH)
                        .push(")")
                        .execute(tx)
                        .await
                })
            })
            .await?;
        if deleted > 0 {
            fail_point::pass("in-retention");
        }
        if deleted < u64::from(BATCH) {
            return Ok(());
        }
    }
}

/// An expired key keeps its trace for the lookup, and loses its answer, batch by batch. One whose request is at
/// work still stays until that has ended.
async fn erase_answers(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    loop {
        let erased = store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                Sql::new(
                    "UPDATE btx_idempotency SET status = 'expired', is_erased = 1, response_headers = NULL, \
                     response_body = NULL, request_body = NULL WHERE (api_key_id, key) IN \
                     (SELECT api_key_id, key FROM btx_idempotency WHERE is_erased = 0 AND expires_at <= ",
                )
                .bind(now)
                .push(" AND (leased_until IS NULL OR leased_until <= ")
                .bind(now)
                .push(") LIMIT ")
                .bind(BATCH)
                .push(") AND is_erased = 0 AND expires_at <= ")
                .bind(now)
                .execute(tx)
                .await
            })
        });
        if erased.await? < u64::from(BATCH) {
            return Ok(());
        }
    }
}
