//! One endpoint's sum for its page: over its latest deliveries only, so that a look costs the same
//! however many there are.

use domain::Timestamp;
use domain::id::{EndpointId, ProjectId};
use domain::status::DeliveryTrigger;

use super::{LedgerRow, PLACES, sum};
use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;

/// One endpoint's sum over its latest deliveries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatestSum {
    /// The sum.
    pub row: LedgerRow,
    /// When the oldest that was added up came into being; `None` when all that are kept were.
    pub since: Option<Timestamp>,
}

/// Adds up the latest `at_most` deliveries to one endpoint, along their index. Retries and tests are
/// among them, but only events that matched count. Looks for no faults.
///
/// # Errors
/// The database's.
pub async fn latest(
    conn: &mut Conn,
    project: ProjectId,
    endpoint: EndpointId,
    at_most: u32,
) -> Result<LatestSum, StoreError> {
    let query = Sql::new("SELECT d.cause, COUNT(*) AS matched, MIN(d.created_at) AS since, ")
        .push(PLACES)
        .push(" FROM (SELECT cause, status, created_at FROM btx_webhook_delivery WHERE project_id = ")
        .bind(project)
        .push(" AND endpoint_id = ")
        .bind(endpoint)
        .push(" ORDER BY created_at DESC, id DESC LIMIT ")
        .bind(at_most)
        .push(") d GROUP BY d.cause");
    let parts = rows(conn, query, |row| {
        Ok((row.parse::<DeliveryTrigger>("cause")?, row.time("since")?, sum(row, project, endpoint)?))
    });
    let parts = parts.await?;
    let seen: u64 = parts.iter().map(|(_, _, part)| part.matched).sum();
    let oldest = parts.iter().map(|(_, since, _)| *since).min();
    let matched = parts.into_iter().find(|(cause, _, _)| *cause == DeliveryTrigger::Initial);
    Ok(LatestSum {
        row: matched.map_or_else(|| LedgerRow::empty(project, endpoint), |(_, _, part)| part),
        since: oldest.filter(|_| seen >= u64::from(at_most)),
    })
}
