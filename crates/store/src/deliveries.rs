//! Deliveries: one event to one endpoint.

use domain::filter::DeliveryFilter;
use domain::id::{DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::model::Delivery;
use domain::page::{Page, PageRequest};
use domain::status::{DeliveryStatus, DeliveryTrigger, SkipReason};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::{Bind as _, Sql};
use crate::table::pieces;
use crate::tx::Tx;

const COLUMNS: &str = "id, event_id, event_type, endpoint_id, request_id, parent_delivery_id, cause, status, \
                       skip_reason, cancel_reason, attempts_count, last_attempt_at, next_attempt_at, \
                       dead_letters_at, created_at, updated_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: DeliveryId::PREFIX };

/// What a delivery is made from.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    /// The id that its attempts carry.
    pub request_id: RequestId,
    /// What is delivered.
    pub event_id: EventId,
    /// The event's type.
    pub event_type: String,
    /// Where to.
    pub endpoint_id: EndpointId,
    /// The delivery that it repeats.
    pub parent_delivery_id: Option<DeliveryId>,
    /// What started it.
    pub trigger: DeliveryTrigger,
    /// `pending` (due at once) or `skipped`.
    pub status: DeliveryStatus,
    /// Why it is skipped.
    pub skip_reason: Option<SkipReason>,
}

/// Creates deliveries; the engine is woken when this commits.
pub async fn insert_all(tx: &mut Tx, project: ProjectId, new: Vec<NewDelivery>) -> Result<Vec<DeliveryId>, StoreError> {
    let now = tx.now();
    let dead_letters_at = tx.environment().schedule.dead_letters_at(0, now);
    let ids: Vec<_> = new.iter().map(|_| DeliveryId::generate(now, tx.entropy())).collect();
    let rows: Vec<_> = ids.iter().zip(new).collect();
    let dialect = tx.dialect();
    for piece in pieces(dialect, &rows) {
        let values = piece.iter().map(|(id, delivery)| {
            let is_due = delivery.status.is_waiting();
            [
                id.value(),
                project.value(),
                delivery.event_id.value(),
                delivery.event_type.as_str().value(),
                delivery.endpoint_id.value(),
                delivery.request_id.value(),
                delivery.parent_delivery_id.value(),
                delivery.trigger.value(),
                delivery.status.value(),
                delivery.skip_reason.value(),
                is_due.then_some(now).value(),
                is_due.then_some(dead_letters_at).value(),
                now.value(),
                now.value(),
            ]
        });
        let query = Sql::new(
            "INSERT INTO btx_webhook_delivery (id, project_id, event_id, event_type, endpoint_id, request_id, \
             parent_delivery_id, cause, status, skip_reason, next_attempt_at, dead_letters_at, created_at, \
             updated_at) ",
        );
        query.table(dialect, values.collect()).execute(tx).await?;
    }
    if rows.iter().any(|(_, delivery)| delivery.status.is_waiting()) {
        tx.wake_due();
    }
    Ok(ids)
}

/// One delivery.
pub async fn get(conn: &mut Conn, project: ProjectId, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The deliveries that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &DeliveryFilter,
    request: PageRequest,
) -> Result<Page<Delivery>, StoreError> {
    let mut query = paging::in_range(select(project), "created_at", &filter.created);
    if !filter.status.is_empty() {
        query = query.push(" AND status IN ").bind_list(filter.status.iter().copied());
    }
    if !filter.trigger.is_empty() {
        query = query.push(" AND cause IN ").bind_list(filter.trigger.iter().copied());
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
    paging::page(conn, query, ORDER, request, read).await
}

pub(crate) fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_webhook_delivery WHERE project_id = ").bind(project)
}

pub(crate) fn read(row: &Row) -> Result<Delivery, StoreError> {
    Ok(Delivery {
        id: row.parse("id")?,
        event_id: row.parse("event_id")?,
        event_type: row.text("event_type")?,
        endpoint_id: row.parse("endpoint_id")?,
        request_id: row.parse("request_id")?,
        parent_delivery_id: row.opt_parse("parent_delivery_id")?,
        trigger: row.parse("cause")?,
        status: row.parse("status")?,
        skip_reason: row.opt_parse("skip_reason")?,
        cancel_reason: row.opt_parse("cancel_reason")?,
        attempts_count: row.small("attempts_count")?,
        last_attempt_at: row.opt_time("last_attempt_at")?,
        next_attempt_at: row.opt_time("next_attempt_at")?,
        dead_letters_at: row.opt_time("dead_letters_at")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
