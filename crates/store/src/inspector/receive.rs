//! Receiving: one transaction takes the script a step further, keeps the request and makes room.

use domain::Timestamp;
use domain::id::{BinId, CaptureId, ProjectId};
use domain::model::{CaptureSource, HeaderLine};
use domain::script::{Script, ScriptStep};
use domain::status::CaptureKind;

use super::MAX_CAPTURES;
use super::token::BinToken;
use crate::conn::Conn;
use crate::error::StoreError;
use crate::sql::Sql;
use crate::tx::Tx;

/// A bin that a token leads to.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its project.
    pub project_id: ProjectId,
    /// The bin.
    pub bin_id: BinId,
    /// What it answers.
    pub script: Script,
}

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// Its method.
    pub method: String,
    /// Its path behind the token, as it was written.
    pub path: String,
    /// Its query, as it was written.
    pub query: Option<String>,
    /// Its header lines, in order.
    pub headers: Vec<HeaderLine>,
    /// Its body.
    pub body: Vec<u8>,
    /// Where it came from.
    pub remote_ip: Option<String>,
}

/// The bin behind an address; `None` when nobody has it.
pub async fn find(conn: &mut Conn, token: &BinToken) -> Result<Option<Found>, StoreError> {
    let query = Sql::new("SELECT id, project_id, script FROM btx_inspector_bin WHERE token_hash = ").bind(token.hash());
    let Some(row) = query.fetch_optional(conn).await? else { return Ok(None) };
    let found = Found { project_id: row.parse("project_id")?, bin_id: row.parse("id")?, script: row.json("script")? };
    Ok(Some(found))
}

/// Keeps a request, and says what to answer once this has committed. `None` when the bin was deleted meanwhile.
pub async fn receive(
    tx: &mut Tx,
    project: ProjectId,
    bin: BinId,
    received: Received,
) -> Result<Option<(CaptureId, ScriptStep)>, StoreError> {
    // Its row is held from here to the commit, so that no two requests take the same step and the bound is exact.
    let query = Sql::new("UPDATE btx_inspector_bin SET script_position = script_position + 1 WHERE project_id = ");
    let query = query.bind(project).push(" AND id = ").bind(bin).push(" RETURNING script, script_position");
    let Some(row) = query.fetch_optional(tx).await? else { return Ok(None) };
    let position = row.small::<u64>("script_position")?.saturating_sub(1);
    let step = row.json::<Script>("script")?.at(position);
    let new = NewCapture {
        kind: CaptureKind::Received,
        response_status_code: Some(step.status),
        source: CaptureSource::default(),
        created_at: tx.now(),
        received,
    };
    let id = insert(tx, project, bin, new).await?;
    Ok(Some((id, step)))
}

pub(super) struct NewCapture {
    pub kind: CaptureKind,
    pub received: Received,
    pub response_status_code: Option<u16>,
    pub source: CaptureSource,
    pub created_at: Timestamp,
}

/// Holds the bin's row, as [`receive`] does, for copies. `false` when there is no such bin.
pub(super) async fn hold(tx: &mut Tx, project: ProjectId, bin: BinId) -> Result<bool, StoreError> {
    let query = Sql::new("UPDATE btx_inspector_bin SET script_position = script_position WHERE project_id = ");
    Ok(query.bind(project).push(" AND id = ").bind(bin).execute(tx).await? > 0)
}

/// Stores a capture in a bin whose row is held, and deletes the oldest beyond [`MAX_CAPTURES`].
pub(super) async fn insert(
    tx: &mut Tx,
    project: ProjectId,
    bin: BinId,
    new: NewCapture,
) -> Result<CaptureId, StoreError> {
    let id = CaptureId::generate(new.created_at, tx.entropy());
    let NewCapture { kind, received, response_status_code, source, created_at } = new;
    let headers = serde_json::to_vec(&received.headers);
    let headers = headers.map_err(|error| StoreError::Inconsistent(format!("headers: {error}")))?;
    let body_size = u32::try_from(received.body.len()).unwrap_or(u32::MAX);
    Sql::new(
        "INSERT INTO btx_inspector_capture (id, project_id, bin_id, kind, method, path, query, remote_ip, \
         response_status_code, attempt_id, delivery_id, event_id, endpoint_id, request_id, simulated_at, \
         created_at, body_size, headers, body) VALUES (",
    )
    .bind(id)
    .push(", ")
    .bind(project)
    .push(", ")
    .bind(bin)
    .push(", ")
    .bind(kind)
    .push(", ")
    .bind(received.method)
    .push(", ")
    .bind(received.path)
    .push(", ")
    .bind(received.query)
    .push(", ")
    .bind(received.remote_ip)
    .push(", ")
    .bind(response_status_code)
    .push(", ")
    .bind(source.attempt_id)
    .push(", ")
    .bind(source.delivery_id)
    .push(", ")
    .bind(source.event_id)
    .push(", ")
    .bind(source.endpoint_id)
    .push(", ")
    .bind(source.request_id)
    .push(", ")
    .bind(source.simulated_at)
    .push(", ")
    .bind(created_at)
    .push(", ")
    .bind(body_size)
    .push(", ")
    .bind(headers)
    .push(", ")
    .bind(received.body)
    .push(")")
    .execute(tx)
    .await?;
    make_room(tx, project, bin).await?;
    tx.announce_captured();
    Ok(id)
}

async fn make_room(tx: &mut Tx, project: ProjectId, bin: BinId) -> Result<(), StoreError> {
    Sql::new("DELETE FROM btx_inspector_capture WHERE project_id = ")
        .bind(project)
        .push(" AND bin_id = ")
        .bind(bin)
        .push(" AND (created_at, id) <= (SELECT created_at, id FROM btx_inspector_capture WHERE project_id = ")
        .bind(project)
        .push(" AND bin_id = ")
        .bind(bin)
        .push(" ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ")
        .bind(MAX_CAPTURES)
        .push(")")
        .execute(tx)
        .await
        .map(drop)
}
