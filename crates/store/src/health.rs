//! How an endpoint fares.
//!
//! What has to be exact and at hand (failures in a row, since when) is one row an endpoint, written in
//! the transaction that records the outcomes (`record::health`). Rates come from the hourly counters
//! that are kept for the chart, one seek for each of 24 hours; response times from the endpoint's
//! latest attempts along their index, 500 at most. So a look costs the same however many attempts
//! there are, and recording one costs no more than that row.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::Timestamp;
use domain::id::{EndpointId, ProjectId};
use domain::model::EndpointHealth;
use domain::status::AttemptStatus;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;

const HOUR: Duration = Duration::from_secs(3_600);
/// The hours that rates are made from, the current one included.
const HOURS: u32 = 24;
/// The attempts that response times are made from at most.
const SAMPLE: u32 = 500;

/// How an endpoint fares at `now`; `None` when there is none in this project.
pub async fn of(
    conn: &mut Conn,
    project: ProjectId,
    endpoint: EndpointId,
    now: Timestamp,
) -> Result<Option<EndpointHealth>, StoreError> {
    let query = Sql::new(
        "SELECT h.consecutive_failures, h.failing_since, h.last_success_at, h.last_failure_at \
         FROM btx_webhook_endpoint w LEFT JOIN btx_endpoint_health h ON h.endpoint_id = w.id \
         WHERE w.deleted_at IS NULL AND w.project_id = ",
    );
    let Some(row) = query.bind(project).push(" AND w.id = ").bind(endpoint).fetch_optional(conn).await? else {
        return Ok(None);
    };
    let (attempts, delivered) = counts(conn, project, endpoint, now).await?;
    let mut took = response_times(conn, project, endpoint, now).await?;
    took.sort_unstable();
    Ok(Some(EndpointHealth {
        consecutive_failures: row.opt_small("consecutive_failures")?.unwrap_or(0),
        failing_since: row.opt_time("failing_since")?,
        last_success_at: row.opt_time("last_success_at")?,
        last_failure_at: row.opt_time("last_failure_at")?,
        attempts,
        delivered,
        success_percent: (u64::from(delivered) * 100)
            .checked_div(u64::from(attempts))
            .and_then(|percent| u32::try_from(percent).ok()),
        response_ms_p50: percentile(&took, 50),
        response_ms_p95: percentile(&took, 95),
    }))
}

/// Since when those of these endpoints fail that do. The ids are of one project, as its list gave them.
pub async fn failing(
    conn: &mut Conn,
    endpoints: impl IntoIterator<Item = EndpointId>,
) -> Result<BTreeMap<EndpointId, Timestamp>, StoreError> {
    let query = Sql::new(
        "SELECT endpoint_id, failing_since FROM btx_endpoint_health WHERE failing_since IS NOT NULL AND endpoint_id IN ",
    )
    .bind_list(endpoints)
    .uncached();
    Ok(rows(conn, query, |row| Ok((row.parse("endpoint_id")?, row.time("failing_since")?)))
        .await?
        .into_iter()
        .collect())
}

/// Attempts and deliveries of the last hours.
async fn counts(
    conn: &mut Conn,
    project: ProjectId,
    endpoint: EndpointId,
    now: Timestamp,
) -> Result<(u32, u32), StoreError> {
    let query = Sql::new("SELECT status, CAST(SUM(count) AS BIGINT) AS n FROM btx_attempt_hour WHERE project_id = ")
        .bind(project)
        .push(" AND hour IN ")
        .bind_list((0..HOURS).map(|n| now.hour().minus(HOUR * n)))
        .push(" AND endpoint_id = ")
        .bind(endpoint)
        .push(" GROUP BY status");
    let counts = rows(conn, query, |row| Ok((row.parse::<AttemptStatus>("status")?, row.small::<u32>("n")?))).await?;
    let sum = |wanted: fn(AttemptStatus) -> bool| {
        counts.iter().filter(|(status, _)| wanted(*status)).map(|(_, count)| count).sum()
    };
    Ok((sum(|status| status != AttemptStatus::Interrupted), sum(|status| status == AttemptStatus::Delivered)))
}

/// How long the latest answers took, in milliseconds.
async fn response_times(
    conn: &mut Conn,
    project: ProjectId,
    endpoint: EndpointId,
    now: Timestamp,
) -> Result<Vec<u32>, StoreError> {
    let query = Sql::new("SELECT duration_ms, response_status_code FROM btx_webhook_attempt WHERE project_id = ")
        .bind(project)
        .push(" AND endpoint_id = ")
        .bind(endpoint)
        .push(" AND created_at >= ")
        .bind(now.minus(HOUR * HOURS))
        .push(" ORDER BY created_at DESC, id DESC LIMIT ")
        .bind(SAMPLE);
    let latest = rows(conn, query, |row| {
        let answered = row.opt_small::<u32>("response_status_code")?.is_some();
        Ok(row.opt_small("duration_ms")?.filter(|_| answered))
    });
    Ok(latest.await?.into_iter().flatten().collect())
}

/// The smallest of the sorted values that so many in a hundred don't exceed.
fn percentile(sorted: &[u32], percent: usize) -> Option<u32> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let hundred: Vec<u32> = (1..=100).collect();
        assert_eq!((percentile(&hundred, 50), percentile(&hundred, 95)), (Some(50), Some(95)));
        assert_eq!((percentile(&[7], 50), percentile(&[7], 95), percentile(&[], 50)), (Some(7), Some(7), None));
    }
}
