//! The loss ledger (contract section 8): per endpoint, over the deliveries with trigger `initial`
//! that are kept, matched = delivered + waiting + dead-lettered + skipped + cancelled. Beside the
//! sum, it looks for the shapes that a lost delivery would have. Runs beside a working engine.

use std::time::Duration;

use domain::Timestamp;
use domain::id::{DeliveryId, EndpointId, ProjectId};
use domain::status::DeliveryTrigger;
use serde::Serialize;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::rows;
use crate::row::Row;
use crate::sql::Sql;

mod latest;

pub use latest::{LatestSum, latest};

/// Faults of one kind that are listed at most; one is enough to look.
const LISTED: u32 = 100;
/// A lease that ended longer ago than this was forgotten by every engine: they look each second.
const FORGOTTEN: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);
/// Each place of a row's sum, of deliveries `d`.
const PLACES: &str = "SUM(CASE WHEN d.status = 'delivered' THEN 1 ELSE 0 END) AS delivered, \
     SUM(CASE WHEN d.status IN ('pending', 'retrying') THEN 1 ELSE 0 END) AS waiting, \
     SUM(CASE WHEN d.status = 'dead_lettered' THEN 1 ELSE 0 END) AS dead_lettered, \
     SUM(CASE WHEN d.status = 'skipped' THEN 1 ELSE 0 END) AS skipped, \
     SUM(CASE WHEN d.status = 'cancelled' THEN 1 ELSE 0 END) AS cancelled";

/// Which deliveries are counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct LedgerScope {
    /// Of one project.
    pub project_id: Option<ProjectId>,
    /// To one endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// Created then or later.
    pub created_after: Option<Timestamp>,
    /// Created before.
    pub created_before: Option<Timestamp>,
}

/// What the shapes are judged by.
#[derive(Clone, Copy, Debug)]
pub struct LedgerTimes {
    /// The time.
    pub now: Timestamp,
    /// How long attempts are kept (`BOTIX_ATTEMPT_RETENTION`).
    pub attempts_kept: Duration,
}

/// One endpoint's sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerRow {
    /// Whose.
    pub project_id: ProjectId,
    /// Where to.
    pub endpoint_id: EndpointId,
    /// Events that matched the endpoint's subscription.
    pub matched: u64,
    /// Answered with a 2xx.
    pub delivered: u64,
    /// Not sent yet, or between two attempts.
    pub waiting: u64,
    /// In the inbox, or resolved there.
    pub dead_lettered: u64,
    /// Matched a disabled endpoint.
    pub skipped: u64,
    /// Called off.
    pub cancelled: u64,
}

impl LedgerRow {
    /// Nothing has matched yet.
    fn empty(project_id: ProjectId, endpoint_id: EndpointId) -> Self {
        Self {
            project_id,
            endpoint_id,
            matched: 0,
            delivered: 0,
            waiting: 0,
            dead_lettered: 0,
            skipped: 0,
            cancelled: 0,
        }
    }

    /// Whether every delivery is in exactly one of the five places.
    pub fn is_balanced(&self) -> bool {
        self.matched == self.delivered + self.waiting + self.dead_lettered + self.skipped + self.cancelled
    }
}

/// A delivery in a shape that nothing would ever move again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerFault {
    /// What is wrong: `waits_for_nothing`, `lease_forgotten`, `ended_but_due`, `no_dead_letter`,
    /// `attempts_uncounted`.
    pub kind: &'static str,
    /// Which delivery.
    pub delivery_id: DeliveryId,
}

/// What the ledger says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// By endpoint.
    pub endpoints: Vec<LedgerRow>,
    /// Empty when nothing is lost.
    pub faults: Vec<LedgerFault>,
    /// Whether every sum is right and there is no fault.
    pub balanced: bool,
}

/// Adds everything up.
///
/// # Errors
/// The database's.
pub async fn ledger(conn: &mut Conn, scope: LedgerScope, times: LedgerTimes) -> Result<Ledger, StoreError> {
    let endpoints = sums(conn, scope).await?;
    let mut faults = Vec::new();
    for (kind, shape) in SHAPES {
        let query = shape(Sql::new("SELECT d.id FROM btx_webhook_delivery d WHERE "), times);
        let query = scoped(query, scope).push(" LIMIT ").bind(LISTED);
        let found = rows(conn, query, |row| row.parse("id")).await?;
        faults.extend(found.into_iter().map(|delivery_id| LedgerFault { kind, delivery_id }));
    }
    let balanced = faults.is_empty() && endpoints.iter().all(LedgerRow::is_balanced);
    Ok(Ledger { endpoints, faults, balanced })
}

async fn sums(conn: &mut Conn, scope: LedgerScope) -> Result<Vec<LedgerRow>, StoreError> {
    let query = Sql::new("SELECT d.project_id, d.endpoint_id, COUNT(*) AS matched, ").push(PLACES);
    let query = query.push(" FROM btx_webhook_delivery d WHERE d.cause = ").bind(DeliveryTrigger::Initial);
    let query = scoped(query, scope).push(" GROUP BY d.project_id, d.endpoint_id ORDER BY d.project_id, d.endpoint_id");
    rows(conn, query, |row| sum(row, row.parse("project_id")?, row.parse("endpoint_id")?)).await
}

fn sum(row: &Row, project_id: ProjectId, endpoint_id: EndpointId) -> Result<LedgerRow, StoreError> {
    Ok(LedgerRow {
        project_id,
        endpoint_id,
        matched: row.small("matched")?,
        delivered: row.small("delivered")?,
        waiting: row.small("waiting")?,
        dead_lettered: row.small("dead_lettered")?,
        skipped: row.small("skipped")?,
        cancelled: row.small("cancelled")?,
    })
}

/// What a lost delivery would look like. Each shape is asked for in one statement, so that a working
/// engine never makes it true in between.
type Shape = (&'static str, fn(Sql, LedgerTimes) -> Sql);

const SHAPES: [Shape; 5] = [
    ("waits_for_nothing", |query, _| {
        query.push("d.status IN ('pending', 'retrying') AND d.next_attempt_at IS NULL AND d.leased_until IS NULL")
    }),
    ("lease_forgotten", |query, times| query.push("d.leased_until < ").bind(times.now.minus(FORGOTTEN))),
    ("ended_but_due", |query, _| {
        query.push(
            "d.status NOT IN ('pending', 'retrying') AND d.next_attempt_at IS NOT NULL AND d.leased_until IS NULL",
        )
    }),
    // A resolved dead letter is kept 90 days; its delivery cannot be younger.
    ("no_dead_letter", |query, times| {
        query
            .push("d.status = 'dead_lettered' AND d.created_at > ")
            .bind(times.now.minus(DAY * 90))
            .push(" AND NOT EXISTS (SELECT 1 FROM btx_webhook_dead_letter l WHERE l.delivery_id = d.id)")
    }),
    // Only while all attempts must still be there, and not while retention is just taking them.
    ("attempts_uncounted", |query, times| {
        query
            .push("d.leased_until IS NULL AND d.created_at > ")
            .bind(times.now.minus(times.attempts_kept.mul_f64(0.9)))
            .push(" AND d.attempts_count <> (SELECT COUNT(*) FROM btx_webhook_attempt a WHERE a.delivery_id = d.id)")
    }),
];

fn scoped(query: Sql, scope: LedgerScope) -> Sql {
    let mut query = query;
    if let Some(project) = scope.project_id {
        query = query.push(" AND d.project_id = ").bind(project);
    }
    if let Some(endpoint) = scope.endpoint_id {
        query = query.push(" AND d.endpoint_id = ").bind(endpoint);
    }
    if let Some(after) = scope.created_after {
        query = query.push(" AND d.created_at >= ").bind(after);
    }
    if let Some(before) = scope.created_before {
        query = query.push(" AND d.created_at < ").bind(before);
    }
    query
}
