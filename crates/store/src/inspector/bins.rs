//! Bins.

use domain::filter::TimeRange;
use domain::id::{BinId, ProjectId};
use domain::model::Bin;
use domain::page::{Page, PageRequest};
use domain::script::Script;

use super::token::{Addresses, BinToken};
use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

/// What the bin that redirected attempts go to is called.
pub const DEFAULT_NAME: &str = "default";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: BinId::PREFIX };

/// What a bin is made from; checked by the caller.
#[derive(Clone, Debug)]
pub struct NewBin {
    /// What it is called.
    pub name: String,
    /// What it answers.
    pub script: Script,
}

/// What is to be changed.
#[derive(Clone, Debug, Default)]
pub struct BinChange {
    /// Another name.
    pub name: Option<String>,
    /// Another script, which begins with its first answer.
    pub script: Option<Script>,
}

/// Creates a bin with a fresh address.
pub async fn insert(tx: &mut Tx, addresses: &Addresses, project: ProjectId, new: NewBin) -> Result<Bin, StoreError> {
    let id = put(tx, project, &new, false).await?;
    read_back(tx, addresses, project, id).await
}

/// The bin that redirected attempts go to, made when the project has none. Of several calls at once one makes it.
pub async fn default_bin(tx: &mut Tx, addresses: &Addresses, project: ProjectId) -> Result<Bin, StoreError> {
    let id = default_id(tx, project).await?;
    read_back(tx, addresses, project, id).await
}

pub(super) async fn default_id(tx: &mut Tx, project: ProjectId) -> Result<BinId, StoreError> {
    if let Some(id) = find_default(tx, project).await? {
        return Ok(id);
    }
    let new = NewBin { name: DEFAULT_NAME.to_owned(), script: Script::default() };
    // Somebody else may make it in between: the unique index lets one be the first, and the other finds it.
    put(tx, project, &new, true).await?;
    find_default(tx, project).await?.ok_or_else(|| StoreError::Inconsistent("no default bin".to_owned()))
}

async fn find_default(tx: &mut Tx, project: ProjectId) -> Result<Option<BinId>, StoreError> {
    let query = Sql::new("SELECT id FROM btx_inspector_bin WHERE is_default = 1 AND project_id = ").bind(project);
    query.fetch_optional(tx).await?.map(|row| row.parse("id")).transpose()
}

async fn put(tx: &mut Tx, project: ProjectId, new: &NewBin, is_default: bool) -> Result<BinId, StoreError> {
    let now = tx.now();
    let id = BinId::generate(now, tx.entropy());
    let token = BinToken::generate(tx.entropy());
    let sealed = tx.keys().seal(token.expose().as_bytes(), &id.to_string(), tx.entropy());
    let query = Sql::new(
        "INSERT INTO btx_inspector_bin \
         (id, project_id, name, token_hash, token, script, is_default, created_at, updated_at) VALUES (",
    )
    .bind(id)
    .push(", ")
    .bind(project)
    .push(", ")
    .bind(&new.name)
    .push(", ")
    .bind(token.hash())
    .push(", ")
    .bind(sealed)
    .push(", ")
    .bind(script_bytes(&new.script)?)
    .push(", ")
    .bind(is_default)
    .push(", ")
    .bind(now)
    .push(", ")
    .bind(now)
    .push(")");
    let query = if is_default { query.push(" ON CONFLICT DO NOTHING") } else { query };
    query.execute(tx).await?;
    Ok(id)
}

/// One bin.
pub async fn get(
    conn: &mut Conn,
    addresses: &Addresses,
    project: ProjectId,
    id: BinId,
) -> Result<Option<Bin>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.map(|row| read(&row, addresses)).transpose()
}

/// The bins created in `range`, newest first.
pub async fn list(
    conn: &mut Conn,
    addresses: &Addresses,
    project: ProjectId,
    range: &TimeRange,
    request: PageRequest,
) -> Result<Page<Bin>, StoreError> {
    let query = paging::in_range(select(project), "created_at", range);
    paging::page(conn, query, ORDER, request, |row| read(row, addresses)).await
}

/// Changes a bin; `None` when the project has no such.
pub async fn update(
    tx: &mut Tx,
    addresses: &Addresses,
    project: ProjectId,
    id: BinId,
    change: BinChange,
) -> Result<Option<Bin>, StoreError> {
    let mut query = Sql::new("UPDATE btx_inspector_bin SET updated_at = ").bind(tx.now());
    if let Some(name) = &change.name {
        query = query.push(", name = ").bind(name);
    }
    if let Some(script) = &change.script {
        query = query.push(", script_position = 0, script = ").bind(script_bytes(script)?);
    }
    let changed = query.push(" WHERE project_id = ").bind(project).push(" AND id = ").bind(id).execute(tx).await?;
    if changed == 0 { Ok(None) } else { get(tx, addresses, project, id).await }
}

/// Deletes a bin: its address is unknown from then on, its captures can't be seen any more, and go when the
/// housekeeping comes round. `false` when the project has no such.
pub async fn delete(tx: &mut Tx, project: ProjectId, id: BinId) -> Result<bool, StoreError> {
    let query = Sql::new("DELETE FROM btx_inspector_bin WHERE project_id = ").bind(project).push(" AND id = ").bind(id);
    Ok(query.execute(tx).await? > 0)
}

async fn read_back(tx: &mut Tx, addresses: &Addresses, project: ProjectId, id: BinId) -> Result<Bin, StoreError> {
    let found = get(tx, addresses, project, id).await?;
    found.ok_or_else(|| StoreError::Inconsistent(format!("{id} is not there")))
}

fn select(project: ProjectId) -> Sql {
    Sql::new(
        "SELECT id, name, token, script, is_default, created_at, updated_at, \
         (SELECT COUNT(*) FROM btx_inspector_capture c WHERE c.project_id = b.project_id AND c.bin_id = b.id) \
         AS captures_count FROM btx_inspector_bin b WHERE project_id = ",
    )
    .bind(project)
}

fn read(row: &Row, addresses: &Addresses) -> Result<Bin, StoreError> {
    let id: BinId = row.parse("id")?;
    Ok(Bin {
        id,
        name: row.text("name")?,
        url: addresses.open(id, &row.bytes("token")?),
        script: row.json("script")?,
        is_default: row.flag("is_default")?,
        captures_count: row.small("captures_count")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

fn script_bytes(script: &Script) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(script).map_err(|error| StoreError::Inconsistent(format!("script: {error}")))
}
