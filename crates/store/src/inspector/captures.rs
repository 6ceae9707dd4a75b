//! Reading captures. All of it only while their bin is there.

use domain::cursor::Position;
use domain::filter::TimeRange;
use domain::id::{BinId, CaptureId, ProjectId};
use domain::model::{Capture, CapturePayload, CaptureSource};
use domain::page::{Page, PageRequest, PageStart};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;

const COLUMNS: &str = "id, bin_id, kind, method, path, query, body_size, remote_ip, response_status_code, attempt_id, \
                       delivery_id, event_id, endpoint_id, request_id, simulated_at, created_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: CaptureId::PREFIX };

/// What stands beside a capture in its bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The next one that came.
    pub newer: Option<CaptureId>,
    /// The one before.
    pub older: Option<CaptureId>,
}

/// The captures of a bin that came in `range`, newest first, without headers and bodies; none of a bin
/// that there is not. For a live list ask with [`PageStart::Before`] the newest one shown.
pub async fn captures(
    conn: &mut Conn,
    project: ProjectId,
    bin: BinId,
    range: &TimeRange,
    request: PageRequest,
) -> Result<Page<Capture>, StoreError> {
    let query = paging::in_range(select(COLUMNS, project, bin), "created_at", range);
    paging::page(conn, query, ORDER, request, read).await
}

/// One capture, with its headers and body.
pub async fn capture(
    conn: &mut Conn,
    project: ProjectId,
    bin: BinId,
    id: CaptureId,
) -> Result<Option<Capture>, StoreError> {
    let query = select(&format!("{COLUMNS}, headers, body"), project, bin).push(" AND id = ").bind(id);
    let Some(row) = query.fetch_optional(conn).await? else { return Ok(None) };
    let mut capture = read(&row)?;
    capture.payload = Some(CapturePayload::new(row.json("headers")?, row.bytes("body")?));
    Ok(Some(capture))
}

/// The body of one capture, byte for byte: for a download.
pub async fn body(
    conn: &mut Conn,
    project: ProjectId,
    bin: BinId,
    id: CaptureId,
) -> Result<Option<Vec<u8>>, StoreError> {
    let query = select("body", project, bin).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.map(|row| row.bytes("body")).transpose()
}

/// What stands beside a capture.
pub async fn neighbours(conn: &mut Conn, project: ProjectId, capture: &Capture) -> Result<Neighbours, StoreError> {
    let position = Position { created_at: capture.created_at, ulid: capture.id.ulid() };
    let mut beside = [None, None];
    for (id, from) in beside.iter_mut().zip([PageStart::Before(position), PageStart::After(position)]) {
        let request = PageRequest { limit: 1, from };
        let page = captures(conn, project, capture.bin_id, &TimeRange::default(), request).await?;
        *id = page.data.first().map(|found| found.id);
    }
    let [newer, older] = beside;
    Ok(Neighbours { newer, older })
}

fn select(columns: &str, project: ProjectId, bin: BinId) -> Sql {
    Sql::new("SELECT ")
        .push(columns)
        .push(" FROM btx_inspector_capture WHERE project_id = ")
        .bind(project)
        .push(" AND bin_id = ")
        .bind(bin)
        .push(" AND EXISTS (SELECT 1 FROM btx_inspector_bin b WHERE b.id = ")
        .bind(bin)
        .push(" AND b.project_id = ")
        .bind(project)
        .push(")")
}

fn read(row: &Row) -> Result<Capture, StoreError> {
    let source = CaptureSource {
        attempt_id: row.opt_parse("attempt_id")?,
        delivery_id: row.opt_parse("delivery_id")?,
        event_id: row.opt_parse("event_id")?,
        endpoint_id: row.opt_parse("endpoint_id")?,
        request_id: row.opt_parse("request_id")?,
        simulated_at: row.opt_time("simulated_at")?,
    };
    Ok(Capture {
        id: row.parse("id")?,
        bin_id: row.parse("bin_id")?,
        kind: row.parse("kind")?,
        method: row.text("method")?,
        path: row.text("path")?,
        query: row.opt_text("query")?,
        body_size: row.small("body_size")?,
        remote_ip: row.opt_text("remote_ip")?,
        response_status_code: row.opt_small("response_status_code")?,
        source: (source != CaptureSource::default()).then_some(source),
        created_at: row.time("created_at")?,
        payload: None,
    })
}
