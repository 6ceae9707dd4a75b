//! The log of attempts, 14 days long.

use std::time::Duration;

use domain::cursor::Position;
use domain::filter::AttemptFilter;
use domain::id::{AttemptId, DeliveryId, ProjectId};
use domain::model::{Attempt, AttemptPayload, Event, Headers};
use domain::page::{Page, PageRequest};
use domain::payload;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::events;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;

const COLUMNS: &str = "id, delivery_id, event_id, event_type, endpoint_id, request_id, attempt_number, cause, url, \
                       status, response_status_code, error_code, remote_ip, requested_at, responded_at, \
                       duration_ms, next_attempt_at, created_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: AttemptId::PREFIX };

/// The attempts that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &AttemptFilter,
    request: PageRequest,
) -> Result<Page<Attempt>, StoreError> {
    paging::page(conn, matching(project, filter), ORDER, request, read).await
}

/// The places of the attempts behind `since` in the order of the list, oldest first: what a reader that goes
/// on from there looks at, along the list's index alone.
pub async fn places_since(
    conn: &mut Conn,
    project: ProjectId,
    since: Position,
    limit: u32,
) -> Result<Vec<Position>, StoreError> {
    let query = Sql::new("SELECT created_at, id FROM btx_webhook_attempt WHERE project_id = ").bind(project);
    let query = query.push(" AND (created_at, id) > (").bind(since.created_at).push(", ");
    let query = query.bind(format!("{}{}", AttemptId::PREFIX, since.ulid));
    let query = query.push(") ORDER BY created_at, id LIMIT ").bind(limit);
    paging::rows(conn, query, |row| {
        Ok(Position { created_at: row.time("created_at")?, ulid: row.parse::<AttemptId>("id")?.ulid() })
    })
    .await
}

/// Those at `places`, which are oldest first, that match.
pub async fn at_places(
    conn: &mut Conn,
    project: ProjectId,
    filter: &AttemptFilter,
    places: &[Position],
) -> Result<Vec<Attempt>, StoreError> {
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return Ok(Vec::new()) };
    let query = matching(project, filter).push(" AND created_at >= ").bind(first.created_at);
    let query = query.push(" AND created_at <= ").bind(last.created_at).push(" AND id IN ");
    let query = query.bind_list(places.iter().map(|place| AttemptId::from_ulid(place.ulid)));
    paging::rows(conn, query.push(" ORDER BY created_at, id").uncached(), read).await
}

/// One attempt. Its id's time is its row's `created_at`, which leads to the one day it is in.
pub async fn get(conn: &mut Conn, project: ProjectId, id: AttemptId) -> Result<Option<Attempt>, StoreError> {
    let query = at(Sql::new("SELECT ").push(COLUMNS), project, id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// One attempt with what was sent and received.
pub async fn get_with_payload(
    conn: &mut Conn,
    project: ProjectId,
    id: AttemptId,
) -> Result<Option<Attempt>, StoreError> {
    let columns =
        format!("SELECT {COLUMNS}, request_headers, response_headers, response_body, response_body_truncated");
    let Some(row) = at(Sql::new(&columns), project, id).fetch_optional(conn).await? else { return Ok(None) };
    let mut attempt = read(&row)?;
    let event = events::get(conn, project, attempt.event_id).await?;
    attempt.payload = Some(read_payload(&row, project, event.as_ref())?);
    Ok(Some(attempt))
}

/// All attempts at one delivery, first to last.
pub async fn of_delivery(conn: &mut Conn, project: ProjectId, id: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
    let query = select(project).push(" AND delivery_id = ").bind(id).push(" ORDER BY attempt_number, created_at, id");
    paging::rows(conn, query, read).await
}

pub(crate) fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_webhook_attempt WHERE project_id = ").bind(project)
}

fn matching(project: ProjectId, filter: &AttemptFilter) -> Sql {
    let mut query = paging::in_range(select(project), "created_at", &filter.created);
    if !filter.status.is_empty() {
        query = query.push(" AND status IN ").bind_list(filter.status.iter().copied());
    }
    if !filter.trigger.is_empty() {
        query = query.push(" AND cause IN ").bind_list(filter.trigger.iter().copied());
    }
    if !filter.error_code.is_empty() {
        query = query.push(" AND error_code IN ").bind_list(filter.error_code.iter().copied());
    }
    if !filter.delivery_status.is_empty() {
        query = query
            .push(" AND EXISTS (SELECT 1 FROM btx_webhook_delivery d WHERE d.id = delivery_id AND d.status IN ")
            .bind_list(filter.delivery_status.iter().copied())
            .push(")");
    }
    if let Some(endpoint) = filter.endpoint_id {
        query = query.push(" AND endpoint_id = ").bind(endpoint);
    }
    if let Some(event_type) = &filter.event_type {
        query = query.push(" AND event_type = ").bind(event_type);
    }
    if let Some(event) = filter.event_id {
        query = query
            .push(" AND delivery_id IN (SELECT id FROM btx_webhook_delivery WHERE event_id = ")
            .bind(event)
            .push(" AND project_id = ")
            .bind(project)
            .push(")");
    }
    if let Some(delivery) = filter.delivery_id {
        query = query.push(" AND delivery_id = ").bind(delivery);
    }
    if let Some(code) = filter.response_status_code {
        query = paging::in_status_range(query, "response_status_code", code);
    }
    if let Some(id) = filter.request_id {
        let deliveries =
            query.push(" AND delivery_id IN (SELECT id FROM btx_webhook_delivery WHERE project_id = ").bind(project);
        query = paging::of_request(deliveries, project, id).push(")");
    }
    query
}

pub(crate) fn at(select: Sql, project: ProjectId, id: AttemptId) -> Sql {
    let time = id.time();
    select
        .push(" FROM btx_webhook_attempt WHERE project_id = ")
        .bind(project)
        .push(" AND created_at >= ")
        .bind(time)
        .push(" AND created_at < ")
        .bind(time.plus(Duration::from_millis(1)))
        .push(" AND id = ")
        .bind(id)
}

pub(crate) fn read(row: &Row) -> Result<Attempt, StoreError> {
    Ok(Attempt {
        id: row.parse("id")?,
        delivery_id: row.parse("delivery_id")?,
        event_id: row.parse("event_id")?,
        event_type: row.text("event_type")?,
        endpoint_id: row.parse("endpoint_id")?,
        request_id: row.parse("request_id")?,
        attempt_number: row.small("attempt_number")?,
        trigger: row.parse("cause")?,
        url: row.text("url")?,
        status: row.parse("status")?,
        response_status_code: row.opt_small("response_status_code")?,
        error_code: row.opt_parse("error_code")?,
        remote_ip: row.opt_text("remote_ip")?,
        requested_at: row.time("requested_at")?,
        responded_at: row.opt_time("responded_at")?,
        duration_ms: row.opt_small("duration_ms")?,
        next_attempt_at: row.opt_time("next_attempt_at")?,
        created_at: row.time("created_at")?,
        payload: None,
    })
}

/// The body is not stored with each attempt: it is a pure function of the event, which outlives it.
fn read_payload(row: &Row, project: ProjectId, event: Option<&Event>) -> Result<AttemptPayload, StoreError> {
    let response_headers = row.opt_bytes("response_headers")?;
    let body = event.map(|event| payload::render(project, event)).unwrap_or_default();
    Ok(AttemptPayload {
        request_headers: row.json("request_headers").map(Headers)?,
        request_body: String::from_utf8_lossy(&body).into_owned(),
        response_headers: match response_headers {
            Some(_) => Some(Headers(row.json("response_headers")?)),
            None => None,
        },
        response_body: row.opt_bytes("response_body")?.map(|body| String::from_utf8_lossy(&body).into_owned()),
        response_body_truncated: row.flag("response_body_truncated")?,
    })
}
