//! Walking a list by `(created_at, id)` descending, by a row-value comparison that an index answers.

use domain::cursor::Position;
use domain::filter::{StatusCodeFilter, TimeRange};
use domain::id::{ProjectId, RequestId};
use domain::page::{Listed, Page, PageRequest, PageStart};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;

/// The columns that a list is ordered by.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    pub created_at: &'static str,
    pub id: &'static str,
    /// The id's prefix: positions carry the bare ULID.
    pub prefix: &'static str,
}

/// Fetches one page of `query`, which ends inside its `WHERE` clause.
pub(crate) async fn page<T: Listed>(
    conn: &mut Conn,
    query: Sql,
    order: Order,
    request: PageRequest,
    read: impl Fn(&Row) -> Result<T, StoreError>,
) -> Result<Page<T>, StoreError> {
    let Order { created_at, id, prefix } = order;
    let bound = |query: Sql, sign: &str, position: Position| {
        let query = query.push(&format!(" AND ({created_at}, {id}) {sign} ("));
        query.bind(position.created_at).push(", ").bind(format!("{prefix}{}", position.ulid)).push(")")
    };
    let surplus = i64::from(request.limit) + 1;
    let newest_first = format!(" ORDER BY {created_at} DESC, {id} DESC LIMIT ");
    match request.from {
        PageStart::First => finish(conn, query.push(&newest_first).bind(surplus), request.limit, read).await,
        PageStart::After(position) => {
            let query = bound(query, "<", position).push(&newest_first).bind(surplus);
            finish(conn, query, request.limit, read).await
        }
        PageStart::Offset(offset) => {
            let query = query.push(&newest_first).bind(surplus).push(" OFFSET ").bind(offset);
            finish(conn, query, request.limit, read).await
        }
        PageStart::Before(position) => {
            let query = bound(query, ">", position)
                .push(&format!(" ORDER BY {created_at} ASC, {id} ASC LIMIT "))
                .bind(i64::from(request.limit));
            let mut data = rows(conn, query, read).await?;
            data.reverse();
            // The row that the walk came from is older than all of these.
            Ok(Page { data, has_more: true })
        }
    }
}

async fn finish<T>(
    conn: &mut Conn,
    query: Sql,
    limit: u32,
    read: impl Fn(&Row) -> Result<T, StoreError>,
) -> Result<Page<T>, StoreError> {
    Ok(Page::from_surplus(rows(conn, query, read).await?, limit))
}

pub(crate) async fn rows<T>(
    conn: &mut Conn,
    query: Sql,
    read: impl Fn(&Row) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    query.fetch_all(conn).await?.iter().map(read).collect()
}

/// Adds `created_after <= column < created_before`.
pub(crate) fn in_range(mut query: Sql, column: &str, range: &TimeRange) -> Sql {
    if let Some(from) = range.created_after {
        query = query.push(&format!(" AND {column} >= ")).bind(from);
    }
    if let Some(to) = range.created_before {
        query = query.push(&format!(" AND {column} < ")).bind(to);
    }
    query
}

/// Adds that an HTTP status column is the wanted one or in the wanted class.
pub(crate) fn in_status_range(query: Sql, column: &str, wanted: StatusCodeFilter) -> Sql {
    let (lowest, highest) = wanted.bounds();
    query.push(&format!(" AND {column} BETWEEN ")).bind(lowest).push(" AND ").bind(highest)
}

/// Adds that a delivery's own row (or a copy of its keys) follows from this request: it is the
/// webhook's own id, or that of the API call whose event it delivers.
pub(crate) fn of_request(query: Sql, project: ProjectId, id: RequestId) -> Sql {
    query
        .push(" AND (request_id = ")
        .bind(id)
        .push(" OR event_id IN (SELECT id FROM btx_event WHERE request_id = ")
        .bind(id)
        .push(" AND project_id = ")
        .bind(project)
        .push("))")
}
