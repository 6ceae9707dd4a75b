//! Leasing deliveries of one endpoint, first attempts before retries.

use domain::Timestamp;
use domain::id::{DeliveryId, EndpointId, EventId, ProjectId, RequestId};
use domain::status::DeliveryTrigger;

use super::ClaimToken;
use crate::conn::Dialect;
use crate::error::StoreError;
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
}

/// What makes a delivery ours.
pub(super) struct Claim {
    /// Needs no secrecy, only to differ from every other claim's.
    pub(super) token: ClaimToken,
    pub(super) now: Timestamp,
    pub(super) until: Timestamp,
}

impl Claim {
    /// Leases up to `places` of an endpoint's deliveries that are due, and says how many.
    pub(super) async fn lease(&self, tx: &mut Tx, endpoint: EndpointId, places: u32) -> Result<u64, StoreError> {
        let kept = kept_for_retries(tx, places);
        let lock = if tx.dialect() == Dialect::Postgres { " FOR UPDATE SKIP LOCKED" } else { "" };
        let query = Sql::new("UPDATE btx_webhook_delivery SET attempts_count = attempts_count + 1, claim_token = ")
            .bind(&self.token)
            .push(", leased_until = ")
            .bind(self.until)
            .push(", claimed_at = ")
            .bind(self.now)
            .push(" WHERE id IN (SELECT id FROM (SELECT id");
        let oldest = |query, kind| oldest(query, endpoint, kind, self.now);
        // What is kept is kept only as far as there are retries.
        let query = oldest(query, 0).bind(places).push(" - (SELECT COUNT(*) FROM (SELECT id");
        let query = oldest(query, 1).bind(kept).push(") AS kept)").push(lock);
        let query = oldest(query.push(") AS fresh UNION ALL SELECT id FROM (SELECT id"), 1).bind(places).push(lock);
        query.push(") AS late LIMIT ").bind(places).push(")").execute(tx).await
    }
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
