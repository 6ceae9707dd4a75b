//! Sending a capture somewhere again, and rehearsing the retry ladder. Both answer with a page: what
//! came of it stands in no address.

use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use domain::endpoint_url::EndpointUrl;
use domain::id::{BinId, CaptureId, EndpointId, EventId};
use domain::model::ReplayResult;
use domain::status::{AttemptError, AuditAction};
use store::StoreError;
use store::audit::{self, Actor};
use store::inspector::{self, Rehearse, RehearseError};
use store::replay::Replay;

use super::super::endpoints::url_fault;
use super::super::state::AppState;
use super::super::visit::Visitor;
use super::super::{Access, Problem, told, views};
use crate::error::UiError;
use crate::model::{RehearseView, ReplayView};
use crate::query;

/// Shorter than a page may take.
const LONGEST: Duration = Duration::from_secs(25);

/// The form that sends a capture again, as it was answered.
pub(crate) async fn replay(project: &str) -> Result<ReplayView, Problem> {
    if let Some(answer) = told::told::<ReplayView>() {
        return Ok(answer?);
    }
    let access = Access::to(project).await?;
    if access.may_change() { Ok(ReplayView::default()) } else { Err(UiError::Forbidden.into()) }
}

/// The form of a rehearsal, as it was answered; `event` and `endpoint` are what a link proposed.
pub(crate) async fn rehearsal(project: &str, bin: &str, query: &str) -> Result<RehearseView, Problem> {
    if let Some(answer) = told::told::<RehearseView>() {
        return Ok(answer?);
    }
    let mut access = Access::to(project).await?;
    if !access.may_change() {
        return Err(UiError::Forbidden.into());
    }
    let event = query::value(query, "event_id").unwrap_or_default();
    let endpoint = query::value(query, "endpoint_id").unwrap_or_default();
    prepare(&mut access, bin, event, endpoint).await
}

async fn prepare(access: &mut Access, bin: &str, event: String, endpoint: String) -> Result<RehearseView, Problem> {
    let bin = views::inspector::find(access, bin).await?;
    let endpoints = views::endpoint_choices(access).await?;
    Ok(RehearseView { bin: bin.name, event, endpoint, endpoints, ..RehearseView::default() })
}

/// Sends a capture to the address that was typed, through the engine's guard.
pub(super) async fn send(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, bin, capture)): Path<(String, String, String)>,
    request: Request,
) -> Response {
    let Some((parts, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request_id = visitor.request_id.clone();
    let sent = async {
        let mut access = Access::of(state.clone(), visitor, &project).await?;
        if !access.may_change() {
            return Err(UiError::Forbidden.into());
        }
        let bin: BinId = bin.parse().map_err(|_| UiError::NotFound)?;
        let id: CaptureId = capture.parse().map_err(|_| UiError::NotFound)?;
        let found = inspector::capture(&mut access.conn, access.project, bin, id).await?.ok_or(UiError::NotFound)?;
        // The receiver may take its time; the connection is others' meanwhile.
        let (store, actor) = access.into_actor();
        let mut view = ReplayView { url: field(&fields, "url"), ..ReplayView::default() };
        match EndpointUrl::parse(&view.url, |address| state.guard.check(address).is_err()) {
            Ok(url) => {
                let (action, host) = (AuditAction::CaptureReplayed, host(&view.url).to_owned());
                let work = store.write::<_, _, StoreError>(move |tx| {
                    Box::pin(async move { audit::note(tx, &actor, action, Some(&id.to_string()), Some(&host)).await })
                });
                work.await?;
                view.result = Some(in_time(state.replayer.replay(Replay::of(found, url))).await);
            }
            Err(fault) => view.fault = Some(url_fault(fault)),
        }
        Ok::<_, Problem>(view)
    };
    let answer = sent.await.map_err(|problem| told::tell(problem, request_id));
    told::page(state, parts, answer).await
}

/// The page has to be answered, however long the receiver takes.
async fn in_time(replay: impl Future<Output = ReplayResult>) -> ReplayResult {
    let late = || ReplayResult {
        error_code: Some(AttemptError::ReadTimeout),
        duration_ms: u32::try_from(LONGEST.as_millis()).unwrap_or(u32::MAX),
        ..ReplayResult::default()
    };
    tokio::time::timeout(LONGEST, replay).await.unwrap_or_else(|_| late())
}

/// Climbs the ladder against the bin's script.
pub(super) async fn rehearse(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, bin)): Path<(String, String)>,
    request: Request,
) -> Response {
    let Some((parts, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request_id = visitor.request_id.clone();
    let played = async {
        let mut access = Access::of(state.clone(), visitor, &project).await?;
        if !access.may_change() {
            return Err(UiError::Forbidden.into());
        }
        let view = prepare(&mut access, &bin, field(&fields, "event_id"), field(&fields, "endpoint_id")).await?;
        let (_, actor) = access.into_actor();
        climb(&state, actor, &bin, view).await
    };
    let answer = played.await.map_err(|problem| told::tell(problem, request_id));
    told::page(state, parts, answer).await
}

async fn climb(state: &AppState, actor: Actor, bin: &str, mut view: RehearseView) -> Result<RehearseView, Problem> {
    let bin: BinId = bin.parse().map_err(|_| UiError::NotFound)?;
    let (event, endpoint) = (view.event.parse::<EventId>(), view.endpoint.parse::<EndpointId>());
    view.no_event = event.is_err();
    view.no_endpoint = endpoint.is_err();
    let (Ok(event), Ok(endpoint)) = (event, endpoint) else { return Ok(view) };
    let what = Rehearse { bin, event, endpoint, read_timeout: state.read_timeout };
    let work = state.store.write(move |tx| {
        Box::pin(async move {
            let rehearsal = inspector::rehearse(tx, actor.project, what).await?;
            let (action, bin, event) = (AuditAction::LadderRehearsed, bin.to_string(), event.to_string());
            audit::note(tx, &actor, action, Some(&bin), Some(&event)).await?;
            Ok::<_, RehearseError>(rehearsal)
        })
    });
    match work.await {
        Ok(rehearsal) => view.result = Some(rehearsal),
        Err(RehearseError::NoBin) => return Err(UiError::NotFound.into()),
        Err(RehearseError::NoEvent) => view.no_event = true,
        Err(RehearseError::NoEndpoint) => view.no_endpoint = true,
        Err(RehearseError::Store(error)) => return Err(error.into()),
    }
    Ok(view)
}

/// Where a URL leads; what stands behind it may be a secret.
fn host(url: &str) -> &str {
    let behind = url.split_once("://").map_or(url, |(_, behind)| behind);
    behind.split(['/', '?', '#']).next().unwrap_or(behind)
}

fn field(fields: &[(String, String)], name: &str) -> String {
    let found = fields.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value.trim().to_owned());
    found.unwrap_or_default()
}
