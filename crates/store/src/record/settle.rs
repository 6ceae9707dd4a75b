//! Moving deliveries on, many to a statement.

use std::collections::{HashMap, HashSet};

use domain::Timestamp;
use domain::id::DeliveryId;
use domain::ladder::NextStep;
use domain::status::DeliveryStatus;

use super::{Finished, next_at};
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::{Bind as _, Sql};
use crate::table::pieces;
use crate::tx::Tx;

/// Where each delivery of `batch` stands now; those that had lost their claim are left out. One that
/// was called off while its request was under way stays so, unless the request turned out to
/// deliver it.
pub(super) async fn settle<'f>(
    tx: &mut Tx,
    batch: &'f [Finished],
    now: Timestamp,
) -> Result<Vec<(&'f Finished, DeliveryStatus)>, StoreError> {
    tx.savepoint().await?;
    if as_expected(tx, batch, now).await? {
        tx.release_savepoint().await?;
        return Ok(batch.iter().map(|finished| (finished, status(finished))).collect());
    }
    tx.rollback_to_savepoint().await?;
    one_by_one(tx, batch, now).await
}

/// Moves all of them on, if nothing has happened to any: the common case, in which no row comes back. Otherwise
/// it is to be undone.
async fn as_expected(tx: &mut Tx, batch: &[Finished], now: Timestamp) -> Result<bool, StoreError> {
    let batch: Vec<_> = batch.iter().collect();
    for chunk in pieces(tx.dialect(), &batch) {
        let query = moving(tx, chunk, now).push(" AND d.status <> 'cancelled'");
        if query.execute(tx).await? != chunk.len() as u64 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Moves on whoever can be, and asks what came of each.
async fn one_by_one<'f>(
    tx: &mut Tx,
    batch: &'f [Finished],
    now: Timestamp,
) -> Result<Vec<(&'f Finished, DeliveryStatus)>, StoreError> {
    let mut seen = HashSet::with_capacity(batch.len());
    // Of one delivery twice, only the token tells which holds: each in a statement of its own.
    let (first, again): (Vec<_>, Vec<_>) = batch.iter().partition(|finished| seen.insert(finished.delivery_id));
    let mut settled = Vec::with_capacity(batch.len());
    for chunk in pieces(tx.dialect(), &first).chain(again.chunks(1)) {
        let query = moving(tx, chunk, now).push(" RETURNING id, status");
        let moved = rows(tx, query, |row| Ok((row.parse("id")?, row.parse("status")?))).await?;
        let moved: HashMap<DeliveryId, DeliveryStatus> = moved.into_iter().collect();
        settled.extend(chunk.iter().filter_map(|finished| Some((*finished, *moved.get(&finished.delivery_id)?))));
    }
    Ok(settled)
}

/// The statement that moves deliveries on whose claim still holds.
fn moving(tx: &Tx, chunk: &[&Finished], now: Timestamp) -> Sql {
    let schedule = tx.environment().schedule;
    let rows_of = chunk.iter().map(|finished| {
        let next = next_at(finished);
        [
            finished.delivery_id.value(),
            finished.token.as_str().value(),
            status(finished).value(),
            next.value(),
            next.map(|at| schedule.dead_letters_at(finished.rungs_taken, at)).value(),
            finished.rungs_taken.value(),
            finished.interruptions.value(),
            finished.requested_at.value(),
            finished.result.status.value(),
            finished.result.error.value(),
        ]
    });
    let query = Sql::new(
        "WITH came (delivery_id, token, result, next_at, last_at, rungs, interrupted, began, code, error) AS (",
    );
    let query = query.table(tx.dialect(), rows_of.collect());
    let stays = "d.status = 'cancelled' AND came.result <> 'delivered'";
    query
        .push(") UPDATE btx_webhook_delivery AS d SET ")
        .push(&format!("status = CASE WHEN {stays} THEN d.status ELSE came.result END, "))
        .push(&format!("cancel_reason = CASE WHEN {stays} THEN d.cancel_reason ELSE NULL END, "))
        .push(&format!("next_attempt_at = CASE WHEN {stays} THEN NULL ELSE came.next_at END, "))
        .push(&format!("dead_letters_at = CASE WHEN {stays} THEN NULL ELSE came.last_at END, "))
        .push(
            "rungs_taken = came.rungs, interruptions = came.interrupted, last_attempt_at = came.began, \
             last_response_status_code = came.code, last_error_code = came.error, leased_until = NULL, \
             claim_token = NULL, claimed_at = NULL, updated_at = ",
        )
        .bind(now)
        .push(" FROM came WHERE d.id = came.delivery_id AND d.claim_token = came.token")
}

const fn status(finished: &Finished) -> DeliveryStatus {
    match finished.next {
        NextStep::Delivered => DeliveryStatus::Delivered,
        NextStep::RetryAt { .. } => DeliveryStatus::Retrying,
        NextStep::DeadLetter { .. } => DeliveryStatus::DeadLettered,
    }
}
