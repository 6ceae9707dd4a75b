//! The log of API requests.
//!
//! A request id's time is its row's `created_at` (when it arrived), which leads a look-up to the one
//! millisecond, and on PostgreSQL to the one partition, that the row is in.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::filter::{Filter, FilterReader, Rejected, StatusCodeFilter, TimeRange};
use domain::id::{ProjectId, RequestId};
use domain::model::{ApiRequest, RequestWithTrace};
use domain::page::{Page, PageRequest};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::{Bind as _, Sql, Value};
use crate::table::pieces;
use crate::traces;
use crate::tx::Tx;

const COLUMNS: &str = "id, method, path, status_code, error_code, duration_ms, api_key_id, remote_ip, user_agent, \
                       idempotency_key, idempotency_outcome, created_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: RequestId::PREFIX };

/// A request to be logged.
#[derive(Clone, Debug)]
pub struct NewRequest {
    /// Whose it was.
    pub project: ProjectId,
    /// What is logged.
    pub request: ApiRequest,
    /// Of a replay: the request whose answer was given again.
    pub replayed_request_id: Option<RequestId>,
}

/// Filters of the list of requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestListFilter {
    /// One method, in capitals.
    pub method: Option<String>,
    /// The answer's status or class.
    pub status_code: Option<StatusCodeFilter>,
    /// One idempotency key.
    pub idempotency_key: Option<String>,
    /// When it arrived.
    pub created: TimeRange,
}

impl Filter for RequestListFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self {
            method: query.take("method").map(|method| method.to_ascii_uppercase()),
            status_code: query.one("status_code"),
            idempotency_key: query.take("idempotency_key"),
            created: query.time_range(),
        };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = self.created.pairs();
        pairs.extend(self.method.clone().map(|method| ("method", method)));
        pairs.extend(self.status_code.map(|code| ("status_code", code.to_string())));
        pairs.extend(self.idempotency_key.clone().map(|key| ("idempotency_key", key)));
        pairs
    }
}

/// Logs requests, of any projects.
pub async fn insert_all(tx: &mut Tx, requests: &[NewRequest]) -> Result<(), StoreError> {
    let dialect = tx.dialect();
    for piece in pieces(dialect, requests) {
        insert_into(Sql::new("")).table(dialect, piece.iter().map(values).collect()).execute(tx).await?;
    }
    Ok(())
}

/// Logs one request as the last part of a statement that began with `query`: as often as `from` has rows.
pub(crate) fn insert_from(query: Sql, request: &NewRequest, from: &str) -> Sql {
    let mut query = insert_into(query).push("SELECT ");
    for (n, value) in values(request).into_iter().enumerate() {
        query = if n == 0 { query } else { query.push(", ") }.bind_value(value);
    }
    query.push(from)
}

fn insert_into(query: Sql) -> Sql {
    query.push("INSERT INTO btx_request (project_id, replayed_request_id, ").push(COLUMNS).push(") ")
}

fn values(NewRequest { project, request, replayed_request_id }: &NewRequest) -> [Value; 14] {
    [
        project.value(),
        replayed_request_id.value(),
        request.id.value(),
        request.method.as_str().value(),
        request.path.as_str().value(),
        request.status_code.value(),
        request.error_code.as_ref().value(),
        request.duration_ms.value(),
        request.api_key_id.value(),
        request.remote_ip.as_ref().value(),
        request.user_agent.as_ref().value(),
        request.idempotency_key.as_ref().value(),
        request.idempotency_outcome.value(),
        request.created_at.value(),
    ]
}

/// One request.
pub async fn get(conn: &mut Conn, project: ProjectId, id: RequestId) -> Result<Option<ApiRequest>, StoreError> {
    let time = id.time();
    let query = select(project)
        .push(" AND created_at >= ")
        .bind(time)
        .push(" AND created_at < ")
        .bind(time.plus(Duration::from_millis(1)))
        .push(" AND id = ")
        .bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// One request and everything that followed from it, or, for a webhook's own request id, the
/// delivery's side of that. `None` when the project knows nothing under this id.
pub async fn get_with_trace(
    conn: &mut Conn,
    project: ProjectId,
    id: RequestId,
) -> Result<Option<RequestWithTrace>, StoreError> {
    let request = get(conn, project, id).await?;
    let trace = traces::of(conn, project, id).await?;
    let nothing = request.is_none() && trace.events.is_empty() && trace.deliveries.is_empty();
    Ok((!nothing).then_some(RequestWithTrace { request, trace }))
}

/// The requests that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &RequestListFilter,
    request: PageRequest,
) -> Result<Page<ApiRequest>, StoreError> {
    let mut query = paging::in_range(select(project), "created_at", &filter.created);
    if let Some(method) = &filter.method {
        query = query.push(" AND method = ").bind(method);
    }
    if let Some(code) = filter.status_code {
        query = paging::in_status_range(query, "status_code", code);
    }
    if let Some(key) = &filter.idempotency_key {
        query = query.push(" AND idempotency_key = ").bind(key);
    }
    paging::page(conn, query, ORDER, request, read).await
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_request WHERE project_id = ").bind(project)
}

fn read(row: &Row) -> Result<ApiRequest, StoreError> {
    Ok(ApiRequest {
        id: row.parse("id")?,
        method: row.text("method")?,
        path: row.text("path")?,
        status_code: row.small("status_code")?,
        error_code: row.opt_text("error_code")?,
        duration_ms: row.small("duration_ms")?,
        api_key_id: row.opt_parse("api_key_id")?,
        remote_ip: row.opt_text("remote_ip")?,
        user_agent: row.opt_text("user_agent")?,
        idempotency_key: row.opt_text("idempotency_key")?,
        idempotency_outcome: row.opt_parse("idempotency_outcome")?,
        created_at: row.time("created_at")?,
    })
}
