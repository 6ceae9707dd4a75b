//! Attempts by hour, endpoint and recorded status: what the chart is drawn from, so that no page
//! counts raw rows. Whoever records an attempt adds to them in the same transaction.

use domain::Timestamp;
use domain::filter::TimeRange;
use domain::id::{EndpointId, ProjectId};
use domain::status::AttemptStatus;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging;
use crate::sql::Sql;

/// How many attempts were recorded in one hour with one status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourCount {
    /// The hour's start, UTC.
    pub hour: Timestamp,
    /// What was recorded.
    pub status: AttemptStatus,
    /// How often.
    pub count: u32,
}

/// The counts of the hours that begin in `range`, oldest first; of one endpoint or of all.
pub async fn by_hour(
    conn: &mut Conn,
    project: ProjectId,
    endpoint: Option<EndpointId>,
    range: &TimeRange,
) -> Result<Vec<HourCount>, StoreError> {
    let query = Sql::new("SELECT hour, status, CAST(SUM(count) AS BIGINT) AS n FROM btx_attempt_hour");
    let query = query.push(" WHERE project_id = ").bind(project);
    let mut query = paging::in_range(query, "hour", range);
    if let Some(endpoint) = endpoint {
        query = query.push(" AND endpoint_id = ").bind(endpoint);
    }
    paging::rows(conn, query.push(" GROUP BY hour, status ORDER BY hour, status"), |row| {
        Ok(HourCount { hour: row.time("hour")?, status: row.parse("status")?, count: row.small("n")? })
    })
    .await
}
