//! One delivery.

use domain::model::Delivery;
use store::{attempts, dead_letters, deliveries, endpoints};

use super::attempt::{ladder, next_step};
use super::{Captions, attempt_row, captions, retried, retry_form};
use crate::error::UiError;
use crate::model::{DeliveryRow, DeliveryView};
use crate::ssr::{Access, Problem};

/// One delivery with its attempts.
pub(crate) async fn delivery(project: &str, id: &str, just_made: Option<&str>) -> Result<DeliveryView, Problem> {
    let mut access = Access::to(project).await?;
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let conn = &mut access.conn;
    let found = deliveries::get(conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    let made = attempts::of_delivery(conn, access.project, id).await?;
    let letter = dead_letters::of_delivery(conn, access.project, id).await?;
    let captions = captions(endpoints::captions(conn, access.project).await?);
    let schedule = access.state.store.environment().schedule.clone();
    Ok(DeliveryView {
        id: found.id.to_string(),
        status: found.status,
        event_id: found.event_id.to_string(),
        event_type: found.event_type.clone(),
        endpoint_id: found.endpoint_id.to_string(),
        endpoint: caption(&found, &captions),
        request_id: found.request_id.to_string(),
        parent_delivery_id: found.parent_delivery_id.map(|id| id.to_string()),
        created_at: found.created_at.into(),
        next: next_step(&found, letter.as_ref(), access.state.store.now()),
        ladder: ladder(&schedule, &made, &found),
        attempts: made.iter().map(|attempt| attempt_row(attempt, &captions)).collect(),
        retry: retry_form(&access, found.id.to_string()),
        retried: retried(&mut access, just_made, &captions).await?,
    })
}

/// A delivery as a list shows it.
pub(super) fn row(delivery: &Delivery, captions: &Captions) -> DeliveryRow {
    DeliveryRow {
        id: delivery.id.to_string(),
        endpoint: caption(delivery, captions),
        status: delivery.status,
        attempts_count: delivery.attempts_count,
        at: delivery.created_at.into(),
    }
}

fn caption(delivery: &Delivery, captions: &Captions) -> String {
    captions.get(&delivery.endpoint_id).cloned().unwrap_or_else(|| delivery.endpoint_id.to_string())
}
