//! Writing the invented fortnight down.

use std::collections::BTreeMap;

use domain::Timestamp;
use domain::id::{EndpointId, ProjectId};
use domain::model::Headers;
use domain::status::{AttemptStatus, DeliveryStatus, SkipReason};
use store::requests::{self, NewRequest};
use store::{StoreError, Tx, Value};

use super::records::{Attempted, Buried, Delivered, History, columns};
use super::rows::{insert, row};

/// Everything.
pub(super) async fn all(tx: &mut Tx, project: ProjectId, history: &History) -> Result<(), StoreError> {
    contacts(tx, project, history).await?;
    events(tx, project, history).await?;
    let log = history.requests.iter();
    let log: Vec<_> =
        log.map(|request| NewRequest { project, request: request.clone(), replayed_request_id: None }).collect();
    requests::insert_all(tx, &log).await?;
    deliveries(tx, project, history).await?;
    attempts(tx, project, history).await?;
    dead_letters(tx, project, history).await?;
    hours(tx, project, history).await?;
    health(tx, history).await
}

async fn contacts(tx: &mut Tx, project: ProjectId, history: &History) -> Result<(), StoreError> {
    let rows = history.contacts.iter().map(|contact| {
        Ok(row![
            contact.id,
            project,
            &contact.phone,
            &contact.name,
            contact.email.as_ref(),
            json(&contact.tags)?,
            contact.attributes.as_str().as_bytes(),
            contact.created_at,
            contact.updated_at,
        ])
    });
    let rows = rows.collect::<Result<_, StoreError>>()?;
    insert(tx, "btx_contact", "id,project_id,phone,name,email,tags,attributes,created_at,updated_at", rows).await
}

async fn events(tx: &mut Tx, project: ProjectId, history: &History) -> Result<(), StoreError> {
    let rows = history.events.iter().map(|event| {
        let data = event.data.as_str().as_bytes();
        row![event.id, project, &event.event_type, data, event.request_id, event.created_at]
    });
    insert(tx, "btx_event", "id,project_id,event_type,data,request_id,created_at", rows.collect()).await
}

async fn deliveries(tx: &mut Tx, project: ProjectId, history: &History) -> Result<(), StoreError> {
    let row = |one: &Delivered| {
        let event = &history.events[one.event];
        let (status_code, error) = one.last.map(columns).unwrap_or_default();
        let skipped = one.status == DeliveryStatus::Skipped;
        row![
            one.id,
            project,
            event.id,
            &event.event_type,
            one.endpoint,
            one.request_id,
            one.parent,
            one.trigger,
            one.status,
            skipped.then_some(SkipReason::EndpointDisabled),
            one.attempts,
            one.attempts,
            one.last_attempt_at,
            one.next_attempt_at,
            one.dead_letters_at,
            status_code,
            error,
            one.created_at,
            one.updated_at,
        ]
    };
    let rows = history.deliveries.iter().map(row).collect();
    let columns = "id,project_id,event_id,event_type,endpoint_id,request_id,parent_delivery_id,cause,status,\
                   skip_reason,attempts_count,rungs_taken,last_attempt_at,next_attempt_at,dead_letters_at,\
                   last_response_status_code,last_error_code,created_at,updated_at";
    insert(tx, "btx_webhook_delivery", columns, rows).await
}

async fn attempts(tx: &mut Tx, project: ProjectId, history: &History) -> Result<(), StoreError> {
    let row = |one: &Attempted| -> Result<Vec<Value>, StoreError> {
        let event = &history.events[one.event];
        let (status_code, error) = columns(one.met.outcome);
        let answered = status_code.is_some();
        let took = u32::try_from(one.responded_at.since(one.requested_at).as_millis()).unwrap_or(u32::MAX);
        Ok(row![
            one.id,
            project,
            one.delivery,
            event.id,
            &event.event_type,
            one.endpoint,
            one.request_id,
            one.number,
            one.trigger,
            &one.url,
            one.status,
            status_code,
            error,
            one.remote_ip,
            one.requested_at,
            one.responded_at,
            took,
            one.next_attempt_at,
            json(&one.request_headers.0)?,
            answered.then(|| json(&answer_headers(one).0)).transpose()?,
            answered.then_some(one.met.body.as_bytes()),
            one.created_at,
        ])
    };
    let rows = history.attempts.iter().map(row).collect::<Result<_, StoreError>>()?;
    let columns = "id,project_id,delivery_id,event_id,event_type,endpoint_id,request_id,attempt_number,cause,url,status,\
                   response_status_code,error_code,remote_ip,requested_at,responded_at,duration_ms,next_attempt_at,\
                   request_headers,response_headers,response_body,created_at";
    insert(tx, "btx_webhook_attempt", columns, rows).await
}

fn answer_headers(one: &Attempted) -> Headers {
    let kind = if one.met.body.starts_with('{') { "application/json" } else { "text/plain; charset=utf-8" };
    let mut lines = vec![
        ("content-type".to_owned(), kind.to_owned()),
        ("content-length".to_owned(), one.met.body.len().to_string()),
        ("server".to_owned(), "nginx".to_owned()),
    ];
    if let domain::ladder::Outcome::Responded { status: 429, retry_after: Some(at) } = one.met.outcome {
        lines.push(("retry-after".to_owned(), at.since(one.responded_at).as_secs().to_string()));
    }
    Headers(lines)
}

async fn dead_letters(tx: &mut Tx, project: ProjectId, history: &History) -> Result<(), StoreError> {
    let row = |one: &Buried| {
        let event = &history.events[one.event];
        let (status_code, error) = columns(one.last);
        row![
            one.id,
            project,
            one.delivery,
            event.id,
            &event.event_type,
            one.endpoint,
            one.request_id,
            one.reason,
            status_code,
            error,
            one.created_at,
            one.resolved.map(|(at, ..)| at),
            one.resolved.map(|(_, how, _)| how),
            one.resolved.and_then(|(.., delivery)| delivery),
        ]
    };
    let rows = history.dead_letters.iter().map(row).collect();
    let columns = "id,project_id,delivery_id,event_id,event_type,endpoint_id,request_id,reason,\
                   last_response_status_code,last_error_code,created_at,resolved_at,resolution,retry_delivery_id";
    insert(tx, "btx_webhook_dead_letter", columns, rows).await
}

async fn hours(tx: &mut Tx, project: ProjectId, history: &History) -> Result<(), StoreError> {
    let hours = history.hours.iter();
    let rows = hours.map(|((hour, endpoint, status), count)| row![project, *hour, *endpoint, *status, *count]);
    insert(tx, "btx_attempt_hour", "project_id,hour,endpoint_id,status,count", rows.collect()).await
}

/// How an endpoint fares after its attempts, oldest first.
#[derive(Default)]
struct Fares {
    failures: u32,
    failing_since: Option<Timestamp>,
    last_success_at: Option<Timestamp>,
    last_failure_at: Option<Timestamp>,
}

async fn health(tx: &mut Tx, history: &History) -> Result<(), StoreError> {
    let mut attempts: Vec<_> = history.attempts.iter().collect();
    attempts.sort_by_key(|one| one.responded_at);
    let mut endpoints = BTreeMap::<EndpointId, Fares>::new();
    for one in attempts {
        let (fares, at) = (endpoints.entry(one.endpoint).or_default(), one.responded_at);
        if one.status == AttemptStatus::Delivered {
            *fares = Fares { last_success_at: Some(at), last_failure_at: fares.last_failure_at, ..Fares::default() };
        } else {
            fares.failures += 1;
            fares.failing_since = fares.failing_since.or(Some(at));
            fares.last_failure_at = Some(at);
        }
    }
    let rows = endpoints.into_iter().map(|(endpoint, fares)| {
        row![endpoint, fares.failures, fares.failing_since, fares.last_success_at, fares.last_failure_at]
    });
    let columns = "endpoint_id,consecutive_failures,failing_since,last_success_at,last_failure_at";
    insert(tx, "btx_endpoint_health", columns, rows.collect()).await
}

fn json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Inconsistent(format!("the demo's own JSON: {error}")))
}
