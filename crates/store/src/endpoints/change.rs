//! Changing an endpoint, replacing its secret, deleting it.

use std::time::Duration;

use domain::event_type::EventPattern;
use domain::id::{EndpointId, ProjectId};
use domain::model::Endpoint;
use domain::secret::WebhookSecret;
use domain::status::{CancelReason, DeliveryStatus};

use super::{get, join};
use crate::error::StoreError;
use crate::sql::Sql;
use crate::tx::Tx;

/// What an endpoint is changed to; `None` leaves a field as it is. The URL has been checked.
#[derive(Clone, Debug, Default)]
pub struct EndpointChange {
    /// Where events are sent; deliveries that wait follow it.
    pub url: Option<String>,
    /// Which events are wanted; at least one.
    pub event_types: Option<Vec<EventPattern>>,
    /// The project's own note; `Some(None)` removes it.
    pub description: Option<Option<String>>,
    /// Whether events are sent.
    pub enabled: Option<bool>,
}

/// Changes an endpoint; `None` when there is none.
pub async fn update(
    tx: &mut Tx,
    project: ProjectId,
    id: EndpointId,
    change: EndpointChange,
) -> Result<Option<Endpoint>, StoreError> {
    let now = tx.now();
    let mut query = Sql::new("UPDATE btx_webhook_endpoint SET updated_at = ").bind(now);
    if let Some(url) = &change.url {
        query = query.push(", url = ").bind(url);
    }
    if let Some(patterns) = &change.event_types {
        query = query.push(", event_types = ").bind(join(patterns));
    }
    if let Some(description) = &change.description {
        query = query.push(", description = ").bind(description.as_ref());
    }
    if let Some(enabled) = change.enabled {
        // Whoever decides by hand overrules what the system decided.
        query = query.push(", disabled_reason = NULL, disabled_at = NULL, enabled = ").bind(enabled);
    }
    if change.url.is_some() || change.enabled == Some(true) {
        begin_anew(tx, project, id).await?;
    }
    of(query, project, id).execute(tx).await?;
    get(tx, project, id).await
}

/// Whoever mends an endpoint starts its time of failing anew. Before its own row is touched: an outcome
/// that is being recorded takes the two in the same order.
async fn begin_anew(tx: &mut Tx, project: ProjectId, id: EndpointId) -> Result<(), StoreError> {
    Sql::new(
        "UPDATE btx_endpoint_health SET consecutive_failures = 0, failing_since = NULL WHERE endpoint_id IN \
         (SELECT w.id FROM btx_webhook_endpoint w WHERE w.project_id = ",
    )
    .bind(project)
    .push(" AND w.id = ")
    .bind(id)
    .push(")")
    .execute(tx)
    .await
    .map(drop)
}

/// Replaces the secret; the old one signs beside the new one for `overlap`. The answer carries the
/// new secret, and nothing else ever does.
pub async fn rotate_secret(
    tx: &mut Tx,
    project: ProjectId,
    id: EndpointId,
    overlap: Duration,
) -> Result<Option<Endpoint>, StoreError> {
    let now = tx.now();
    let secret = WebhookSecret::generate(tx.entropy());
    let sealed = tx.keys().seal(secret.expose().as_bytes(), &id.to_string(), tx.entropy());
    let query = Sql::new("UPDATE btx_webhook_endpoint SET previous_secret = secret, secret = ")
        .bind(sealed)
        .push(", previous_secret_expires_at = ")
        .bind(now.plus(overlap))
        .push(", secret_rotated_at = ")
        .bind(now)
        .push(", updated_at = ")
        .bind(now);
    of(query, project, id).execute(tx).await?;
    let endpoint = get(tx, project, id).await?;
    Ok(endpoint.map(|endpoint| Endpoint { secret: Some(secret.expose().to_owned()), ..endpoint }))
}

/// Deletes an endpoint and calls off what still waits for it. A request that is under way keeps its
/// claim, so that its attempt is recorded. `false` when there is none.
pub async fn delete(tx: &mut Tx, project: ProjectId, id: EndpointId) -> Result<bool, StoreError> {
    let now = tx.now();
    let query = Sql::new("UPDATE btx_webhook_endpoint SET deleted_at = ").bind(now).push(", updated_at = ").bind(now);
    if of(query, project, id).execute(tx).await? == 0 {
        return Ok(false);
    }
    Sql::new("UPDATE btx_webhook_delivery SET status = ")
        .bind(DeliveryStatus::Cancelled)
        .push(", cancel_reason = ")
        .bind(CancelReason::EndpointDeleted)
        .push(", next_attempt_at = NULL, dead_letters_at = NULL, updated_at = ")
        .bind(now)
        .push(" WHERE status IN ('pending', 'retrying') AND project_id = ")
        .bind(project)
        .push(" AND endpoint_id = ")
        .bind(id)
        .execute(tx)
        .await?;
    Ok(true)
}

fn of(query: Sql, project: ProjectId, id: EndpointId) -> Sql {
    query.push(" WHERE deleted_at IS NULL AND project_id = ").bind(project).push(" AND id = ").bind(id)
}
