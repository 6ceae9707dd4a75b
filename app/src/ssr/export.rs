//! A list with its filters as a file, CSV or one JSON object a line. Streamed page by page through the
//! same repositories and cursors, so that its size costs no memory.

use async_stream::stream;
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use domain::cursor::Position;
use domain::filter::{AttemptFilter, DeadLetterFilter, Filter as _, FilterReader};
use domain::id::ProjectId;
use domain::page::{Listed, MAX_LIMIT, Page, PageRequest};
use serde::Serialize;
use serde_json::{Map, Value};
use store::events::EventListFilter;
use store::requests::RequestListFilter;
use store::{Store, StoreError, attempts, dead_letters, events, requests};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told};
use crate::query;

/// What is exported, with its filter.
enum Wanted {
    Attempts(AttemptFilter),
    DeadLetters(DeadLetterFilter),
    Events(EventListFilter),
    Requests(RequestListFilter),
}

type Rows = (Vec<Map<String, Value>>, Option<Position>);

/// `/developers/{project_id}/export/{list}.{csv|ndjson}` with the page's own query.
pub(super) async fn export(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, file)): Path<(String, String)>,
    RawQuery(search): RawQuery,
) -> Response {
    let filters = query::filters(&search.unwrap_or_default());
    let mut reader = FilterReader::new(query::pairs(&filters));
    let (list, csv) = match file.rsplit_once('.') {
        Some((list, "csv")) => (list, true),
        Some((list, "ndjson")) => (list, false),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let wanted = match list {
        "attempts" => AttemptFilter::read(&mut reader).map(Wanted::Attempts),
        "dead-letters" => DeadLetterFilter::read(&mut reader).map(Wanted::DeadLetters),
        "events" => EventListFilter::read(&mut reader).map(Wanted::Events),
        "requests" => RequestListFilter::read(&mut reader).map(Wanted::Requests),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let Ok(wanted) = wanted else { return StatusCode::BAD_REQUEST.into_response() };
    let (store, request_id) = (state.store.clone(), visitor.request_id.clone());
    let project = match entered(state, visitor, &project, &wanted, &file).await {
        Ok(project) => project,
        Err(problem) => {
            let status = told::tell(problem, request_id).status();
            return StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response();
        }
    };
    let kind = if csv { "text/csv; charset=utf-8" } else { "application/x-ndjson" };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\"")),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, Body::from_stream(lines(store, project, wanted, csv))).into_response()
}

/// The project, if this visitor may see it. Events carry customers' data: that staff took them is written down.
async fn entered(
    state: AppState,
    visitor: Visitor,
    project: &str,
    wanted: &Wanted,
    file: &str,
) -> Result<ProjectId, Problem> {
    let access = Access::of(state, visitor, project).await?;
    let project = access.project;
    if matches!(wanted, Wanted::Events(_)) {
        access.opened(file.to_owned()).await?;
    }
    Ok(project)
}

/// A file that breaks off says so by its connection: the stream ends with an error.
fn lines(
    store: Store,
    project: ProjectId,
    wanted: Wanted,
    csv: bool,
) -> impl futures::Stream<Item = Result<Bytes, StoreError>> {
    stream! {
        let (mut after, mut named) = (None, false);
        loop {
            let (rows, next) = match page(&store, project, &wanted, after).await {
                Ok(found) => found,
                Err(error) => {
                    tracing::error!(%error, "an export broke off");
                    yield Err(error);
                    return;
                }
            };
            let mut text = String::new();
            for row in rows {
                if csv && !named {
                    line(&mut text, row.keys().map(|name| Value::String(name.clone())));
                    named = true;
                }
                if csv {
                    line(&mut text, row.into_iter().map(|(_, value)| value));
                } else {
                    text.push_str(&Value::Object(row).to_string());
                    text.push('\n');
                }
            }
            yield Ok(Bytes::from(text));
            if next.is_none() {
                return;
            }
            after = next;
        }
    }
}

async fn page(store: &Store, project: ProjectId, wanted: &Wanted, after: Option<Position>) -> Result<Rows, StoreError> {
    let mut conn = store.reader().await?;
    let request = after.map_or_else(|| PageRequest::first(MAX_LIMIT), |after| PageRequest::after(MAX_LIMIT, after));
    match wanted {
        Wanted::Attempts(filter) => rows(&attempts::list(&mut conn, project, filter, request).await?),
        Wanted::DeadLetters(filter) => rows(&dead_letters::list(&mut conn, project, filter, request).await?),
        Wanted::Events(filter) => rows(&events::list(&mut conn, project, filter, request).await?),
        Wanted::Requests(filter) => rows(&requests::list(&mut conn, project, filter, request).await?),
    }
}

fn rows<T: Listed + Serialize>(page: &Page<T>) -> Result<Rows, StoreError> {
    let object = |row: &T| match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err(StoreError::Inconsistent("a row is no object".to_owned())),
    };
    Ok((page.data.iter().map(object).collect::<Result<_, _>>()?, page.next()))
}

/// One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula is led by a quote.
fn line(text: &mut String, cells: impl Iterator<Item = Value>) {
    for (index, cell) in cells.enumerate() {
        let cell = match cell {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        };
        let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        text.push_str(if index == 0 { "\"" } else { ",\"" });
        if formula {
            text.push('\'');
        }
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_neither_two_cells_nor_a_formula() {
        let mut text = String::new();
        let cells = ["a,\"b\"\nc", "=1+1", "-5"].map(|cell| Value::String(cell.to_owned()));
        line(&mut text, cells.into_iter().chain([Value::Null, Value::from(7)]));
        assert_eq!(text, "\"a,\"\"b\"\"\nc\",\"'=1+1\",\"'-5\",\"\",\"7\"\r\n");
    }
}
