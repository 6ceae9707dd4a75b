//! The dead-letter inbox.

use domain::filter::DeadLetterFilter;
use domain::id::{DeadLetterId, DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::model::DeadLetter;
use domain::page::{Page, PageRequest};
use domain::status::{AttemptError, DeadLetterReason};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "id, delivery_id, event_id, event_type, endpoint_id, request_id, reason, \
                       last_response_status_code, last_error_code, created_at, resolved_at, resolution, \
                       retry_delivery_id";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: DeadLetterId::PREFIX };
/// Beyond this the tab says «1,000+»: nobody reads a larger number, and counting has a cost.
pub const COUNT_CAP: u32 = 1_000;

/// What a dead letter is made from.
#[derive(Clone, Debug)]
pub(crate) struct NewDeadLetter {
    pub project_id: ProjectId,
    pub delivery_id: DeliveryId,
    pub event_id: EventId,
    pub event_type: String,
    pub endpoint_id: EndpointId,
    pub request_id: RequestId,
    pub reason: DeadLetterReason,
    pub last_response_status_code: Option<u16>,
    pub last_error_code: Option<AttemptError>,
}

/// Puts a delivery into the inbox.
pub(crate) async fn insert(tx: &mut Tx, new: &NewDeadLetter) -> Result<(), StoreError> {
    let now = tx.now();
    let id = DeadLetterId::generate(now, tx.entropy());
    Sql::new(
        "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, endpoint_id, \
         request_id, reason, last_response_status_code, last_error_code, created_at) VALUES (",
    )
    .bind(id)
    .push(", ")
    .bind(new.project_id)
    .push(", ")
    .bind(new.delivery_id)
    .push(", ")
    .bind(new.event_id)
    .push(", ")
    .bind(&new.event_type)
    .push(", ")
    .bind(new.endpoint_id)
    .push(", ")
    .bind(new.request_id)
    .push(", ")
    .bind(new.reason)
    .push(", ")
    .bind(new.last_response_status_code)
    .push(", ")
    .bind(new.last_error_code)
    .push(", ")
    .bind(now)
    .push(")")
    .execute(tx)
    .await
    .map(drop)
}

/// One dead letter.
pub async fn get(conn: &mut Conn, project: ProjectId, id: DeadLetterId) -> Result<Option<DeadLetter>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The dead letters that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &DeadLetterFilter,
    request: PageRequest,
) -> Result<Page<DeadLetter>, StoreError> {
    paging::page(conn, matching(select(project), project, filter), ORDER, request, read).await
}

/// Adds the filter to a query that is at the project already.
pub(crate) fn matching(query: Sql, project: ProjectId, filter: &DeadLetterFilter) -> Sql {
    let resolved = if filter.resolved { " AND resolved_at IS NOT NULL" } else { " AND resolved_at IS NULL" };
    let mut query = paging::in_range(query.push(resolved), "created_at", &filter.created);
    if !filter.reason.is_empty() {
        query = query.push(" AND reason IN ").bind_list(filter.reason.iter().copied());
    }
    if !filter.error_code.is_empty() {
        query = query.push(" AND last_error_code IN ").bind_list(filter.error_code.iter().copied());
    }
    if let Some(endpoint) = filter.endpoint_id {
        query = query.push(" AND endpoint_id = ").bind(endpoint);
    }
    if let Some(event_type) = &filter.event_type {
        query = query.push(" AND event_type = ").bind(event_type);
    }
    if let Some(event) = filter.event_id {
        query = query.push(" AND event_id = ").bind(event);
    }
    if let Some(code) = filter.response_status_code {
        query = paging::in_status_range(query, "last_response_status_code", code);
    }
    if let Some(id) = filter.request_id {
        query = paging::of_request(query, project, id);
    }
    query
}

/// The last dead letter of one delivery: a delivery is given up once, and once more only when it was
/// restored.
pub async fn of_delivery(
    conn: &mut Conn,
    project: ProjectId,
    id: DeliveryId,
) -> Result<Option<DeadLetter>, StoreError> {
    let query = select(project).push(" AND delivery_id = ").bind(id).push(" ORDER BY created_at DESC, id DESC LIMIT 1");
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// How many wait in the inbox, up to [`COUNT_CAP`] + 1.
pub async fn count_unresolved(conn: &mut Conn, project: ProjectId) -> Result<u32, StoreError> {
    let query = Sql::new(
        "SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM btx_webhook_dead_letter WHERE resolved_at IS NULL \
         AND project_id = ",
    );
    let query = query.bind(project).push(" LIMIT ").bind(COUNT_CAP + 1).push(") AS inbox");
    query.fetch_one(conn).await?.small("n")
}

pub(crate) fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_webhook_dead_letter WHERE project_id = ").bind(project)
}

pub(crate) fn read(row: &Row) -> Result<DeadLetter, StoreError> {
    Ok(DeadLetter {
        id: row.parse("id")?,
        delivery_id: row.parse("delivery_id")?,
        event_id: row.parse("event_id")?,
        event_type: row.text("event_type")?,
        endpoint_id: row.parse("endpoint_id")?,
        request_id: row.parse("request_id")?,
        reason: row.parse("reason")?,
        last_response_status_code: row.opt_small("last_response_status_code")?,
        last_error_code: row.opt_parse("last_error_code")?,
        created_at: row.time("created_at")?,
        resolved_at: row.opt_time("resolved_at")?,
        resolution: row.opt_parse("resolution")?,
        retry_delivery_id: row.opt_parse("retry_delivery_id")?,
    })
}
