//! Redirecting an attempt to the inspector (contract section 8): a copy of what was sent becomes a capture
//! in the project's default bin. Nothing is sent, and the original stays as it is.

use domain::id::{AttemptId, BinId, CaptureId, DeadLetterId, DeliveryId, ProjectId};
use domain::model::{CaptureSource, HeaderLine};
use domain::payload;
use domain::status::CaptureKind;

use super::bins;
use super::receive::{self, NewCapture, Received};
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::{attempts, dead_letters, deliveries, events};

/// Where the copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The copy.
    pub capture_id: CaptureId,
    /// The project's default bin.
    pub bin_id: BinId,
}

/// Why there is nothing to copy.
#[derive(Debug, thiserror::Error)]
pub enum RedirectError {
    /// No such row in this project.
    #[error("not found")]
    NotFound,
    /// Nothing has been sent yet, or it is not known what: the attempt was interrupted.
    #[error("there is no attempt whose bytes are known")]
    NoAttempt,
    /// What was sent is past its retention.
    #[error("the attempts are past their retention")]
    Expired,
    /// The database's.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// As many attempts at one delivery are looked through for one that is known.
const MOST: u32 = 50;
const COLUMNS: &str = "id, delivery_id, event_id, endpoint_id, request_id, url, request_headers";

/// Copies one attempt.
///
/// # Errors
/// [`RedirectError`].
pub async fn redirect_attempt(tx: &mut Tx, project: ProjectId, id: AttemptId) -> Result<Copied, RedirectError> {
    let query = attempts::at(Sql::new("SELECT ").push(COLUMNS), project, id);
    let row = query.fetch_optional(tx).await?.ok_or(RedirectError::NotFound)?;
    if lines(&row)?.is_empty() {
        return Err(RedirectError::NoAttempt);
    }
    copy(tx, project, &row).await
}

/// Copies the last attempt at a delivery of which it is known what was sent.
///
/// # Errors
/// [`RedirectError`].
pub async fn redirect_delivery(tx: &mut Tx, project: ProjectId, id: DeliveryId) -> Result<Copied, RedirectError> {
    let delivery = deliveries::get(tx, project, id).await?.ok_or(RedirectError::NotFound)?;
    let query = Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_webhook_attempt WHERE project_id = ").bind(project);
    let query = query.push(" AND delivery_id = ").bind(id);
    let query = query.push(" ORDER BY attempt_number DESC, created_at DESC, id DESC LIMIT ").bind(MOST);
    let found = query.fetch_all(tx).await?;
    for row in &found {
        if !lines(row)?.is_empty() {
            return copy(tx, project, row).await;
        }
    }
    let was_sent = found.is_empty() && delivery.last_attempt_at.is_some();
    Err(if was_sent { RedirectError::Expired } else { RedirectError::NoAttempt })
}

/// Copies the last attempt at a dead letter's delivery.
///
/// # Errors
/// [`RedirectError`].
pub async fn redirect_dead_letter(tx: &mut Tx, project: ProjectId, id: DeadLetterId) -> Result<Copied, RedirectError> {
    let letter = dead_letters::get(tx, project, id).await?.ok_or(RedirectError::NotFound)?;
    redirect_delivery(tx, project, letter.delivery_id).await
}

async fn copy(tx: &mut Tx, project: ProjectId, row: &Row) -> Result<Copied, RedirectError> {
    let event = events::get(tx, project, row.parse("event_id")?).await?.ok_or(RedirectError::Expired)?;
    let url = row.text("url")?;
    let (path, query) = path_and_query(&url);
    let received = Received {
        method: "POST".to_owned(),
        path: path.to_owned(),
        query: query.map(str::to_owned),
        headers: lines(row)?.iter().map(|(name, value)| HeaderLine::new(name, value.as_bytes())).collect(),
        body: payload::render(project, &event),
        remote_ip: None,
    };
    let source = CaptureSource {
        attempt_id: Some(row.parse("id")?),
        delivery_id: Some(row.parse("delivery_id")?),
        event_id: Some(event.id),
        endpoint_id: Some(row.parse("endpoint_id")?),
        request_id: Some(row.parse("request_id")?),
        simulated_at: None,
    };
    let bin = bins::default_id(tx, project).await?;
    receive::hold(tx, project, bin).await?;
    let new = NewCapture {
        kind: CaptureKind::Redirected,
        received,
        response_status_code: None,
        source,
        created_at: tx.now(),
    };
    Ok(Copied { capture_id: receive::insert(tx, project, bin, new).await?, bin_id: bin })
}

fn lines(row: &Row) -> Result<Vec<(String, String)>, StoreError> {
    row.json("request_headers")
}

/// What of a URL is written into the first line of a request.
pub(super) fn path_and_query(url: &str) -> (&str, Option<&str>) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    let target = rest.find(['/', '?']).map_or("/", |at| &rest[at..]);
    match target.split_once('?') {
        Some(("", query)) => ("/", Some(query)),
        Some((path, query)) => (path, Some(query)),
        None => (target, None),
    }
}

#[cfg(test)]
mod tests {
    use super::path_and_query;

    #[test]
    fn path_and_query_are_those_that_were_sent() {
        for (url, path, query) in [
            ("https://example.com", "/", None),
            ("https://example.com/h/?a=/b?c#d", "/h/", Some("a=/b?c")),
            ("http://[::1]:9000?x", "/", Some("x")),
            ("http://example.com/#top", "/", None),
        ] {
            assert_eq!(path_and_query(url), (path, query), "{url}");
        }
    }
}
