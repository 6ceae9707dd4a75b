//! Everything that followed from one request: a bounded set of indexed queries.

use domain::id::{DeliveryId, EventId, ProjectId, RequestId};
use domain::model::Trace;

use crate::attempts;
use crate::conn::Conn;
use crate::dead_letters;
use crate::deliveries;
use crate::error::StoreError;
use crate::events;
use crate::paging::{self, of_request, rows};
use crate::sql::Sql;

/// How many rows of one kind a trace shows at most; an API call makes a handful.
const MOST: u32 = 500;

/// The trace of an API call, or of one webhook by its own request id. Empty when nothing follows.
pub async fn of(conn: &mut Conn, project: ProjectId, request: RequestId) -> Result<Trace, StoreError> {
    let query = oldest_first(of_request(deliveries::select(project), project, request));
    let deliveries = rows(conn, query, deliveries::read).await?;
    let ids: Vec<DeliveryId> = deliveries.iter().map(|delivery| delivery.id).collect();
    let mut of_these: Vec<EventId> = deliveries.iter().map(|delivery| delivery.event_id).collect();
    of_these.dedup();
    let query = events::select(project).push(" AND (request_id = ").bind(request).push(" OR id IN ");
    let events = rows(conn, oldest_first(query.bind_list(of_these).push(")")), events::read).await?;
    let (mut attempts, mut dead_letters) = (Vec::new(), Vec::new());
    if !ids.is_empty() {
        let query = attempts::select(project).push(" AND delivery_id IN ").bind_list(ids.iter().copied());
        attempts = paging::rows(conn, oldest_first(query), attempts::read).await?;
        let query = dead_letters::select(project).push(" AND delivery_id IN ").bind_list(ids.iter().copied());
        dead_letters = paging::rows(conn, oldest_first(query), dead_letters::read).await?;
    }
    Ok(Trace { events, deliveries, attempts, dead_letters })
}

fn oldest_first(query: Sql) -> Sql {
    query.push(" ORDER BY created_at, id LIMIT ").bind(MOST).uncached()
}
