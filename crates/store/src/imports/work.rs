//! The work on an import, under a lease.

use domain::event_type::EventType;
use domain::id::ImportId;
use domain::model::{CatalogImport, ImportError, MAX_ERRORS, RawJson};
use domain::status::ImportStatus;

use super::{COLUMNS, ImportRow, errors_json, read};
use crate::error::StoreError;
use crate::events::{self, NewEvent};
use crate::items;
use crate::leased::{self, Queue};
use crate::row::Row;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

const QUEUE: Queue = Queue { table: "btx_catalog_import", order: "created_at, id" };

type Claimed = leased::Claimed<ImportId>;

/// Works on the import that has waited longest, to its end. `false` when none waits.
///
/// # Errors
/// The database's; the import is taken up again after its lease, or at once by the next call.
pub async fn run_next(store: &Store) -> Result<bool, StoreError> {
    let Some(claimed) = QUEUE.claim(store).await? else { return Ok(false) };
    loop {
        let claim = claimed.clone();
        match store.write::<_, _, StoreError>(move |tx| Box::pin(step(tx, claim))).await {
            Ok(true) => {}
            // At its end, or in another worker's hands.
            Ok(false) | Err(StoreError::Fenced) => return Ok(true),
            Err(error) => {
                let claim = claimed.clone();
                store
                    .write::<_, _, StoreError>(move |tx| Box::pin(async move { QUEUE.release(tx, &claim).await }))
                    .await?;
                return Err(error);
            }
        }
    }
}

/// Stores the next chunk. `false` when that was the last.
async fn step(tx: &mut Tx, claim: Claimed) -> Result<bool, StoreError> {
    let row = QUEUE.held(tx, &claim, &format!("request_id, chunks, next_chunk, {COLUMNS}")).await?;
    let mut import = read(&row)?;
    let (chunks, at) = (row.int("chunks")?, row.int("next_chunk")?);
    if claim.tries > leased::MOST_TRIES {
        tracing::error!(import = %claim.id, "a catalog import is given up");
        import.status = ImportStatus::Failed;
        finish(tx, &claim, &row, &mut import).await?;
        return Ok(false);
    }
    let mut good = Vec::new();
    for ImportRow { line, outcome } in take_chunk(tx, &claim, at).await? {
        match outcome {
            Ok(item) => good.push(item),
            Err(reason) => {
                import.failed += 1;
                if import.errors.len() < MAX_ERRORS {
                    import.errors.push(ImportError { line, reason });
                }
            }
        }
    }
    import.done += u32::try_from(good.len()).unwrap_or(u32::MAX);
    items::upsert_all(tx, claim.project, claim.id, good).await?;
    import.updated_at = tx.now();
    let is_last = at + 1 >= chunks;
    advance(tx, &claim, &import, at + 1).await?;
    if is_last {
        import.status = if import.done > 0 { ImportStatus::Completed } else { ImportStatus::Failed };
        finish(tx, &claim, &row, &mut import).await?;
    }
    Ok(!is_last)
}

/// A chunk's rows, which are gone from it when this commits.
async fn take_chunk(tx: &mut Tx, claim: &Claimed, at: i64) -> Result<Vec<ImportRow>, StoreError> {
    let query = Sql::new("DELETE FROM btx_catalog_chunk WHERE import_id = ").bind(claim.id);
    query.push(" AND number = ").bind(at).push(" RETURNING content").fetch_one(tx).await?.json("content")
}

/// Moves on to the chunk `next`, with a fresh lease.
async fn advance(tx: &mut Tx, claim: &Claimed, import: &CatalogImport, next: i64) -> Result<(), StoreError> {
    Sql::new("UPDATE btx_catalog_import SET tries = 0, next_chunk = ")
        .bind(next)
        .push(", done = ")
        .bind(import.done)
        .push(", failed = ")
        .bind(import.failed)
        .push(", errors = ")
        .bind(errors_json(&import.errors)?)
        .push(", updated_at = ")
        .bind(import.updated_at)
        .push(", leased_until = ")
        .bind(import.updated_at.plus(leased::LEASE))
        .push(" WHERE id = ")
        .bind(claim.id)
        .execute(tx)
        .await
        .map(drop)
}

/// Ends the import, and announces it in the same transaction.
async fn finish(tx: &mut Tx, claim: &Claimed, row: &Row, import: &mut CatalogImport) -> Result<(), StoreError> {
    import.updated_at = tx.now();
    import.finished_at = Some(import.updated_at);
    Sql::new("UPDATE btx_catalog_import SET claim_token = NULL, leased_until = NULL, status = ")
        .bind(import.status)
        .push(", updated_at = ")
        .bind(import.updated_at)
        .push(", finished_at = ")
        .bind(import.finished_at)
        .push(" WHERE id = ")
        .bind(claim.id)
        .execute(tx)
        .await?;
    Sql::new("DELETE FROM btx_catalog_chunk WHERE import_id = ").bind(claim.id).execute(tx).await?;
    let event_type = match import.status {
        ImportStatus::Completed => "catalog.import.completed",
        ImportStatus::Pending | ImportStatus::Running | ImportStatus::Failed => "catalog.import.failed",
    };
    let inconsistent = |error: String| StoreError::Inconsistent(format!("event: {error}"));
    let event_type: EventType = event_type.parse().map_err(|_| inconsistent(event_type.to_owned()))?;
    let data = RawJson::of(import).map_err(|error| inconsistent(error.to_string()))?;
    let event = NewEvent { event_type, data, request_id: row.opt_parse("request_id")? };
    events::publish(tx, claim.project, event).await.map(drop)
}
