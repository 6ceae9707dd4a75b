//! What a bulk retry covers, and sending the next few of it again, each at most once.

use domain::Timestamp;
use domain::filter::{DeadLetterFilter, TimeRange};
use domain::id::{DeadLetterId, DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::model::RetryJob;
use domain::status::{DeadLetterReason, DeliveryStatus, DeliveryTrigger, Resolution};

use super::{Work, careful};
use crate::conn::{Conn, Dialect};
use crate::dead_letters;
use crate::deliveries::{self, NewDelivery};
use crate::error::StoreError;
use crate::paging::{in_range, rows};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

/// How many are sent again in one transaction.
pub const BATCH: usize = 100;

/// How far a job has come: dead letters first, then skipped deliveries, each oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub at_skipped: bool,
    pub after: Option<(Timestamp, String)>,
}

/// What became of a batch.
pub(super) struct Outcome {
    pub done: usize,
    pub failed: usize,
    /// How many of those were left in the inbox because their endpoint failed again.
    pub left: usize,
    /// Where to go on; `None` at the end.
    pub next: Option<Place>,
}

/// A dead letter or a skipped delivery that matches.
struct Found {
    /// Of the walk: a dead letter's or a delivery's.
    id: String,
    created_at: Timestamp,
    delivery_id: DeliveryId,
    event_id: EventId,
    event_type: String,
    endpoint_id: EndpointId,
    has_endpoint: bool,
}

/// How many match a job.
pub(super) async fn count(conn: &mut Conn, project: ProjectId, work: &Work) -> Result<u32, StoreError> {
    let query = letters(Sql::new("SELECT COUNT(*) AS n"), project, work);
    let mut total: u32 = query.fetch_one(conn).await?.small("n")?;
    if wants_skipped(work) {
        let query = skipped(Sql::new("SELECT COUNT(*) AS n"), project, work);
        total = total.saturating_add(query.fetch_one(conn).await?.small("n")?);
    }
    Ok(total)
}

/// Sends the next [`BATCH`] again.
pub(super) async fn advance(tx: &mut Tx, project: ProjectId, work: &Work, place: Place) -> Result<Outcome, StoreError> {
    let most = careful::most(work);
    let found = if place.at_skipped {
        next_skipped(tx, project, work, &place, most).await?
    } else {
        next_letters(tx, project, work, &place, most).await?
    };
    let next = match found.last() {
        Some(last) if found.len() == most => Some(Place { after: Some((last.created_at, last.id.clone())), ..place }),
        _ if !place.at_skipped && wants_skipped(work) => Some(Place { at_skipped: true, after: None }),
        _ => None,
    };
    let looked_at = found.len();
    let mut can_be: Vec<Found> = found.into_iter().filter(|one| one.has_endpoint).collect();
    let mut left = 0;
    if work.careful {
        let failing = careful::failing(tx, project, work, can_be.iter().map(|one| one.endpoint_id)).await?;
        let before = can_be.len();
        can_be.retain(|one| !failing.contains(&one.endpoint_id));
        left = before - can_be.len();
    }
    let taken = if place.at_skipped { not_sent_yet(tx, can_be).await? } else { resolve(tx, can_be).await? };
    let made = repeat(tx, project, &taken).await?;
    if !place.at_skipped {
        for (letter, delivery) in taken.iter().zip(&made) {
            let query = Sql::new("UPDATE btx_webhook_dead_letter SET retry_delivery_id = ").bind(*delivery);
            query.push(" WHERE id = ").bind(&letter.id).execute(tx).await?;
        }
    }
    Ok(Outcome { done: made.len(), failed: looked_at - made.len(), left, next })
}

/// A skipped delivery has one reason only; a job that asks for another wants none of them.
fn wants_skipped(work: &Work) -> bool {
    work.job.include_skipped && work.job.reason.is_none_or(|reason| reason == DeadLetterReason::EndpointDisabled)
}

fn range(job: &RetryJob) -> TimeRange {
    TimeRange { created_after: job.created_after, created_before: job.created_before }
}

/// The dead letters in the inbox that match. What is given up after the job was asked for is not its
/// business: a retry that fails at once would be retried without end.
fn letters(select: Sql, project: ProjectId, work: &Work) -> Sql {
    let job = &work.job;
    let asked = || DeadLetterFilter {
        reason: job.reason.into_iter().collect(),
        endpoint_id: job.endpoint_id,
        event_type: job.event_type.clone(),
        created: range(job),
        ..DeadLetterFilter::default()
    };
    let filter = DeadLetterFilter { resolved: false, ..work.inbox.clone().unwrap_or_else(asked) };
    let query = select.push(" FROM btx_webhook_dead_letter WHERE project_id = ").bind(project);
    dead_letters::matching(query, project, &filter).push(" AND created_at <= ").bind(job.created_at)
}

/// The skipped deliveries that match and that nobody has sent after all.
fn skipped(select: Sql, project: ProjectId, work: &Work) -> Sql {
    let job = &work.job;
    let query = select.push(" FROM btx_webhook_delivery WHERE project_id = ").bind(project);
    let query = query.push(" AND status = ").bind(DeliveryStatus::Skipped);
    let mut query = in_range(query, "created_at", &range(job)).push(" AND created_at <= ").bind(job.created_at);
    if let Some(endpoint) = job.endpoint_id {
        query = query.push(" AND endpoint_id = ").bind(endpoint);
    }
    if let Some(event_type) = &job.event_type {
        query = query.push(" AND event_type = ").bind(event_type);
    }
    query.push(
        " AND NOT EXISTS (SELECT 1 FROM btx_webhook_delivery c WHERE c.parent_delivery_id = btx_webhook_delivery.id)",
    )
}

async fn next_letters(
    tx: &mut Tx,
    project: ProjectId,
    work: &Work,
    place: &Place,
    most: usize,
) -> Result<Vec<Found>, StoreError> {
    let select = Sql::new(
        "SELECT id, created_at, delivery_id, event_id, event_type, endpoint_id, (SELECT COUNT(*) FROM \
         btx_webhook_endpoint e WHERE e.id = btx_webhook_dead_letter.endpoint_id AND e.deleted_at IS NULL) AS places",
    );
    rows(tx, ahead(letters(select, project, work), place, most), found).await
}

async fn next_skipped(
    tx: &mut Tx,
    project: ProjectId,
    work: &Work,
    place: &Place,
    most: usize,
) -> Result<Vec<Found>, StoreError> {
    let select = Sql::new(
        "SELECT id, created_at, id AS delivery_id, event_id, event_type, endpoint_id, (SELECT COUNT(*) FROM \
         btx_webhook_endpoint e WHERE e.id = btx_webhook_delivery.endpoint_id AND e.deleted_at IS NULL) AS places",
    );
    let mut query = ahead(skipped(select, project, work), place, most);
    if tx.dialect() == Dialect::Postgres {
        query = query.push(" FOR UPDATE");
    }
    rows(tx, query, found).await
}

fn ahead(mut query: Sql, place: &Place, most: usize) -> Sql {
    if let Some((created_at, id)) = &place.after {
        query = query.push(" AND (created_at, id) > (").bind(*created_at).push(", ").bind(id).push(")");
    }
    query.push(" ORDER BY created_at, id LIMIT ").bind(i64::try_from(most).unwrap_or(i64::MAX))
}

fn found(row: &Row) -> Result<Found, StoreError> {
    Ok(Found {
        id: row.text("id")?,
        created_at: row.time("created_at")?,
        delivery_id: row.parse("delivery_id")?,
        event_id: row.parse("event_id")?,
        event_type: row.text("event_type")?,
        endpoint_id: row.parse("endpoint_id")?,
        has_endpoint: row.int("places")? > 0,
    })
}

/// Those that are still in the inbox leave it here. Guarded: whoever else presses Retry or dismisses
/// at the same moment finds them resolved, or this does.
async fn resolve(tx: &mut Tx, found: Vec<Found>) -> Result<Vec<Found>, StoreError> {
    if found.is_empty() {
        return Ok(found);
    }
    let now = tx.now();
    let query = Sql::new("UPDATE btx_webhook_dead_letter SET resolved_at = ")
        .bind(now)
        .push(", resolution = ")
        .bind(Resolution::Retried)
        .push(" WHERE resolved_at IS NULL AND id IN ")
        .bind_list(found.iter().map(|one| &one.id))
        .push(" RETURNING id")
        .uncached();
    let taken: Vec<DeadLetterId> = rows(tx, query, |row| row.parse("id")).await?;
    let taken: std::collections::HashSet<String> = taken.iter().map(ToString::to_string).collect();
    Ok(found.into_iter().filter(|one| taken.contains(&one.id)).collect())
}

/// Looks again, now that the rows are locked.
async fn not_sent_yet(tx: &mut Tx, found: Vec<Found>) -> Result<Vec<Found>, StoreError> {
    let query = Sql::new("SELECT parent_delivery_id FROM btx_webhook_delivery WHERE parent_delivery_id IN ")
        .bind_list(found.iter().map(|one| one.delivery_id))
        .uncached();
    let sent: Vec<DeliveryId> = rows(tx, query, |row| row.parse("parent_delivery_id")).await?;
    Ok(found.into_iter().filter(|one| !sent.contains(&one.delivery_id)).collect())
}

async fn repeat(tx: &mut Tx, project: ProjectId, taken: &[Found]) -> Result<Vec<DeliveryId>, StoreError> {
    if taken.is_empty() {
        return Ok(Vec::new());
    }
    let now = tx.now();
    let new = taken.iter().map(|one| NewDelivery {
        request_id: RequestId::generate(now, tx.entropy()),
        event_id: one.event_id,
        event_type: one.event_type.clone(),
        endpoint_id: one.endpoint_id,
        parent_delivery_id: Some(one.delivery_id),
        trigger: DeliveryTrigger::Bulk,
        status: DeliveryStatus::Pending,
        skip_reason: None,
    });
    let new: Vec<NewDelivery> = new.collect();
    deliveries::insert_all(tx, project, new).await
}
