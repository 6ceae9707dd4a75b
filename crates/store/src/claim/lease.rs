//! Leasing deliveries of one endpoint, first attempts before retries.

use std::time::Duration;

use domain::Timestamp;
use domain::id::{AttemptId, DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::status::DeliveryTrigger;

use super::ClaimToken;
use crate::conn::Dialect;
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;
use crate::tx::Tx;

/// 0 for a delivery that has not been tried, 1 for one that has and for a bulk retry's. The index of
/// what is due has the same text.
pub(super) const KIND: &str = "(CASE WHEN rungs_taken > 0 OR cause = 'bulk' THEN 1 ELSE 0 END)";
/// Of so many places one is kept for retries.
const ONE_IN: u32 = 4;

/// A delivery that is leased to us.
pub(super) struct Lease {
    pub(super) project_id: ProjectId,
    pub(super) delivery_id: DeliveryId,
    pub(super) event_id: EventId,
    pub(super) endpoint_id: EndpointId,
    pub(super) request_id: RequestId,
    pub(super) trigger: DeliveryTrigger,
    pub(super) attempt_number: u32,
    pub(super) rungs_taken: u32,
    pub(super) token: ClaimToken,
}

/// Leases up to `places` of an endpoint's deliveries that are due.
pub(super) async fn lease(
    tx: &mut Tx,
    endpoint: EndpointId,
    places: u32,
    now: Timestamp,
    lease: Duration,
) -> Result<Vec<Lease>, StoreError> {
    // The token needs no secrecy, only to differ from every other claim's.
    let token = AttemptId::generate(now, tx.entropy()).ulid().to_string();
    let kept = kept_for_retries(tx, places);
    let lock = if tx.dialect() == Dialect::Postgres { " FOR UPDATE SKIP LOCKED" } else { "" };
    let query = Sql::new("UPDATE btx_webhook_delivery SET attempts_count = attempts_count + 1, claim_token = ")
        .bind(&token)
        .push(", leased_until = ")
        .bind(now.plus(lease))
        .push(", claimed_at = ")
        .bind(now)
        .push(" WHERE id IN (SELECT id FROM (SELECT id");
    let oldest = |query, kind| oldest(query, endpoint, kind, now);
    // What is kept is kept only as far as there are retries.
    let query = oldest(query, 0).bind(places).push(" - (SELECT COUNT(*) FROM (SELECT id");
    let query = oldest(query, 1).bind(kept).push(") AS kept)").push(lock);
    let query = oldest(query.push(") AS fresh UNION ALL SELECT id FROM (SELECT id"), 1).bind(places).push(lock);
    let query = query.push(") AS late LIMIT ").bind(places);
    let query = query.push(") RETURNING id, project_id, event_id, request_id, cause, attempts_count, rungs_taken");
    rows(tx, query, |row| {
        Ok(Lease {
            project_id: row.parse("project_id")?,
            delivery_id: row.parse("id")?,
            event_id: row.parse("event_id")?,
            endpoint_id: endpoint,
            request_id: row.parse("request_id")?,
            trigger: row.parse("cause")?,
            attempt_number: row.small("attempts_count")?,
            rungs_taken: row.small("rungs_taken")?,
            token: token.clone(),
        })
    })
    .await
}

/// A quarter; of fewer places than four, one now and then.
fn kept_for_retries(tx: &Tx, places: u32) -> u32 {
    let mut dice = [0];
    tx.entropy().fill(&mut dice);
    let fraction = u32::from(dice[0]) * ONE_IN / 256;
    (places + fraction) / ONE_IN
}

/// `query`, going on with an endpoint's due deliveries of one kind, oldest first, up to its `LIMIT`.
fn oldest(query: Sql, endpoint: EndpointId, kind: i64, now: Timestamp) -> Sql {
    query
        .push(
            " FROM btx_webhook_delivery WHERE next_attempt_at IS NOT NULL AND leased_until IS NULL AND endpoint_id = ",
        )
        .bind(endpoint)
        .push(&format!(" AND {KIND} = {kind} AND next_attempt_at <= "))
        .bind(now)
        .push(" ORDER BY next_attempt_at LIMIT ")
}
