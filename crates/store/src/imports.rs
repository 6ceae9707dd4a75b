//! Catalog imports. Rows are stored in chunks while they arrive; the import appears in the
//! transaction that answers; then a worker moves chunk by chunk into the catalog (contract section 7).
//!
//! A step is one transaction: a chunk's rows, the progress and, at the end, the event. After
//! `kill -9` the next worker goes on with the first chunk that is still there, so each row is
//! stored once. Imports of one project run one after the other: the latest has the last word.

mod work;

use domain::filter::ImportFilter;
use domain::id::{ImportId, ProjectId, RequestId};
use domain::model::{CatalogImport, ImportError};
use domain::page::{Page, PageRequest};
use domain::status::{ImportFormat, ImportStatus};
use serde::{Deserialize, Serialize};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::items::NewItem;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

pub use crate::leased::LEASE;
pub use work::run_next;

const COLUMNS: &str =
    "id, format, status, total, done, failed, errors, created_at, updated_at, started_at, finished_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: ImportId::PREFIX };

/// A row as it was received: an item, or why it is none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportRow {
    /// Its line, from 1.
    pub line: u64,
    /// What it says.
    pub outcome: Result<NewItem, String>,
}

/// What an import is made from, once its chunks are stored.
#[derive(Clone, Debug)]
pub struct NewImport {
    /// The id under which its chunks were stored.
    pub id: ImportId,
    /// What was sent.
    pub format: ImportFormat,
    /// How many rows there are.
    pub total: u32,
    /// How many chunks they are in.
    pub chunks: u32,
}

/// Stores rows that have just been received, in a transaction of their own.
pub async fn stage(store: &Store, import: ImportId, number: u32, rows: Vec<ImportRow>) -> Result<(), StoreError> {
    let content = serde_json::to_vec(&rows);
    let content = content.map_err(|error| StoreError::Inconsistent(format!("rows: {error}")))?;
    let insert = store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move {
            Sql::new("INSERT INTO btx_catalog_chunk (import_id, number, content, created_at) VALUES (")
                .bind(import)
                .push(", ")
                .bind(number)
                .push(", ")
                .bind(content)
                .push(", ")
                .bind(tx.now())
                .push(")")
                .execute(tx)
                .await
        })
    });
    insert.await.map(drop)
}

/// Removes the chunks of an import that did not come about; one that did keeps them.
pub async fn discard(store: &Store, import: ImportId) -> Result<(), StoreError> {
    let delete = store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move {
            Sql::new("DELETE FROM btx_catalog_chunk WHERE import_id = ")
                .bind(import)
                .push(" AND NOT EXISTS (SELECT 1 FROM btx_catalog_import WHERE id = ")
                .bind(import)
                .push(")")
                .execute(tx)
                .await
        })
    });
    delete.await.map(drop)
}

/// Stores an import whose chunks are stored already: a worker will find it.
pub async fn insert(
    tx: &mut Tx,
    project: ProjectId,
    request: RequestId,
    new: NewImport,
) -> Result<CatalogImport, StoreError> {
    let now = tx.now();
    let import = CatalogImport {
        id: new.id,
        format: new.format,
        status: ImportStatus::Pending,
        total: new.total,
        done: 0,
        failed: 0,
        errors: Vec::new(),
        created_at: now,
        updated_at: now,
        started_at: None,
        finished_at: None,
    };
    Sql::new(
        "INSERT INTO btx_catalog_import \
         (id, project_id, request_id, format, status, total, errors, chunks, created_at, updated_at) VALUES (",
    )
    .bind(import.id)
    .push(", ")
    .bind(project)
    .push(", ")
    .bind(request)
    .push(", ")
    .bind(import.format)
    .push(", ")
    .bind(import.status)
    .push(", ")
    .bind(import.total)
    .push(", ")
    .bind(errors_json(&import.errors)?)
    .push(", ")
    .bind(new.chunks)
    .push(", ")
    .bind(now)
    .push(", ")
    .bind(now)
    .push(")")
    .execute(tx)
    .await?;
    Ok(import)
}

/// One import.
pub async fn get(conn: &mut Conn, project: ProjectId, id: ImportId) -> Result<Option<CatalogImport>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The imports that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &ImportFilter,
    request: PageRequest,
) -> Result<Page<CatalogImport>, StoreError> {
    let mut query = paging::in_range(select(project), "created_at", &filter.created);
    if !filter.status.is_empty() {
        query = query.push(" AND status IN ").bind_list(filter.status.iter().copied());
    }
    paging::page(conn, query, ORDER, request, read).await
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_catalog_import WHERE project_id = ").bind(project)
}

fn read(row: &Row) -> Result<CatalogImport, StoreError> {
    Ok(CatalogImport {
        id: row.parse("id")?,
        format: row.parse("format")?,
        status: row.parse("status")?,
        total: row.small("total")?,
        done: row.small("done")?,
        failed: row.small("failed")?,
        errors: row.json("errors")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        started_at: row.opt_time("started_at")?,
        finished_at: row.opt_time("finished_at")?,
    })
}

fn errors_json(errors: &[ImportError]) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(errors).map_err(|error| StoreError::Inconsistent(format!("errors: {error}")))
}
