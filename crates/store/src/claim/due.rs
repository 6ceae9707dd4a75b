//! Which endpoints have something due.

use domain::Timestamp;
use domain::id::{EndpointId, ProjectId};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;

/// Endpoints in one look at most; the next one begins behind the last of them.
pub const ENDPOINTS: usize = 64;

/// An endpoint with something due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Its project.
    pub project_id: ProjectId,
    /// How often it has failed since its last success, whoever sent.
    pub consecutive_failures: u32,
}

/// Up to [`ENDPOINTS`] with something due and no hold, behind `after` and round from the beginning, found by
/// jumping along the index from one endpoint to the next instead of reading what each has waiting.
pub async fn due(conn: &mut Conn, now: Timestamp, after: Option<EndpointId>) -> Result<Vec<Due>, StoreError> {
    let first = after.map(|id| id.to_string()).unwrap_or_default();
    let mut due = jump(conn, now, &first, ENDPOINTS).await?;
    if due.len() < ENDPOINTS && !first.is_empty() {
        // The round goes on at the beginning, up to where it started.
        let rest = jump(conn, now, "", ENDPOINTS - due.len()).await?;
        due.extend(rest.into_iter().filter(|found| Some(found.endpoint_id) <= after));
    }
    Ok(due)
}

async fn jump(conn: &mut Conn, now: Timestamp, first: &str, limit: usize) -> Result<Vec<Due>, StoreError> {
    rows(conn, look("", now, first, limit), |row| {
        Ok(Due {
            endpoint_id: row.parse("id")?,
            project_id: row.parse("project_id")?,
            consecutive_failures: row.opt_small("failures")?.unwrap_or(0),
        })
    })
    .await
}

/// The statement that finds them, behind `explain`: empty, or what asks a database for its plan.
pub fn look(explain: &str, now: Timestamp, first: &str, limit: usize) -> Sql {
    let waiting = "FROM btx_webhook_delivery d WHERE d.next_attempt_at IS NOT NULL AND d.leased_until IS NULL";
    // The oldest of a kind, and not EXISTS: two of those with OR between them make PostgreSQL read all that
    // waits, once, to look endpoints up in it.
    let oldest = |kind: i64| {
        let of_kind = super::lease::KIND;
        format!(
            "(SELECT d.next_attempt_at {waiting} AND d.endpoint_id = e.id AND {of_kind} = {kind} \
             ORDER BY d.next_attempt_at LIMIT 1) <= "
        )
    };
    Sql::new(explain)
        .push("WITH RECURSIVE e(id) AS (SELECT (SELECT MIN(d.endpoint_id) ")
        .push(waiting)
        .push(" AND d.endpoint_id > ")
        .bind(first)
        .push(") UNION ALL SELECT (SELECT MIN(d.endpoint_id) ")
        .push(waiting)
        .push(" AND d.endpoint_id > e.id) FROM e WHERE e.id IS NOT NULL) SELECT e.id, ")
        .push("(SELECT w.project_id FROM btx_webhook_endpoint w WHERE w.id = e.id) AS project_id, ")
        .push("(SELECT h.consecutive_failures FROM btx_endpoint_health h WHERE h.endpoint_id = e.id) AS failures ")
        .push("FROM e WHERE e.id IS NOT NULL AND (")
        .push(&oldest(0))
        .bind(now)
        .push(" OR ")
        .push(&oldest(1))
        .bind(now)
        .push(") AND NOT EXISTS (SELECT 1 FROM btx_webhook_endpoint w WHERE w.id = e.id AND w.held_until > ")
        .bind(now)
        .push(") LIMIT ")
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
}
