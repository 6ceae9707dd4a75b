//! Bins, and one bin with its captures.

mod body;
mod capture;
pub(super) mod diff;

use domain::cursor::Walk;
use domain::filter::TimeRange;
use domain::id::BinId;
use domain::model::{Bin, Capture};
use domain::page::{PageRequest, PageStart};
use store::inspector as repository;

pub(crate) use capture::{capture, compare};

use super::{ROWS, paging};
use crate::error::UiError;
use crate::model::{BinRow, BinView, BinsView, CaptureRow};
use crate::ssr::live::write_position;
use crate::ssr::{Access, Problem};

/// The bins.
pub(crate) async fn bins(project: &str, query: &str) -> Result<BinsView, Problem> {
    let mut access = Access::to(project).await?;
    let (addresses, signer) = (access.state.addresses(), access.state.cursors.clone());
    let walk = Walk { list: "inspector_bins", project: access.project, filters: "" };
    let mut request = paging::wanted(&signer, walk, query)?;
    let (conn, range) = (&mut access.conn, TimeRange::default());
    let mut page = repository::list(conn, &addresses, access.project, &range, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::list(conn, &addresses, access.project, &range, request).await?;
    }
    Ok(BinsView {
        pager: paging::around(&signer, walk, request, &page),
        rows: page.data.into_iter().map(bin_row).collect(),
        may_change: access.may_change(),
    })
}

/// One bin with a page of its captures.
pub(crate) async fn bin(project: &str, id: &str, query: &str) -> Result<BinView, Problem> {
    let mut access = Access::to(project).await?;
    let found = find(&mut access, id).await?;
    let signer = access.state.cursors.clone();
    let filters = found.id.to_string();
    let walk = Walk { list: "inspector_captures", project: access.project, filters: &filters };
    let mut request = paging::wanted(&signer, walk, query)?;
    let (conn, range) = (&mut access.conn, TimeRange::default());
    let now = access.state.store.now();
    let mut page = repository::captures(conn, access.project, found.id, &range, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::captures(conn, access.project, found.id, &range, request).await?;
    }
    let newest = matches!(request.from, PageStart::First);
    let start = domain::cursor::Position { created_at: now, ulid: domain::id::Ulid::nil() };
    Ok(BinView {
        live_from: newest.then(|| write_position(page.data.first().map_or(start, domain::page::Listed::position))),
        pager: paging::around(&signer, walk, request, &page),
        rows: page.data.iter().map(capture_row).collect(),
        url: found.url.clone(),
        bin: bin_row(found),
        may_change: access.may_change(),
    })
}

/// The bin with this id, if the project has it.
pub(crate) async fn find(access: &mut Access, id: &str) -> Result<Bin, Problem> {
    let id: BinId = id.parse().map_err(|_| UiError::NotFound)?;
    let addresses = access.state.addresses();
    let found = repository::get(&mut access.conn, &addresses, access.project, id).await?;
    found.ok_or_else(|| UiError::NotFound.into())
}

fn bin_row(bin: Bin) -> BinRow {
    let answers: Vec<String> = bin.script.steps().iter().map(|step| step.status.to_string()).collect();
    BinRow {
        id: bin.id.to_string(),
        name: bin.name,
        is_default: bin.is_default,
        captures: bin.captures_count,
        answers: answers.join(", "),
        at: bin.created_at.into(),
    }
}

/// A capture as a list shows it.
pub(crate) fn capture_row(capture: &Capture) -> CaptureRow {
    CaptureRow {
        id: capture.id.to_string(),
        kind: capture.kind,
        method: capture.method.clone(),
        target: target(capture),
        answered: capture.response_status_code,
        bytes: capture.body_size,
        at: capture.created_at.into(),
    }
}

/// Path and query; the address itself has neither.
fn target(capture: &Capture) -> String {
    let path = if capture.path.is_empty() { "/" } else { &capture.path };
    capture.query.as_ref().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
}
