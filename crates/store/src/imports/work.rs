//! The work on an import, under a lease.

use std::time::Duration;

use domain::event_type::EventType;
use domain::id::{ImportId, ProjectId, RequestId};
use domain::model::{CatalogImport, ImportError, MAX_ERRORS, RawJson};
use domain::status::ImportStatus;

use super::{COLUMNS, ImportRow, errors_json, read};
use crate::conn::Dialect;
use crate::error::StoreError;
use crate::events::{self, NewEvent};
use crate::items;
use crate::row::Row;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

/// How long a claim holds; far longer than a step takes, and renewed by each.
pub const LEASE: Duration = Duration::from_secs(15);
/// How often an import may be taken up without a step forward before it is given up.
const MOST_TRIES: i64 = 10;

/// An import that this process works on.
#[derive(Clone, Debug)]
struct Claimed {
    id: ImportId,
    project: ProjectId,
    token: String,
    tries: i64,
}

/// Works on the import that has waited longest, to its end. `false` when none waits.
///
/// # Errors
/// The database's; the import is taken up again after its lease, or at once by the next call.
pub async fn run_next(store: &Store) -> Result<bool, StoreError> {
    let claimed = store.write::<_, _, StoreError>(|tx| Box::pin(claim(tx))).await?;
    let Some(claimed) = claimed else { return Ok(false) };
    loop {
        let claim = claimed.clone();
        match store.write::<_, _, StoreError>(move |tx| Box::pin(step(tx, claim))).await {
            Ok(true) => {}
            // At its end, or in another worker's hands.
            Ok(false) | Err(StoreError::Fenced) => return Ok(true),
            Err(error) => {
                let claim = claimed.clone();
                store.write::<_, _, StoreError>(move |tx| Box::pin(release(tx, claim))).await?;
                return Err(error);
            }
        }
    }
}

/// Takes the oldest import that nobody works on and that is its project's first.
async fn claim(tx: &mut Tx) -> Result<Option<Claimed>, StoreError> {
    let now = tx.now();
    let mut query = Sql::new(
        "SELECT id, project_id, tries FROM btx_catalog_import i WHERE finished_at IS NULL \
         AND (leased_until IS NULL OR leased_until <= ",
    )
    .bind(now)
    .push(
        ") AND NOT EXISTS (SELECT 1 FROM btx_catalog_import e WHERE e.project_id = i.project_id \
         AND e.finished_at IS NULL AND (e.created_at, e.id) < (i.created_at, i.id)) \
         ORDER BY created_at, id LIMIT 1",
    );
    if tx.dialect() == Dialect::Postgres {
        query = query.push(" FOR UPDATE SKIP LOCKED");
    }
    let Some(row) = query.fetch_optional(tx).await? else { return Ok(None) };
    let claimed = Claimed {
        id: row.parse("id")?,
        project: row.parse("project_id")?,
        // Random and unique is all that a token has to be.
        token: RequestId::generate(now, tx.entropy()).to_string(),
        tries: row.int("tries")? + 1,
    };
    Sql::new("UPDATE btx_catalog_import SET status = ")
        .bind(ImportStatus::Running)
        .push(", tries = ")
        .bind(claimed.tries)
        .push(", claim_token = ")
        .bind(&claimed.token)
        .push(", leased_until = ")
        .bind(now.plus(LEASE))
        .push(", started_at = COALESCE(started_at, ")
        .bind(now)
        .push("), updated_at = ")
        .bind(now)
        .push(" WHERE id = ")
        .bind(claimed.id)
        .execute(tx)
        .await?;
    Ok(Some(claimed))
}

/// Stores the next chunk. `false` when that was the last.
async fn step(tx: &mut Tx, claim: Claimed) -> Result<bool, StoreError> {
    let row = held(tx, &claim).await?;
    let mut import = read(&row)?;
    let (chunks, at) = (row.int("chunks")?, row.int("next_chunk")?);
    if claim.tries > MOST_TRIES {
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

/// The import's row, if the claim still holds.
async fn held(tx: &mut Tx, claim: &Claimed) -> Result<Row, StoreError> {
    let mut query = Sql::new("SELECT request_id, chunks, next_chunk, ")
        .push(COLUMNS)
        .push(" FROM btx_catalog_import WHERE id = ")
        .bind(claim.id)
        .push(" AND finished_at IS NULL AND claim_token = ")
        .bind(&claim.token);
    if tx.dialect() == Dialect::Postgres {
        query = query.push(" FOR UPDATE");
    }
    query.fetch_optional(tx).await?.ok_or(StoreError::Fenced)
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
        .bind(import.updated_at.plus(LEASE))
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

/// After a failure: the next call may take it up at once.
async fn release(tx: &mut Tx, claim: Claimed) -> Result<(), StoreError> {
    let query = Sql::new("UPDATE btx_catalog_import SET claim_token = NULL, leased_until = NULL WHERE id = ");
    query.bind(claim.id).push(" AND claim_token = ").bind(&claim.token).execute(tx).await.map(drop)
}
