//! Claiming what is due: fair between endpoints, safe between replicas.
//!
//! A claim is a lease. It raises the attempt's number and sets a token and `leased_until`, and
//! commits before anything is sent; only the token's holder may record the outcome.
//!
//! A hung endpoint with any number of waiting deliveries hides nobody else's: due endpoints are
//! found one by one along an index, and each gets its part of the places that are free. Of one
//! endpoint's deliveries, those that have not been tried yet go first, and a quarter of the places
//! is kept for those that have, so that neither kind waits for the other's backlog.

mod due;
mod lease;
mod limits;
mod load;
mod taken;

pub(crate) use load::target;

use std::time::Duration;

use domain::Timestamp;
use domain::id::{AttemptId, DeliveryId, EndpointId, ProjectId, RequestId};
use domain::model::Event;
use domain::secret::WebhookSecret;
use domain::status::{CancelReason, DeadLetterReason, DeliveryStatus, DeliveryTrigger};

use crate::conn::Conn;
use crate::dead_letters::{self, NewDeadLetter};
use crate::error::StoreError;
use crate::sql::Sql;
use crate::tx::Tx;

/// The proof that one holds a claim. Compared when the outcome is recorded.
pub type ClaimToken = String;

use lease::{Claim, Lease};

pub use due::{Due, ENDPOINTS, due, look};
pub use limits::ClaimLimits;

/// A delivery that this process may send now.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The project.
    pub project_id: ProjectId,
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// Its request id.
    pub request_id: RequestId,
    /// What started it.
    pub trigger: DeliveryTrigger,
    /// The number of the attempt that begins now.
    pub attempt_number: u32,
    /// How many rungs were taken before it.
    pub rungs_taken: u32,
    /// Proof of the claim.
    pub token: ClaimToken,
    /// The event.
    pub event: Event,
    /// Where to.
    pub endpoint: Target,
}

/// An endpoint as it is at the moment of sending.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its id.
    pub id: EndpointId,
    /// Its URL.
    pub url: String,
    /// What signs.
    pub secret: WebhookSecret,
    /// What signs beside it while a rotation overlaps.
    pub previous_secret: Option<WebhookSecret>,
    enabled: bool,
    deleted: bool,
}

/// Claims deliveries of endpoints that [`due`] found, up to the places that each was given
/// ([`ClaimLimits::share`]). The claim holds for `lease`: longer than a request can take.
pub async fn claim(tx: &mut Tx, places: &[(Due, u32)], lease: Duration) -> Result<Vec<Claimed>, StoreError> {
    let now = tx.now();
    let token = AttemptId::generate(now, tx.entropy()).ulid().to_string();
    let claim = Claim { token, now, until: now.plus(lease) };
    let mut count = 0;
    for (due, places) in places {
        count += claim.lease(tx, due.endpoint_id, *places).await?;
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let leased = taken::of(tx, &claim).await?;
    let targets = load::targets(tx, leased.iter().map(|(lease, _)| lease.endpoint_id), now).await?;
    let mut claimed = Vec::with_capacity(leased.len());
    for (lease, event) in leased {
        let Some(endpoint) = targets.get(&lease.endpoint_id) else {
            load::give_back(tx, &lease, &claim.token).await?;
            continue;
        };
        // An event outlives its deliveries; a delivery without one is left to the sweep instead of
        // holding up everybody else here.
        let Some(event) = event else { continue };
        if endpoint.deleted || !endpoint.enabled {
            call_off(tx, &lease, &event, endpoint.deleted, now).await?;
            continue;
        }
        claimed.push(Claimed {
            project_id: lease.project_id,
            delivery_id: lease.delivery_id,
            request_id: lease.request_id,
            trigger: lease.trigger,
            attempt_number: lease.attempt_number,
            rungs_taken: lease.rungs_taken,
            token: claim.token.clone(),
            event,
            endpoint: endpoint.clone(),
        });
    }
    Ok(claimed)
}

/// When the next delivery falls due (an endpoint that is held aside): what the engine sleeps until.
pub async fn next_due(conn: &mut Conn) -> Result<Option<Timestamp>, StoreError> {
    let query = Sql::new(
        "SELECT MIN(next_attempt_at) AS at FROM btx_webhook_delivery \
         WHERE next_attempt_at IS NOT NULL AND leased_until IS NULL",
    );
    query.fetch_one(conn).await?.opt_time("at")
}

/// How many deliveries are due at `now`, up to `cap`, and since when the oldest is.
pub async fn backlog(conn: &mut Conn, now: Timestamp, cap: u32) -> Result<(u32, Option<Timestamp>), StoreError> {
    let query = Sql::new(
        "SELECT COUNT(*) AS n, MIN(next_attempt_at) AS oldest FROM (SELECT next_attempt_at FROM btx_webhook_delivery \
         WHERE leased_until IS NULL AND next_attempt_at <= ",
    );
    let query = query.bind(now).push(" ORDER BY next_attempt_at LIMIT ").bind(cap).push(") AS due");
    let row = query.fetch_one(conn).await?;
    Ok((row.small("n")?, row.opt_time("oldest")?))
}

/// Ends a delivery without an attempt, because its endpoint was disabled (to the inbox) or deleted
/// (cancelled) while it waited. The number that the lease took is given back.
async fn call_off(tx: &mut Tx, lease: &Lease, event: &Event, deleted: bool, now: Timestamp) -> Result<(), StoreError> {
    let (status, cancel_reason) = if deleted {
        (DeliveryStatus::Cancelled, Some(CancelReason::EndpointDeleted))
    } else {
        (DeliveryStatus::DeadLettered, None)
    };
    let query = Sql::new("UPDATE btx_webhook_delivery SET attempts_count = attempts_count - 1, status = ")
        .bind(status)
        .push(", cancel_reason = ")
        .bind(cancel_reason)
        .push(
            ", next_attempt_at = NULL, dead_letters_at = NULL, leased_until = NULL, claim_token = NULL, \
             claimed_at = NULL, updated_at = ",
        )
        .bind(now)
        .push(" WHERE id = ")
        .bind(lease.delivery_id)
        .push(" RETURNING last_response_status_code, last_error_code");
    let row = query.fetch_one(tx).await?;
    if deleted {
        return Ok(());
    }
    let letter = NewDeadLetter {
        project_id: lease.project_id,
        delivery_id: lease.delivery_id,
        event_id: lease.event_id,
        event_type: event.event_type.clone(),
        endpoint_id: lease.endpoint_id,
        request_id: lease.request_id,
        reason: DeadLetterReason::EndpointDisabled,
        last_response_status_code: row.opt_small("last_response_status_code")?,
        last_error_code: row.opt_parse("last_error_code")?,
    };
    dead_letters::insert(tx, &letter).await
}
