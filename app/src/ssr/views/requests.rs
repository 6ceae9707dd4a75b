//! The log of requests, and the trace of one.

use domain::cursor::Walk;
use domain::filter::{Filter as _, FilterReader};
use domain::model::{ApiRequest, Attempt, DeadLetter, Delivery, Event, Trace};
use domain::page::PageRequest;
use store::requests::RequestListFilter;
use store::{endpoints, idempotency, requests as repository};

use super::chart::Axis;
use super::{Captions, ROWS, captions, json, paging};
use crate::error::UiError;
use crate::model::{RequestRow, RequestsView, TraceFact, TraceStep, TraceView, TracedRequest};
use crate::query;
use crate::ssr::{Access, Problem};

/// The requests that a page's query asks for.
pub(crate) async fn requests(project: &str, query: &str) -> Result<RequestsView, Problem> {
    let mut access = Access::to(project).await?;
    let filter = RequestListFilter::read(&mut FilterReader::new(query::pairs(&query::filters(query))))?;
    let canonical = filter.canonical();
    let walk = Walk { list: "requests", project: access.project, filters: &canonical };
    let signer = access.state.cursors.clone();
    let mut request = paging::wanted(&signer, walk, query)?;
    let conn = &mut access.conn;
    let mut page = repository::list(conn, access.project, &filter, request).await?;
    if paging::ran_into_the_top(request, &page) {
        request = PageRequest::first(ROWS);
        page = repository::list(conn, access.project, &filter, request).await?;
    }
    let axis = Axis::of(&filter.created, access.state.store.now(), access.state.attempt_retention);
    Ok(RequestsView {
        pager: paging::around(&signer, walk, request, &page),
        rows: page.data.iter().map(row).collect(),
        ranges: axis.ranges().to_vec(),
        api_url: access.state.api_url.clone(),
    })
}

/// One request with what followed from it: a bounded number of look-ups by index.
pub(crate) async fn trace(project: &str, id: &str) -> Result<TraceView, Problem> {
    let mut access = Access::to(project).await?;
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let (project, now) = (access.project, access.state.store.now());
    let conn = &mut access.conn;
    let found = repository::get_with_trace(conn, project, id).await?.ok_or(UiError::NotFound)?;
    let captions = captions(endpoints::captions(conn, project).await?);
    let request = match found.request {
        Some(request) => {
            let mut first_request_id = None;
            if let (Some(by), Some(key)) = (request.api_key_id, &request.idempotency_key) {
                let key = idempotency::get(conn, project, by, key, now).await?;
                first_request_id = key.map(|key| key.first_request_id).filter(|first| *first != id);
            }
            Some(TracedRequest {
                row: row(&request),
                api_key_id: request.api_key_id.map(|id| id.to_string()),
                remote_ip: request.remote_ip,
                user_agent: request.user_agent,
                idempotency_key: request.idempotency_key,
                first_request_id: first_request_id.map(|id| id.to_string()),
            })
        }
        None => None,
    };
    let caused_by = found.trace.events.iter().find_map(|event| event.request_id).filter(|cause| *cause != id);
    Ok(TraceView {
        id: id.to_string(),
        request,
        caused_by: caused_by.map(|id| id.to_string()),
        waiting: found.trace.deliveries.iter().any(|delivery| delivery.status.is_waiting()),
        steps: steps(&found.trace, &captions),
    })
}

pub(super) fn row(request: &ApiRequest) -> RequestRow {
    RequestRow {
        id: request.id.to_string(),
        method: request.method.clone(),
        path: request.path.clone(),
        status_code: request.status_code,
        error_code: request.error_code.clone(),
        duration_ms: request.duration_ms,
        outcome: request.idempotency_outcome,
        at: request.created_at.into(),
    }
}

/// One time line, oldest first; what happened at the same time stands in the order of cause.
pub(super) fn steps(trace: &Trace, captions: &Captions) -> Vec<TraceStep> {
    let mut steps: Vec<TraceStep> = trace.events.iter().map(event_step).collect();
    steps.extend(trace.deliveries.iter().map(|delivery| delivery_step(delivery, captions)));
    steps.extend(trace.attempts.iter().map(|attempt| attempt_step(attempt, captions)));
    steps.extend(trace.dead_letters.iter().map(|letter| letter_step(letter, captions)));
    steps.sort_by_key(|step| step.at);
    steps
}

fn event_step(event: &Event) -> TraceStep {
    let subject = json::top_level_id(event.data.as_str());
    let what = TraceFact::Event { event_type: event.event_type.clone(), subject };
    TraceStep { at: event.created_at.into(), id: event.id.to_string(), what }
}

fn delivery_step(delivery: &Delivery, captions: &Captions) -> TraceStep {
    let what = TraceFact::Delivery {
        endpoint: caption(captions, delivery.endpoint_id),
        trigger: delivery.trigger,
        status: delivery.status,
        next_at: delivery.next_attempt_at.map(Into::into),
        parent: delivery.parent_delivery_id.map(|id| id.to_string()),
    };
    TraceStep { at: delivery.created_at.into(), id: delivery.id.to_string(), what }
}

fn attempt_step(attempt: &Attempt, captions: &Captions) -> TraceStep {
    let what = TraceFact::Attempt {
        endpoint: caption(captions, attempt.endpoint_id),
        number: attempt.attempt_number,
        status: attempt.status,
        code: attempt.response_status_code,
        error: attempt.error_code,
        duration_ms: attempt.duration_ms,
    };
    TraceStep { at: attempt.requested_at.into(), id: attempt.id.to_string(), what }
}

fn letter_step(letter: &DeadLetter, captions: &Captions) -> TraceStep {
    let what = TraceFact::DeadLetter {
        endpoint: caption(captions, letter.endpoint_id),
        reason: letter.reason,
        code: letter.last_response_status_code,
        resolution: letter.resolution,
        retry_delivery: letter.retry_delivery_id.map(|id| id.to_string()),
    };
    TraceStep { at: letter.created_at.into(), id: letter.id.to_string(), what }
}

fn caption(captions: &Captions, id: domain::id::EndpointId) -> String {
    captions.get(&id).cloned().unwrap_or_else(|| id.to_string())
}

/// What one request changed and whom it was told to, without how the telling went.
pub(super) async fn what_followed(access: &mut Access, id: domain::id::RequestId) -> Result<Vec<TraceStep>, Problem> {
    let project = access.project;
    let trace = store::traces::of(&mut access.conn, project, id).await?;
    let captions = captions(endpoints::captions(&mut access.conn, project).await?);
    let changes = Trace { attempts: Vec::new(), dead_letters: Vec::new(), ..trace };
    Ok(steps(&changes, &captions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;
    use domain::id::{EventId, Ulid};

    #[test]
    fn the_time_line_runs_from_cause_to_effect() {
        let event = |at: i64, n: u128| Event {
            id: EventId::from_ulid(Ulid::from_parts(1, n)),
            event_type: "contact.created".to_owned(),
            data: domain::model::RawJson::parse(r#"{"id":"con_1"}"#.to_owned()).unwrap(),
            timestamp: Timestamp::from_secs(at),
            request_id: None,
            created_at: Timestamp::from_secs(at),
        };
        let trace = Trace { events: vec![event(9, 1), event(3, 2)], ..Trace::default() };
        let drawn = steps(&trace, &Captions::new());
        assert!(drawn[0].at < drawn[1].at);
    }
}
