//! A careful job watches what becomes of what it has sent. It looks at its own deliveries only: those
//! of its project that a bulk retry has made since it began, for jobs of one project run one after the
//! other.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::id::{EndpointId, ProjectId};
use domain::status::{DeliveryStatus, DeliveryTrigger};

use super::Work;
use super::batch::BATCH;
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;
use crate::tx::Tx;

/// How many it begins with.
const FIRST: usize = 10;
/// An endpoint is judged by so many of the latest that were attempted,
const JUDGED: u32 = 10;
/// and by no fewer than this.
const FEWEST: usize = 3;
/// How long a job is put down while what it has sent is under way.
pub(super) const PAUSE: Duration = Duration::from_millis(500);

/// How many it sends next.
pub(super) fn most(work: &Work) -> usize {
    if work.careful && work.job.done == 0 { FIRST } else { BATCH }
}

/// Whether something that it has sent was not attempted yet.
pub(super) async fn must_wait(tx: &mut Tx, project: ProjectId, work: &Work) -> Result<bool, StoreError> {
    let Some(began) = work.job.started_at.filter(|_| work.careful && work.job.done > 0) else { return Ok(false) };
    let query = Sql::new("SELECT 1 AS one FROM btx_webhook_delivery WHERE project_id = ")
        .bind(project)
        .push(" AND status = ")
        .bind(DeliveryStatus::Pending)
        .push(" AND created_at >= ")
        .bind(began)
        .push(" AND cause = ")
        .bind(DeliveryTrigger::Bulk)
        .push(" LIMIT 1");
    Ok(query.fetch_optional(tx).await?.is_some())
}

/// Which of these endpoints take nothing: switched off, or none of the latest arrived there.
pub(super) async fn failing(
    tx: &mut Tx,
    project: ProjectId,
    work: &Work,
    endpoints: impl Iterator<Item = EndpointId>,
) -> Result<BTreeSet<EndpointId>, StoreError> {
    let asked: BTreeSet<EndpointId> = endpoints.collect();
    let off = Sql::new("SELECT id FROM btx_webhook_endpoint WHERE enabled = 0 AND project_id = ")
        .bind(project)
        .push(" AND id IN ")
        .bind_list(asked.iter().copied())
        .uncached();
    let mut failing: BTreeSet<EndpointId> = rows(tx, off, |row| row.parse("id")).await?.into_iter().collect();
    let Some(began) = work.job.started_at else { return Ok(failing) };
    for endpoint in asked {
        let latest = Sql::new("SELECT status FROM btx_webhook_delivery WHERE project_id = ")
            .bind(project)
            .push(" AND endpoint_id = ")
            .bind(endpoint)
            .push(" AND created_at >= ")
            .bind(began)
            .push(" AND cause = ")
            .bind(DeliveryTrigger::Bulk)
            .push(" AND status IN ('delivered', 'retrying', 'dead_lettered') ORDER BY created_at DESC, id DESC LIMIT ")
            .bind(JUDGED);
        let latest: Vec<DeliveryStatus> = rows(tx, latest, |row| row.parse("status")).await?;
        if latest.len() >= FEWEST && !latest.contains(&DeliveryStatus::Delivered) {
            failing.insert(endpoint);
        }
    }
    Ok(failing)
}
