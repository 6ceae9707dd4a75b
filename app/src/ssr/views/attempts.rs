//! The page of attempts.

use domain::cursor::Walk;
use domain::filter::{AttemptFilter, Filter as _, FilterReader};
use domain::page::PageRequest;
use store::{attempts as repository, counters, endpoints};

use super::chart::Axis;
use super::{ROWS, attempt_row, captions, choices, inbox, paging};
use crate::model::AttemptsView;
use crate::query;
use crate::ssr::{Access, Problem, live};

/// The attempts that a page's query asks for, with the chart over the same range.
pub(crate) async fn attempts(project: &str, query: &str) -> Result<AttemptsView, Problem> {
    let mut access = Access::to(project).await?;
    let filter = AttemptFilter::read(&mut FilterReader::new(query::pairs(&query::filters(query))))?;
    let canonical = filter.canonical();
    let walk = Walk { list: "attempts", project: access.project, filters: &canonical };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let conn = &mut access.conn;
    let now = access.state.store.now();
    let mut page = repository::list(conn, access.project, &filter, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::list(conn, access.project, &filter, request).await?;
    }
    let captions = captions(endpoints::captions(conn, access.project).await?);
    let axis = Axis::of(&filter.created, now, access.state.attempt_retention);
    let range = axis.counted(&filter.created);
    let counts = counters::by_hour(conn, access.project, filter.endpoint_id, &range).await?;
    let pager = paging::around(&signer, walk, request, &page);
    let newest = pager.newer.is_none() && filter.created.created_before.is_none();
    let failing = if newest { inbox::failing(&mut access).await? } else { Vec::new() };
    Ok(AttemptsView {
        failing,
        live_from: newest.then(|| live::live_from(page.data.first(), now)),
        rows: page.data.iter().map(|attempt| attempt_row(attempt, &captions)).collect(),
        pager,
        endpoints: choices(&captions),
        chart: axis.draw(&counts),
        api_url: access.state.api_url.clone(),
    })
}
