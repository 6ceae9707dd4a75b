//! One capture with all that can be said of it, and two beside each other.

use domain::filter::TimeRange;
use domain::id::CaptureId;
use domain::model::{Attempt, Bin, Capture, HeaderLine};
use domain::page::PageRequest;
use domain::status::CaptureKind;
use store::{attempts, inspector as repository};

use super::diff::{self, Side};
use super::{body, capture_row, find, target};
use crate::error::UiError;
use crate::model::{CaptureRow, CaptureView, CompareView, Production};
use crate::query;
use crate::ssr::views::curl;
use crate::ssr::{Access, Problem};

/// A body up to this size travels with the page, for the signature check; a longer one is fetched.
const CARRIED: u32 = 65_536;
/// So many captures can be chosen for a comparison.
const CHOICES: u32 = 30;

/// One capture.
pub(crate) async fn capture(project: &str, bin: &str, id: &str) -> Result<CaptureView, Problem> {
    let mut access = Access::to(project).await?;
    let bin = find(&mut access, bin).await?;
    let found = get(&mut access, &bin, id).await?;
    let beside = repository::neighbours(&mut access.conn, access.project, &found).await?;
    let production = production(&mut access, &found).await?;
    let others = others(&mut access, &found).await?;
    let payload = found.payload.clone().unwrap_or_default();
    let bytes = payload.bytes();
    let content_type = payload.headers.iter().find(|line| line.name.eq_ignore_ascii_case("content-type"));
    let content_type = content_type.map(|line| line.value.as_str()).unwrap_or_default();
    let may_replay = access.may_change();
    access.opened(found.id.to_string()).await?;
    Ok(CaptureView {
        row: capture_row(&found),
        query: found.query.as_deref().map(query::pairs).unwrap_or_default(),
        body: body::view(&bytes, content_type),
        exact: (found.body_size <= CARRIED).then(|| payload.body_base64.clone()),
        remote_ip: found.remote_ip.clone(),
        curl: command(&bin, &found, &payload.headers, &bytes),
        headers: payload.headers.into_iter().map(|line| (line.name, line.value)).collect(),
        source: found.source.clone(),
        production,
        others,
        newer: beside.newer.map(|id| id.to_string()),
        older: beside.older.map(|id| id.to_string()),
        may_replay,
    })
}

/// The capture that is open beside another of its bin.
pub(crate) async fn compare(project: &str, bin: &str, id: &str, with: Option<&str>) -> Result<CompareView, Problem> {
    let mut access = Access::to(project).await?;
    let bin = find(&mut access, bin).await?;
    let this = get(&mut access, &bin, id).await?;
    let other = match with {
        Some(with) => Some(get(&mut access, &bin, with).await?),
        None => None,
    };
    let others = others(&mut access, &this).await?;
    access.opened(this.id.to_string()).await?;
    Ok(CompareView {
        other: other.map(|other| (capture_row(&other), difference(&other, &this))),
        this: capture_row(&this),
        others,
    })
}

async fn get(access: &mut Access, bin: &Bin, id: &str) -> Result<Capture, Problem> {
    let id: CaptureId = id.parse().map_err(|_| UiError::NotFound)?;
    let found = repository::capture(&mut access.conn, access.project, bin.id, id).await?;
    found.ok_or_else(|| UiError::NotFound.into())
}

async fn others(access: &mut Access, this: &Capture) -> Result<Vec<CaptureRow>, Problem> {
    let (conn, request) = (&mut access.conn, PageRequest::first(CHOICES));
    let page = repository::captures(conn, access.project, this.bin_id, &TimeRange::default(), request).await?;
    Ok(page.data.iter().filter(|other| other.id != this.id).map(capture_row).collect())
}

/// The copy of an attempt beside what was sent, read anew from the attempt.
async fn production(access: &mut Access, copy: &Capture) -> Result<Option<Production>, Problem> {
    let attempt = copy.source.as_ref().and_then(|source| source.attempt_id);
    let Some(id) = attempt.filter(|_| copy.kind == CaptureKind::Redirected) else { return Ok(None) };
    let sent = attempts::get_with_payload(&mut access.conn, access.project, id).await?;
    Ok(Some(sent.map_or(Production::Gone, |sent| Production::Compared(beside_sent(&sent, copy)))))
}

fn beside_sent(sent: &Attempt, copy: &Capture) -> crate::model::Difference {
    let payload = sent.payload.clone().unwrap_or_default();
    let lines = payload.request_headers.0.iter().map(|(name, value)| HeaderLine::new(name, value.as_bytes()));
    let headers: Vec<HeaderLine> = lines.collect();
    let line = format!("POST {}", query::path_and_query(&sent.url));
    let old = Side { line, headers: &headers, body: payload.request_body.as_bytes() };
    let held = copy.payload.clone().unwrap_or_default();
    diff::between(&old, &Side { line: first_line(copy), headers: &held.headers, body: &held.bytes() })
}

fn difference(old: &Capture, new: &Capture) -> crate::model::Difference {
    let (a, b) = (old.payload.clone().unwrap_or_default(), new.payload.clone().unwrap_or_default());
    let old = Side { line: first_line(old), headers: &a.headers, body: &a.bytes() };
    diff::between(&old, &Side { line: first_line(new), headers: &b.headers, body: &b.bytes() })
}

fn first_line(capture: &Capture) -> String {
    format!("{} {}", capture.method, target(capture))
}

/// The request as a command that sends it to the bin again.
fn command(bin: &Bin, capture: &Capture, headers: &[HeaderLine], bytes: &[u8]) -> String {
    let suffix = capture.query.as_ref().map_or_else(String::new, |query| format!("?{query}"));
    let url = format!("{}{}{suffix}", bin.url, capture.path);
    let lines: Vec<(String, String)> = headers.iter().map(|line| (line.name.clone(), line.value.clone())).collect();
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    match text {
        Some(text) => curl::request(&capture.method, &url, &lines, curl::Data::Text(text)),
        // No argument can hold these bytes: they are in the file that the page offers.
        None => curl::request(&capture.method, &url, &lines, curl::Data::File(&format!("{}.bin", capture.id))),
    }
}
