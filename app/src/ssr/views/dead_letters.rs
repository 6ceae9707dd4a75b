//! The inbox, and one dead letter.

use domain::cursor::Walk;
use domain::filter::{DeadLetterFilter, Filter as _, FilterReader};
use domain::model::DeadLetter;
use domain::page::{PageRequest, PageStart};
use store::{attempts, dead_letters as repository, endpoints, events};

use super::{Captions, ROWS, attempt_row, captions, choices, fresh_token, inbox, jobs, json, paging, retried};
use crate::error::UiError;
use crate::model::{DeadLetterRow, DeadLetterView, DeadLettersView, RetryForm};
use crate::query;
use crate::ssr::{Access, Problem};

/// The dead letters that a page's query asks for.
pub(crate) async fn dead_letters(project: &str, query: &str) -> Result<DeadLettersView, Problem> {
    let mut access = Access::to(project).await?;
    let filter = DeadLetterFilter::read(&mut FilterReader::new(query::pairs(&query::filters(query))))?;
    let canonical = filter.canonical();
    let walk = Walk { list: "dead_letters", project: access.project, filters: &canonical };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let mut page = repository::list(&mut access.conn, access.project, &filter, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::list(&mut access.conn, access.project, &filter, request).await?;
    }
    let captions = captions(endpoints::captions(&mut access.conn, access.project).await?);
    let just_made = query::value(query, "retried");
    let filtered = DeadLetterFilter { resolved: false, ..filter.clone() } != DeadLetterFilter::default();
    let whole = !filtered && !filter.resolved && matches!(request.from, PageStart::First);
    let groups = if whole { inbox::groups(&mut access, &captions).await? } else { Vec::new() };
    let failing = if whole { inbox::failing(&mut access).await? } else { Vec::new() };
    let matching =
        if filter.resolved { 0 } else { store::inbox::count(&mut access.conn, access.project, &filter).await? };
    let running = jobs::running(&mut access).await?;
    Ok(DeadLettersView {
        groups,
        running,
        failing,
        matching,
        may_retry: access.may_retry(),
        rows: page.data.iter().map(|letter| row(&access, letter, &captions)).collect(),
        pager: paging::around(&signer, walk, request, &page),
        resolved: filter.resolved,
        filtered,
        endpoints: choices(&captions),
        retried: retried(&mut access, just_made.as_deref(), &captions).await?,
    })
}

/// One dead letter with the attempts that led to it.
pub(crate) async fn dead_letter(project: &str, id: &str, just_made: Option<&str>) -> Result<DeadLetterView, Problem> {
    let mut access = Access::to(project).await?;
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let conn = &mut access.conn;
    let letter = repository::get(conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    let captions = captions(endpoints::captions(conn, access.project).await?);
    let siblings = attempts::of_delivery(conn, access.project, letter.delivery_id).await?;
    let event = events::get(conn, access.project, letter.event_id).await?;
    let row = row(&access, &letter, &captions);
    let view = DeadLetterView {
        retry: row.retry_token.clone().map(|token| RetryForm { id: row.id.clone(), token }),
        row,
        delivery_id: letter.delivery_id.to_string(),
        event_id: letter.event_id.to_string(),
        endpoint_id: letter.endpoint_id.to_string(),
        request_id: letter.request_id.to_string(),
        resolved_at: letter.resolved_at.map(Into::into),
        retry_delivery_id: letter.retry_delivery_id.map(|id| id.to_string()),
        siblings: siblings.iter().map(|attempt| attempt_row(attempt, &captions)).collect(),
        data: event.map(|event| json::indented(event.data.as_str())),
        retried: retried(&mut access, just_made, &captions).await?,
    };
    access.opened(letter.id.to_string()).await?;
    Ok(view)
}

fn row(access: &Access, letter: &DeadLetter, captions: &Captions) -> DeadLetterRow {
    DeadLetterRow {
        id: letter.id.to_string(),
        event_type: letter.event_type.clone(),
        endpoint: captions.get(&letter.endpoint_id).cloned().unwrap_or_else(|| letter.endpoint_id.to_string()),
        reason: letter.reason,
        response_status_code: letter.last_response_status_code,
        error_code: letter.last_error_code,
        at: letter.created_at.into(),
        resolution: letter.resolution,
        retry_token: (access.may_retry() && letter.resolution.is_none()).then(|| fresh_token(access)),
    }
}
