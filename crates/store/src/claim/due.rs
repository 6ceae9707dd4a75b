//! Which endpoints have something due.

use domain::Timestamp;
use domain::id::EndpointId;

use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;
use crate::tx::Tx;

/// Endpoints in one claim at most; the next claim begins behind the last of them.
const ENDPOINTS: usize = 64;

/// Endpoints with something due and no hold, found by jumping along the index from one endpoint to
/// the next instead of reading what each of them has waiting.
pub(super) async fn endpoints(
    tx: &mut Tx,
    now: Timestamp,
    after: Option<EndpointId>,
) -> Result<Vec<EndpointId>, StoreError> {
    let first = after.map(|id| id.to_string()).unwrap_or_default();
    let mut due = jump(tx, now, &first, ENDPOINTS).await?;
    if due.len() < ENDPOINTS && !first.is_empty() {
        // The round goes on at the beginning, up to where it started.
        let rest = jump(tx, now, "", ENDPOINTS - due.len()).await?;
        due.extend(rest.into_iter().filter(|id| Some(*id) <= after));
    }
    Ok(due)
}

async fn jump(tx: &mut Tx, now: Timestamp, first: &str, limit: usize) -> Result<Vec<EndpointId>, StoreError> {
    let waiting = "FROM btx_webhook_delivery d WHERE d.next_attempt_at IS NOT NULL AND d.leased_until IS NULL";
    let query = Sql::new("WITH RECURSIVE e(id) AS (SELECT (SELECT MIN(d.endpoint_id) ")
        .push(waiting)
        .push(" AND d.endpoint_id > ")
        .bind(first)
        .push(") UNION ALL SELECT (SELECT MIN(d.endpoint_id) ")
        .push(waiting)
        .push(" AND d.endpoint_id > e.id) FROM e WHERE e.id IS NOT NULL) SELECT e.id FROM e WHERE e.id IS NOT NULL ")
        .push("AND EXISTS (SELECT 1 ")
        .push(waiting)
        .push(" AND d.endpoint_id = e.id AND d.next_attempt_at <= ")
        .bind(now)
        .push(") AND NOT EXISTS (SELECT 1 FROM btx_webhook_endpoint w WHERE w.id = e.id AND w.held_until > ")
        .bind(now)
        .push(") LIMIT ")
        .bind(i64::try_from(limit).unwrap_or(i64::MAX));
    rows(tx, query, |row| row.parse("id")).await
}
