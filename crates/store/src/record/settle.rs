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
    let mut seen = HashSet::with_capacity(batch.len());
    // Of one delivery twice, only the token tells which holds: each in a statement of its own.
    let (first, again): (Vec<_>, Vec<_>) = batch.iter().partition(|finished| seen.insert(finished.delivery_id));
    let mut settled = Vec::with_capacity(batch.len());
    for chunk in pieces(tx.dialect(), &first).chain(again.chunks(1)) {
        let moved = move_on(tx, chunk, now).await?;
        settled.extend(chunk.iter().filter_map(|finished| Some((*finished, *moved.get(&finished.delivery_id)?))));
    }
    Ok(settled)
}

async fn move_on(
    tx: &mut Tx,
    chunk: &[&Finished],
    now: Timestamp,
) -> Result<HashMap<DeliveryId, DeliveryStatus>, StoreError> {
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
    let query = query
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
        .push(" FROM came WHERE d.id = came.delivery_id AND d.claim_token = came.token RETURNING id, status");
    let moved = rows(tx, query, |row| Ok((row.parse("id")?, row.parse("status")?))).await?;
    Ok(moved.into_iter().collect())
}

const fn status(finished: &Finished) -> DeliveryStatus {
    match finished.next {
        NextStep::Delivered => DeliveryStatus::Delivered,
        NextStep::RetryAt { .. } => DeliveryStatus::Retrying,
        NextStep::DeadLetter { .. } => DeliveryStatus::DeadLettered,
    }
}
