//! The page of endpoints, and one endpoint.

use std::time::Duration;

use domain::cursor::Walk;
use domain::event_type::EventPattern;
use domain::filter::TimeRange;
use domain::page::PageRequest;
use domain::status::AttemptStatus;
use store::ledger::latest;
use store::{counters, endpoints as repository, health};

use super::{ROWS, paging};
use crate::error::UiError;
use crate::model::{EndpointRow, EndpointView, EndpointsView, HealthView, LedgerView};
use crate::ssr::{Access, Problem};

/// The deliveries that the ledger of a page adds up at most.
const ADDED_UP: u32 = 2_000;

/// The endpoints.
pub(crate) async fn endpoints(project: &str, query: &str) -> Result<EndpointsView, Problem> {
    let mut access = Access::to(project).await?;
    let walk = Walk { list: "endpoints", project: access.project, filters: "" };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let conn = &mut access.conn;
    let mut page = repository::list(conn, access.project, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::list(conn, access.project, request).await?;
    }
    let failing = health::failing(conn, page.data.iter().map(|endpoint| endpoint.id)).await?;
    Ok(EndpointsView {
        may_change: access.may_change(),
        pager: paging::around(&signer, walk, request, &page),
        rows: page
            .data
            .into_iter()
            .map(|endpoint| EndpointRow {
                id: endpoint.id.to_string(),
                url: endpoint.url,
                event_types: joined(&endpoint.event_types),
                enabled: endpoint.enabled,
                is_failing: failing.contains_key(&endpoint.id),
                at: endpoint.created_at.into(),
            })
            .collect(),
        api_url: access.state.api_url.clone(),
    })
}

/// One endpoint. Its secret is shown by the API alone, and only once.
pub(crate) async fn endpoint(project: &str, id: &str) -> Result<EndpointView, Problem> {
    let mut access = Access::to(project).await?;
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let found = repository::get(&mut access.conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    let now = access.state.store.now();
    let day =
        TimeRange { created_after: Some(now.hour().minus(Duration::from_secs(23 * 3_600))), created_before: None };
    let hours = counters::by_hour(&mut access.conn, access.project, Some(id), &day).await?;
    let count = |status: AttemptStatus| hours.iter().filter(|hour| hour.status == status).map(|hour| hour.count).sum();
    let last_day = AttemptStatus::ALL.iter().map(|status| (*status, count(*status))).collect();
    let fares = health::of(&mut access.conn, access.project, id, now).await?.unwrap_or_default();
    let sum = latest(&mut access.conn, access.project, id, ADDED_UP).await?;
    Ok(EndpointView {
        health: HealthView {
            failures_in_a_row: fares.consecutive_failures,
            failing_since: fares.failing_since.map(Into::into),
            last_success: fares.last_success_at.map(Into::into),
            last_failure: fares.last_failure_at.map(Into::into),
            success: fares.success_percent.map(|percent| (percent, fares.delivered, fares.attempts)),
            response_ms: fares.response_ms_p50.zip(fares.response_ms_p95),
            disabled: found.disabled_reason.map(|reason| (reason, found.disabled_at.map(Into::into))),
        },
        ledger: LedgerView {
            matched: sum.row.matched,
            delivered: sum.row.delivered,
            waiting: sum.row.waiting,
            dead_lettered: sum.row.dead_lettered,
            skipped: sum.row.skipped,
            cancelled: sum.row.cancelled,
            since: sum.since.map(Into::into),
        },
        previous_until: found.previous_secret_expires_at.filter(|until| *until > now).map(Into::into),
        last_day,
        may_change: access.may_change(),
        id: found.id.to_string(),
        url: found.url,
        event_types: joined(&found.event_types),
        description: found.description,
        enabled: found.enabled,
        secret_rotated_at: found.secret_rotated_at.map(Into::into),
        created_at: found.created_at.into(),
        updated_at: found.updated_at.into(),
    })
}

fn joined(patterns: &[EventPattern]) -> String {
    let texts: Vec<String> = patterns.iter().map(ToString::to_string).collect();
    texts.join(", ")
}
