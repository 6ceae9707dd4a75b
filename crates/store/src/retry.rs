//! Retry by hand: the same event and bytes as a new delivery, under a new request id, with attempts
//! from 1 and a link to the delivery that it repeats (contract section 8).

use domain::id::{DeadLetterId, DeliveryId, ProjectId, RequestId};
use domain::model::Delivery;
use domain::status::{CancelReason, DeliveryStatus, DeliveryTrigger, Resolution};

use crate::dead_letters;
use crate::deliveries::{self, NewDelivery};
use crate::error::StoreError;
use crate::sql::Sql;
use crate::tx::Tx;

/// Why a retry was refused.
#[derive(Debug, thiserror::Error)]
pub enum RetryError {
    /// No such thing in this project.
    #[error("not found")]
    NotFound,
    /// The endpoint has been deleted: there is nowhere to send to.
    #[error("the endpoint of {0} has been deleted")]
    EndpointDeleted(DeliveryId),
    /// The dead letter has left the inbox already.
    #[error("{0} is resolved")]
    Resolved(DeadLetterId),
    /// The database's.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Retries a delivery, whatever became of it. With a `token`, a second call with the same token
/// finds the delivery that the first one made.
pub async fn retry_delivery(
    tx: &mut Tx,
    project: ProjectId,
    id: DeliveryId,
    token: Option<&str>,
) -> Result<Delivery, RetryError> {
    if let Some(made) = made_before(tx, project, token).await? {
        return repeats(made, id);
    }
    let original = deliveries::get(tx, project, id).await?.ok_or(RetryError::NotFound)?;
    let made = repeat(tx, project, &original, DeliveryTrigger::Manual, token).await?;
    let now = tx.now();
    // The old dead letter, if there is one, is what the new delivery answers.
    Sql::new("UPDATE btx_webhook_dead_letter SET resolved_at = ")
        .bind(now)
        .push(", resolution = ")
        .bind(Resolution::Retried)
        .push(", retry_delivery_id = ")
        .bind(made.id)
        .push(" WHERE resolved_at IS NULL AND project_id = ")
        .bind(project)
        .push(" AND delivery_id = ")
        .bind(id)
        .execute(tx)
        .await?;
    Ok(made)
}

/// Retries what a dead letter stands for, and takes it out of the inbox.
pub async fn retry_dead_letter(
    tx: &mut Tx,
    project: ProjectId,
    id: DeadLetterId,
    token: Option<&str>,
) -> Result<Delivery, RetryError> {
    if let Some(made) = made_before(tx, project, token).await? {
        let letter = dead_letters::get(tx, project, id).await?.ok_or(RetryError::NotFound)?;
        return repeats(made, letter.delivery_id);
    }
    let letter = dead_letters::get(tx, project, id).await?.ok_or(RetryError::NotFound)?;
    let now = tx.now();
    // First, and guarded: of two who press at once, one finds it resolved.
    let taken = Sql::new("UPDATE btx_webhook_dead_letter SET resolved_at = ")
        .bind(now)
        .push(", resolution = ")
        .bind(Resolution::Retried)
        .push(" WHERE resolved_at IS NULL AND id = ")
        .bind(id)
        .execute(tx)
        .await?;
    if taken == 0 {
        return Err(RetryError::Resolved(id));
    }
    let original = deliveries::get(tx, project, letter.delivery_id).await?.ok_or(RetryError::NotFound)?;
    let made = repeat(tx, project, &original, DeliveryTrigger::Manual, token).await?;
    Sql::new("UPDATE btx_webhook_dead_letter SET retry_delivery_id = ")
        .bind(made.id)
        .push(" WHERE id = ")
        .bind(id)
        .execute(tx)
        .await?;
    Ok(made)
}

async fn repeat(
    tx: &mut Tx,
    project: ProjectId,
    original: &Delivery,
    trigger: DeliveryTrigger,
    token: Option<&str>,
) -> Result<Delivery, RetryError> {
    let query = Sql::new("SELECT 1 AS one FROM btx_webhook_endpoint WHERE deleted_at IS NULL AND project_id = ")
        .bind(project)
        .push(" AND id = ")
        .bind(original.endpoint_id);
    if query.fetch_optional(tx).await?.is_none() {
        return Err(RetryError::EndpointDeleted(original.id));
    }
    supersede(tx, original).await?;
    let now = tx.now();
    let new = NewDelivery {
        request_id: RequestId::generate(now, tx.entropy()),
        event_id: original.event_id,
        event_type: original.event_type.clone(),
        endpoint_id: original.endpoint_id,
        parent_delivery_id: Some(original.id),
        trigger,
        status: DeliveryStatus::Pending,
        skip_reason: None,
    };
    let ids = deliveries::insert_all(tx, project, vec![new]).await?;
    let id = *ids.first().ok_or_else(|| StoreError::Inconsistent("nothing was inserted".to_owned()))?;
    remember(tx, project, token, id).await?;
    deliveries::get(tx, project, id).await?.ok_or(RetryError::NotFound)
}

/// An original that still waits is called off: the new delivery stands in its place. One whose
/// request is under way at this moment keeps its claim, so that its attempt is recorded, and ends
/// as delivered after all if the request succeeds.
async fn supersede(tx: &mut Tx, original: &Delivery) -> Result<(), StoreError> {
    let now = tx.now();
    Sql::new("UPDATE btx_webhook_delivery SET status = ")
        .bind(DeliveryStatus::Cancelled)
        .push(", cancel_reason = ")
        .bind(CancelReason::Superseded)
        .push(", next_attempt_at = NULL, dead_letters_at = NULL, updated_at = ")
        .bind(now)
        .push(" WHERE status IN ('pending', 'retrying') AND id = ")
        .bind(original.id)
        .execute(tx)
        .await
        .map(drop)
}

/// A token belongs to what it was first used for; with something else it is nobody's.
fn repeats(made: Delivery, original: DeliveryId) -> Result<Delivery, RetryError> {
    if made.parent_delivery_id == Some(original) { Ok(made) } else { Err(RetryError::NotFound) }
}

async fn made_before(tx: &mut Tx, project: ProjectId, token: Option<&str>) -> Result<Option<Delivery>, StoreError> {
    let Some(token) = token else { return Ok(None) };
    let query = Sql::new("SELECT delivery_id FROM btx_retry_token WHERE project_id = ")
        .bind(project)
        .push(" AND token = ")
        .bind(token);
    let Some(row) = query.fetch_optional(tx).await? else { return Ok(None) };
    deliveries::get(tx, project, row.parse("delivery_id")?).await
}

async fn remember(tx: &mut Tx, project: ProjectId, token: Option<&str>, id: DeliveryId) -> Result<(), StoreError> {
    let Some(token) = token else { return Ok(()) };
    let now = tx.now();
    Sql::new("INSERT INTO btx_retry_token (project_id, token, delivery_id, created_at) VALUES (")
        .bind(project)
        .push(", ")
        .bind(token)
        .push(", ")
        .bind(id)
        .push(", ")
        .bind(now)
        .push(")")
        .execute(tx)
        .await
        .map(drop)
}
