//! The page of events, and one event.

use domain::cursor::Walk;
use domain::filter::{DeliveryFilter, Filter as _, FilterReader};
use domain::page::{MAX_LIMIT, PageRequest};
use store::events::EventListFilter;
use store::{deliveries as all_deliveries, endpoints, events as repository};

use super::chart::Axis;
use super::{ROWS, captions, deliveries, json, paging};
use crate::error::UiError;
use crate::model::{EventRow, EventView, EventsView};
use crate::query;
use crate::ssr::{Access, Problem};

/// The events that a page's query asks for.
pub(crate) async fn events(project: &str, query: &str) -> Result<EventsView, Problem> {
    let mut access = Access::to(project).await?;
    let filter = EventListFilter::read(&mut FilterReader::new(query::pairs(&query::filters(query))))?;
    let canonical = filter.canonical();
    let walk = Walk { list: "events", project: access.project, filters: &canonical };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let conn = &mut access.conn;
    let mut page = repository::list(conn, access.project, &filter, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::list(conn, access.project, &filter, request).await?;
    }
    Ok(EventsView {
        pager: paging::around(&signer, walk, request, &page),
        rows: page
            .data
            .into_iter()
            .map(|event| EventRow {
                id: event.id.to_string(),
                event_type: event.event_type,
                at: event.timestamp.into(),
            })
            .collect(),
        ranges: Axis::of(&filter.created, access.state.store.now(), access.state.attempt_retention).ranges().to_vec(),
    })
}

/// One event with its deliveries.
pub(crate) async fn event(project: &str, id: &str) -> Result<EventView, Problem> {
    let mut access = Access::to(project).await?;
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let conn = &mut access.conn;
    let event = repository::get(conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    let captions = captions(endpoints::captions(conn, access.project).await?);
    let of_event = DeliveryFilter { event_id: Some(id), ..DeliveryFilter::default() };
    let found = all_deliveries::list(conn, access.project, &of_event, PageRequest::first(MAX_LIMIT)).await?;
    let view = EventView {
        id: event.id.to_string(),
        event_type: event.event_type,
        at: event.timestamp.into(),
        request_id: event.request_id.map(|id| id.to_string()),
        data: json::indented(event.data.as_str()),
        deliveries: found.data.iter().map(|delivery| deliveries::row(delivery, &captions)).collect(),
    };
    access.opened(event.id.to_string()).await?;
    Ok(view)
}
