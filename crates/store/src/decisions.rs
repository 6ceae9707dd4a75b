//! What a person decides about one delivery or dead letter, short of sending it again: calling off,
//! putting aside, taking back (contract section 7).

use domain::id::{DeadLetterId, DeliveryId, ProjectId};
use domain::model::{DeadLetter, Delivery};
use domain::status::{CancelReason, DeliveryStatus, Resolution};

use crate::error::StoreError;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::{dead_letters, deliveries};

/// Why a decision can't be carried out.
#[derive(Debug, thiserror::Error)]
pub enum DecisionError {
    /// No such row in this project.
    #[error("not found")]
    NotFound,
    /// It has ended, or was resolved in another way.
    #[error("it is too late for that")]
    TooLate,
    /// The database's.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Calls off a delivery that waits. A second call finds it called off and changes nothing.
///
/// One whose request is under way keeps its claim, so that the attempt is recorded; it ends as
/// delivered after all if the request succeeds.
///
/// # Errors
/// [`DecisionError::TooLate`] when it has ended in another way.
pub async fn cancel(tx: &mut Tx, project: ProjectId, id: DeliveryId) -> Result<Delivery, DecisionError> {
    let now = tx.now();
    Sql::new("UPDATE btx_webhook_delivery SET status = ")
        .bind(DeliveryStatus::Cancelled)
        .push(", cancel_reason = ")
        .bind(CancelReason::Requested)
        .push(", next_attempt_at = NULL, dead_letters_at = NULL, updated_at = ")
        .bind(now)
        .push(" WHERE status IN ('pending', 'retrying') AND project_id = ")
        .bind(project)
        .push(" AND id = ")
        .bind(id)
        .execute(tx)
        .await?;
    let found = deliveries::get(tx, project, id).await?.ok_or(DecisionError::NotFound)?;
    if found.cancel_reason == Some(CancelReason::Requested) { Ok(found) } else { Err(DecisionError::TooLate) }
}

/// Takes a dead letter out of the inbox without sending it. A second call changes nothing.
///
/// # Errors
/// [`DecisionError::TooLate`] when it was retried.
pub async fn dismiss(tx: &mut Tx, project: ProjectId, id: DeadLetterId) -> Result<DeadLetter, DecisionError> {
    let now = tx.now();
    Sql::new("UPDATE btx_webhook_dead_letter SET resolved_at = ")
        .bind(now)
        .push(", resolution = ")
        .bind(Resolution::Dismissed)
        .push(" WHERE resolved_at IS NULL AND project_id = ")
        .bind(project)
        .push(" AND id = ")
        .bind(id)
        .execute(tx)
        .await?;
    not_retried(tx, project, id).await
}

/// Puts a dismissed dead letter back into the inbox. One that is there stays there.
///
/// # Errors
/// [`DecisionError::TooLate`] when it was retried.
pub async fn restore(tx: &mut Tx, project: ProjectId, id: DeadLetterId) -> Result<DeadLetter, DecisionError> {
    Sql::new("UPDATE btx_webhook_dead_letter SET resolved_at = NULL, resolution = NULL WHERE resolution = ")
        .bind(Resolution::Dismissed)
        .push(" AND project_id = ")
        .bind(project)
        .push(" AND id = ")
        .bind(id)
        .execute(tx)
        .await?;
    not_retried(tx, project, id).await
}

async fn not_retried(tx: &mut Tx, project: ProjectId, id: DeadLetterId) -> Result<DeadLetter, DecisionError> {
    let found = dead_letters::get(tx, project, id).await?.ok_or(DecisionError::NotFound)?;
    if found.resolution == Some(Resolution::Retried) { Err(DecisionError::TooLate) } else { Ok(found) }
}
