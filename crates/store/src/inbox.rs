//! The inbox as somebody works through it: what failed together, what is about to join it, and how
//! what was put aside comes back.

use std::collections::BTreeMap;

use domain::Timestamp;
use domain::filter::DeadLetterFilter;
use domain::id::{DeadLetterId, EndpointId, ProjectId};
use domain::status::{AttemptError, DeadLetterReason, DeliveryStatus, Resolution};

use crate::conn::Conn;
use crate::dead_letters::matching;
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;
use crate::tx::Tx;

/// Groups and counts look at no more rows than this.
pub const MOST: u32 = 10_000;
/// A page of groups.
const GROUPS: u32 = 50;
/// In the microseconds that times are stored in.
const HOUR: i64 = 3_600_000_000;

/// Dead letters with one endpoint and one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Where they could not be delivered to.
    pub endpoint_id: EndpointId,
    /// Why.
    pub reason: DeadLetterReason,
    /// The last answer's status.
    pub response_status_code: Option<u16>,
    /// Or the last failure.
    pub error_code: Option<AttemptError>,
    /// How many, up to [`MOST`].
    pub count: u32,
    /// When the first was given up.
    pub since: Timestamp,
    /// When the last was.
    pub last: Timestamp,
}

/// An endpoint with deliveries that have failed at least once and wait for their next attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// How many wait, up to [`MOST`].
    pub waiting: u32,
    /// When the oldest of them was created.
    pub since: Timestamp,
    /// When the first of them would enter the inbox.
    pub first_dead_letter_at: Option<Timestamp>,
    /// How many would enter it in the hour that begins then, earliest first.
    pub by_hour: Vec<(Timestamp, u32)>,
}

/// What waits in the inbox, by endpoint and cause, the largest group first.
pub async fn groups(conn: &mut Conn, project: ProjectId) -> Result<Vec<Group>, StoreError> {
    let query = Sql::new(
        "SELECT endpoint_id, reason, last_response_status_code, last_error_code, COUNT(*) AS n, \
         MIN(created_at) AS since, MAX(created_at) AS last FROM (SELECT endpoint_id, reason, \
         last_response_status_code, last_error_code, created_at FROM btx_webhook_dead_letter \
         WHERE resolved_at IS NULL AND project_id = ",
    )
    .bind(project)
    .push(" ORDER BY created_at DESC, id DESC LIMIT ")
    .bind(MOST)
    .push(") AS inbox GROUP BY endpoint_id, reason, last_response_status_code, last_error_code")
    .push(" ORDER BY n DESC, since LIMIT ")
    .bind(GROUPS);
    rows(conn, query, |row| {
        Ok(Group {
            endpoint_id: row.parse("endpoint_id")?,
            reason: row.parse("reason")?,
            response_status_code: row.opt_small("last_response_status_code")?,
            error_code: row.opt_parse("last_error_code")?,
            count: row.small("n")?,
            since: row.time("since")?,
            last: row.time("last")?,
        })
    })
    .await
}

/// How many dead letters match, up to [`MOST`].
pub async fn count(conn: &mut Conn, project: ProjectId, filter: &DeadLetterFilter) -> Result<u32, StoreError> {
    let all = Sql::new("SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM btx_webhook_dead_letter WHERE project_id = ");
    let query = matching(all.bind(project), project, filter).push(" LIMIT ").bind(MOST).push(") AS found");
    query.fetch_one(conn).await?.small("n")
}

/// The endpoints whose deliveries wait after a failure, the one that loses something first, first.
pub async fn failing(conn: &mut Conn, project: ProjectId) -> Result<Vec<Failing>, StoreError> {
    let query = Sql::new("SELECT endpoint_id, hour, COUNT(*) AS n, MIN(created_at) AS since, MIN(ends) AS ends FROM ")
        .push("(SELECT endpoint_id, created_at, dead_letters_at AS ends, dead_letters_at - dead_letters_at % ")
        .bind(HOUR)
        .push(" AS hour FROM btx_webhook_delivery WHERE project_id = ")
        .bind(project)
        .push(" AND status = ")
        .bind(DeliveryStatus::Retrying)
        .push(" ORDER BY created_at, id LIMIT ")
        .bind(MOST)
        .push(") AS waiting GROUP BY endpoint_id, hour ORDER BY hour, endpoint_id");
    let hours = rows(conn, query, |row| {
        let hour = (row.opt_time("hour")?, row.small::<u32>("n")?);
        Ok((row.parse::<EndpointId>("endpoint_id")?, hour, row.time("since")?, row.opt_time("ends")?))
    });
    let mut endpoints = BTreeMap::<EndpointId, Failing>::new();
    for (endpoint_id, (hour, n), since, ends) in hours.await? {
        let one = endpoints.entry(endpoint_id).or_insert_with(|| Failing {
            endpoint_id,
            waiting: 0,
            since,
            first_dead_letter_at: None,
            by_hour: Vec::new(),
        });
        one.waiting += n;
        one.since = one.since.min(since);
        one.first_dead_letter_at = one.first_dead_letter_at.into_iter().chain(ends).min();
        one.by_hour.extend(hour.map(|hour| (hour, n)));
    }
    let mut failing: Vec<_> = endpoints.into_values().collect();
    failing.sort_by_key(|one| (one.first_dead_letter_at.is_none(), one.first_dead_letter_at, one.endpoint_id));
    failing.truncate(GROUPS as usize);
    Ok(failing)
}

/// Puts dead letters aside. All of one call carry one time, by which [`put_back`] finds them again.
/// Those that somebody has resolved already stay as they are.
pub async fn put_aside(tx: &mut Tx, project: ProjectId, ids: &[DeadLetterId]) -> Result<(u64, Timestamp), StoreError> {
    let now = tx.now();
    let query = Sql::new("UPDATE btx_webhook_dead_letter SET resolved_at = ")
        .bind(now)
        .push(", resolution = ")
        .bind(Resolution::Dismissed)
        .push(" WHERE resolved_at IS NULL AND project_id = ")
        .bind(project)
        .push(" AND id IN ")
        .bind_list(ids.iter().copied())
        .uncached();
    Ok((query.execute(tx).await?, now))
}

/// Takes back what was put aside at this very time.
pub async fn put_back(tx: &mut Tx, project: ProjectId, ids: &[DeadLetterId], at: Timestamp) -> Result<u64, StoreError> {
    Sql::new("UPDATE btx_webhook_dead_letter SET resolved_at = NULL, resolution = NULL WHERE resolution = ")
        .bind(Resolution::Dismissed)
        .push(" AND resolved_at = ")
        .bind(at)
        .push(" AND project_id = ")
        .bind(project)
        .push(" AND id IN ")
        .bind_list(ids.iter().copied())
        .uncached()
        .execute(tx)
        .await
}
