//! What a claim has leased, each delivery with its event.
//!
//! From SQLite it comes as one row of JSON: its driver hands rows from thread to thread one by one, which for
//! hundreds of short ones costs more than the query.

use std::collections::HashMap;

use domain::Timestamp;
use domain::id::{DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::model::Event;
use domain::status::DeliveryTrigger;
use serde::Deserialize;

use super::lease::{Claim, Lease};
use crate::conn::Dialect;
use crate::error::StoreError;
use crate::events;
use crate::paging::rows;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

/// Bytes of an event that travel in the one row; larger ones have rows of their own.
const SMALL: u32 = 8_192;

/// All that `claim` has leased. An event that is gone is missing.
pub(super) async fn of(tx: &mut Tx, claim: &Claim) -> Result<Vec<(Lease, Option<Event>)>, StoreError> {
    match tx.dialect() {
        Dialect::Sqlite => packed(tx, claim).await,
        Dialect::Postgres => {
            let columns = "d.id, d.project_id, d.event_id, d.endpoint_id, d.request_id, d.cause, d.attempts_count, \
                 d.rungs_taken, e.event_type, e.data, e.request_id AS caused_by, e.created_at";
            rows(tx, ours(claim, Sql::new("SELECT ").push(columns)), read).await
        }
    }
}

fn ours(claim: &Claim, select: Sql) -> Sql {
    let from = " FROM btx_webhook_delivery d LEFT JOIN btx_event e ON e.id = d.event_id WHERE d.leased_until = ";
    select.push(from).bind(claim.until).push(" AND d.claim_token = ").bind(&claim.token)
}

fn read(row: &Row) -> Result<(Lease, Option<Event>), StoreError> {
    let lease = Lease {
        project_id: row.parse("project_id")?,
        delivery_id: row.parse("id")?,
        event_id: row.parse("event_id")?,
        endpoint_id: row.parse("endpoint_id")?,
        request_id: row.parse("request_id")?,
        trigger: row.parse("cause")?,
        attempt_number: row.small("attempts_count")?,
        rungs_taken: row.small("rungs_taken")?,
    };
    let Some(event_type) = row.opt_text("event_type")? else { return Ok((lease, None)) };
    let created_at = row.time("created_at")?;
    let event = Event {
        id: lease.event_id,
        event_type,
        data: events::raw_json(row.bytes("data")?)?,
        timestamp: created_at,
        request_id: row.opt_parse("caused_by")?,
        created_at,
    };
    Ok((lease, Some(event)))
}

/// One delivery of the packed row.
#[derive(Deserialize)]
struct Packed(
    DeliveryId,
    ProjectId,
    EventId,
    EndpointId,
    RequestId,
    DeliveryTrigger,
    u32,
    u32,
    Option<String>,
    Option<String>,
    Option<RequestId>,
    Option<i64>,
);

async fn packed(tx: &mut Tx, claim: &Claim) -> Result<Vec<(Lease, Option<Event>)>, StoreError> {
    let select = Sql::new(
        "SELECT json_group_array(json_array(d.id, d.project_id, d.event_id, d.endpoint_id, d.request_id, d.cause, \
         d.attempts_count, d.rungs_taken, e.event_type, CASE WHEN length(e.data) <= ",
    );
    let select = select.bind(SMALL).push(" THEN CAST(e.data AS TEXT) END, e.request_id, e.created_at)) AS leased");
    let row = ours(claim, select).fetch_one(tx).await?;
    let wrong = |error| StoreError::Inconsistent(format!("leased: {error}"));
    let packed: Vec<Packed> = serde_json::from_str(&row.text("leased")?).map_err(wrong)?;
    let is_large = |one: &&Packed| one.8.is_some() && one.9.is_none();
    let large = large(tx, packed.iter().filter(is_large).map(|one| one.2)).await?;
    let unpack = |Packed(delivery, project, event, endpoint, request, trigger, attempt, rungs, kind, data, by, at)| {
        let lease = Lease {
            project_id: project,
            delivery_id: delivery,
            event_id: event,
            endpoint_id: endpoint,
            request_id: request,
            trigger,
            attempt_number: attempt,
            rungs_taken: rungs,
        };
        let event = match (kind, data, at.map(Timestamp::from_micros)) {
            (Some(event_type), Some(data), Some(created_at)) => Some(Event {
                id: event,
                event_type,
                data: events::raw_json(data.into_bytes())?,
                timestamp: created_at,
                request_id: by,
                created_at,
            }),
            // Gone, or large.
            _ => large.get(&event).cloned(),
        };
        Ok((lease, event))
    };
    packed.into_iter().map(unpack).collect()
}

async fn large(tx: &mut Tx, ids: impl Iterator<Item = EventId>) -> Result<HashMap<EventId, Event>, StoreError> {
    let mut ids: Vec<_> = ids.collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    ids.sort_unstable();
    ids.dedup();
    let query = Sql::new("SELECT id, event_type, data, request_id, created_at FROM btx_event WHERE id IN ");
    let found = query.bind_list(ids).uncached().fetch_all(tx).await?;
    found.iter().map(|row| events::read(row).map(|event| (event.id, event))).collect()
}
