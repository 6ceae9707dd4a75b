//! Domain events: stored with the change that caused them and fanned out to whoever subscribed, in
//! the same transaction (the outbox of contract section 7).

use std::collections::BTreeMap;

use domain::Timestamp;
use domain::event_type::EventType;
use domain::filter::{Filter, FilterReader, Rejected, TimeRange};
use domain::id::{DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::model::{Event, RawJson};
use domain::page::{Page, PageRequest};
use domain::status::{DeliveryStatus, DeliveryTrigger, SkipReason};

use crate::conn::Conn;
use crate::deliveries::{self, NewDelivery};
use crate::endpoints;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "id, event_type, data, request_id, created_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: EventId::PREFIX };

/// What an event is made from.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// Its type.
    pub event_type: EventType,
    /// Its data, kept byte for byte.
    pub data: RawJson,
    /// The API call that caused it.
    pub request_id: Option<RequestId>,
}

/// Filters of the list of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventListFilter {
    /// One type.
    pub event_type: Option<String>,
    /// When it was stored.
    pub created: TimeRange,
}

impl Filter for EventListFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self { event_type: query.take("type"), created: query.time_range() };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = self.created.pairs();
        pairs.extend(self.event_type.iter().map(|event_type| ("type", event_type.clone())));
        pairs
    }
}

/// Stores an event and a delivery for each endpoint that subscribes: due at once, or `skipped`
/// where the endpoint is disabled.
///
/// # Errors
/// [`StoreError::Inconsistent`] when the data is no JSON object, besides those of the database.
pub async fn publish(tx: &mut Tx, project: ProjectId, new: NewEvent) -> Result<Event, StoreError> {
    let now = tx.now();
    let event = Event {
        id: EventId::generate(now, tx.entropy()),
        event_type: new.event_type.as_str().to_owned(),
        data: new.data,
        timestamp: now,
        request_id: new.request_id,
        created_at: now,
    };
    insert(tx, project, &event).await?;
    let mut subscribed = Vec::new();
    for (endpoint, patterns, enabled) in subscribers(tx, project).await? {
        if endpoints::split(&patterns)?.iter().any(|pattern| pattern.matches(&event.event_type)) {
            subscribed.push(first_delivery(tx, &event, endpoint, enabled, DeliveryTrigger::Initial, now));
        }
    }
    deliveries::insert_all(tx, project, subscribed).await?;
    Ok(event)
}

/// Sends a `webhook.test` to one endpoint and to no other, whatever it subscribes to. `None` when there
/// is no such endpoint.
pub async fn send_test(
    tx: &mut Tx,
    project: ProjectId,
    to: EndpointId,
    request_id: Option<RequestId>,
) -> Result<Option<(Event, DeliveryId)>, StoreError> {
    let Some(endpoint) = endpoints::get(tx, project, to).await? else { return Ok(None) };
    let now = tx.now();
    let data = RawJson::parse(format!("{{\"endpoint_id\":\"{to}\"}}"));
    let event = Event {
        id: EventId::generate(now, tx.entropy()),
        event_type: EventType::TEST.to_owned(),
        data: data.map_err(|_| StoreError::Inconsistent("the test's data is no JSON".to_owned()))?,
        timestamp: now,
        request_id,
        created_at: now,
    };
    insert(tx, project, &event).await?;
    let delivery = first_delivery(tx, &event, to, endpoint.enabled, DeliveryTrigger::Test, now);
    let made = deliveries::insert_all(tx, project, vec![delivery]).await?;
    let made = *made.first().ok_or_else(|| StoreError::Inconsistent("nothing was inserted".to_owned()))?;
    Ok(Some((event, made)))
}

async fn insert(tx: &mut Tx, project: ProjectId, event: &Event) -> Result<(), StoreError> {
    // What reaches every receiver and can't be taken back; a handler's slip is to stop here.
    if !event.data.as_str().starts_with('{') {
        return Err(StoreError::Inconsistent(format!("the data of a {} is no object", event.event_type)));
    }
    Sql::new("INSERT INTO btx_event (id, project_id, event_type, data, request_id, created_at) VALUES (")
        .bind(event.id)
        .push(", ")
        .bind(project)
        .push(", ")
        .bind(&event.event_type)
        .push(", ")
        .bind(event.data.as_str().as_bytes())
        .push(", ")
        .bind(event.request_id)
        .push(", ")
        .bind(event.created_at)
        .push(")")
        .execute(tx)
        .await
        .map(drop)
}

async fn subscribers(tx: &mut Tx, project: ProjectId) -> Result<Vec<(EndpointId, String, bool)>, StoreError> {
    let query = Sql::new(
        "SELECT id, event_types, enabled FROM btx_webhook_endpoint WHERE deleted_at IS NULL AND project_id = ",
    );
    paging::rows(tx, query.bind(project), |row| Ok((row.parse("id")?, row.text("event_types")?, row.flag("enabled")?)))
        .await
}

fn first_delivery(
    tx: &Tx,
    event: &Event,
    endpoint: EndpointId,
    enabled: bool,
    trigger: DeliveryTrigger,
    now: Timestamp,
) -> NewDelivery {
    let (status, skip_reason) = if enabled {
        (DeliveryStatus::Pending, None)
    } else {
        (DeliveryStatus::Skipped, Some(SkipReason::EndpointDisabled))
    };
    NewDelivery {
        request_id: RequestId::generate(now, tx.entropy()),
        event_id: event.id,
        event_type: event.event_type.clone(),
        endpoint_id: endpoint,
        parent_delivery_id: None,
        trigger,
        status,
        skip_reason,
    }
}

/// One event.
pub async fn get(conn: &mut Conn, project: ProjectId, id: EventId) -> Result<Option<Event>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The events, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &EventListFilter,
    request: PageRequest,
) -> Result<Page<Event>, StoreError> {
    let mut query = paging::in_range(select(project), "created_at", &filter.created);
    if let Some(event_type) = &filter.event_type {
        query = query.push(" AND event_type = ").bind(event_type);
    }
    paging::page(conn, query, ORDER, request, read).await
}

pub(crate) fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_event WHERE project_id = ").bind(project)
}

pub(crate) fn read(row: &Row) -> Result<Event, StoreError> {
    let created_at = row.time("created_at")?;
    Ok(Event {
        id: row.parse("id")?,
        event_type: row.text("event_type")?,
        data: raw_json(row.bytes("data")?)?,
        timestamp: created_at,
        request_id: row.opt_parse("request_id")?,
        created_at,
    })
}

pub(crate) fn raw_json(bytes: Vec<u8>) -> Result<RawJson, StoreError> {
    let wrong = |what: &str| StoreError::Inconsistent(format!("stored JSON is no {what}"));
    let text = String::from_utf8(bytes).map_err(|_| wrong("UTF-8"))?;
    RawJson::parse(text).map_err(|_| wrong("JSON"))
}
