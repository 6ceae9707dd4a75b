//! The forms of endpoints: create, enable and disable, replace the secret. Plain posts, so that they
//! work without JavaScript; each finds out for itself who asks.

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::endpoint_url::{EndpointUrl, InvalidEndpointUrl};
use domain::event_type::EventPattern;
use domain::id::{EndpointId, ProjectId};
use domain::model::Endpoint;
use domain::status::AuditAction;
use store::audit::{self, Actor};
use store::endpoints::{self, EndpointChange, NewEndpoint};
use store::{StoreError, Tx, events};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told};
use crate::error::UiError;
use crate::model::{NewEndpointView, RotateView, Secret, UrlFault};

/// As long as the API's.
const DESCRIPTION: usize = 500;
/// As many as the API's.
const PATTERNS: usize = 50;

/// The form for a new endpoint as it was answered; an empty one when it was merely opened.
pub(crate) async fn new_endpoint(project: &str) -> Result<NewEndpointView, Problem> {
    if let Some(answer) = told::told::<NewEndpointView>() {
        return Ok(answer?);
    }
    let access = Access::to(project).await?;
    if access.may_change() { Ok(NewEndpointView::default()) } else { Err(UiError::Forbidden.into()) }
}

/// The page on which a secret is replaced.
pub(crate) async fn rotation(project: &str, id: &str) -> Result<RotateView, Problem> {
    if let Some(answer) = told::told::<RotateView>() {
        return Ok(answer?);
    }
    let mut access = Access::to(project).await?;
    if !access.may_change() {
        return Err(UiError::Forbidden.into());
    }
    let id = id.parse().map_err(|_| UiError::NotFound)?;
    let found = endpoints::get(&mut access.conn, access.project, id).await?.ok_or(UiError::NotFound)?;
    Ok(RotateView { url: found.url, overlap_hours: hours(&access.state), made: None })
}

/// Creates an endpoint, or says what is wrong.
pub(super) async fn create(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    request: Request,
) -> Response {
    let Some((parts, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request_id = visitor.request_id.clone();
    let made = async {
        let actor = changing(state.clone(), visitor, &project).await?;
        let (mut view, new) = read(&state, &fields);
        if let Some(new) = new {
            let work = state.store.write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    let made = endpoints::insert(tx, actor.project, new).await?;
                    noted(tx, &actor, AuditAction::EndpointCreated, &made).await?;
                    Ok(made)
                })
            });
            view.made = Some(shown_once(work.await?)?);
        }
        Ok::<_, Problem>(view)
    };
    let answer = made.await.map_err(|problem| told::tell(problem, request_id));
    told::page(state, parts, answer).await
}

/// Replaces the secret and shows the new one.
pub(super) async fn rotate(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, id)): Path<(String, String)>,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    let request_id = visitor.request_id.clone();
    let made = async {
        let actor = changing(state.clone(), visitor, &project).await?;
        let id: EndpointId = id.parse().map_err(|_| UiError::NotFound)?;
        let overlap = state.secret_overlap;
        let work = state.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let found = endpoints::rotate_secret(tx, actor.project, id, overlap).await?;
                if let Some(found) = &found {
                    noted(tx, &actor, AuditAction::SecretRotated, found).await?;
                }
                Ok(found)
            })
        });
        let found = work.await?.ok_or(UiError::NotFound)?;
        let url = found.url.clone();
        Ok::<_, Problem>(RotateView { url, overlap_hours: hours(&state), made: Some(shown_once(found)?) })
    };
    let answer = made.await.map_err(|problem| told::tell(problem, request_id));
    told::page(state, parts, answer).await
}

/// Enables or disables, and returns to the endpoint.
pub(super) async fn enable(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, id)): Path<(String, String)>,
    request: Request,
) -> Response {
    let Some((_, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let enabled = fields.iter().any(|(name, value)| name == "enabled" && value == "true");
    let request_id = visitor.request_id.clone();
    let changed = async {
        let actor = changing(state.clone(), visitor, &project).await?;
        let id: EndpointId = id.parse().map_err(|_| UiError::NotFound)?;
        let change = EndpointChange { enabled: Some(enabled), ..EndpointChange::default() };
        let action = if enabled { AuditAction::EndpointEnabled } else { AuditAction::EndpointDisabled };
        let work = state.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let found = endpoints::update(tx, actor.project, id, change).await?;
                if let Some(found) = &found {
                    noted(tx, &actor, action, found).await?;
                }
                Ok(found)
            })
        });
        work.await?.map(|_| ()).ok_or(Problem::Told(UiError::NotFound))
    };
    let page = endpoint_page(&project, &id);
    match changed.await {
        Ok(()) => Redirect::to(&page).into_response(),
        Err(problem) => {
            let word = told::tell(problem, request_id).word();
            Redirect::to(&format!("{page}?problem={word}")).into_response()
        }
    }
}

/// Sends a test, and leads to its delivery.
pub(super) async fn test(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, id)): Path<(String, String)>,
) -> Response {
    let request_id = visitor.request_id.clone();
    let sent = async {
        let actor = changing(state.clone(), visitor, &project).await?;
        let project = actor.project;
        let id: EndpointId = id.parse().map_err(|_| UiError::NotFound)?;
        let work = state.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let sent = events::send_test(tx, actor.project, id, None).await?;
                if sent.is_some() {
                    audit::note(tx, &actor, AuditAction::TestSent, Some(&id.to_string()), None).await?;
                }
                Ok(sent)
            })
        });
        let (_, delivery) = work.await?.ok_or(UiError::NotFound)?;
        Ok::<_, Problem>(format!("/developers/{project}/deliveries/{delivery}"))
    };
    match sent.await {
        Ok(page) => Redirect::to(&page).into_response(),
        Err(problem) => {
            let word = told::tell(problem, request_id).word();
            Redirect::to(&format!("{}?problem={word}", endpoint_page(&project, &id))).into_response()
        }
    }
}

/// The endpoint's page; nothing of the address is repeated unless it is an id.
fn endpoint_page(project: &str, id: &str) -> String {
    match (project.parse::<ProjectId>(), id.parse::<EndpointId>()) {
        (Ok(project), Ok(id)) => format!("/developers/{project}/endpoints/{id}"),
        _ => "/developers".to_owned(),
    }
}

/// Who changes which project, if this person may.
async fn changing(state: AppState, visitor: Visitor, project: &str) -> Result<Actor, Problem> {
    let access = Access::of(state, visitor, project).await?;
    if access.may_change() { Ok(access.into_actor().1) } else { Err(UiError::Forbidden.into()) }
}

async fn noted(tx: &mut Tx, actor: &Actor, action: AuditAction, endpoint: &Endpoint) -> Result<(), StoreError> {
    audit::note(tx, actor, action, Some(&endpoint.id.to_string()), Some(&endpoint.url)).await
}

fn shown_once(endpoint: Endpoint) -> Result<Secret, Problem> {
    let secret = endpoint.secret.ok_or_else(|| StoreError::Inconsistent("no secret was made".to_owned()))?;
    Ok(Secret {
        endpoint_id: endpoint.id.to_string(),
        url: endpoint.url,
        secret,
        previous_until: endpoint.previous_secret_expires_at.map(Into::into),
    })
}

fn hours(state: &AppState) -> u32 {
    u32::try_from(state.secret_overlap.as_secs() / 3_600).unwrap_or(u32::MAX)
}

/// What the form says; the endpoint only when nothing is wrong with it.
fn read(state: &AppState, fields: &[(String, String)]) -> (NewEndpointView, Option<NewEndpoint>) {
    let all = |name: &'static str| {
        fields.iter().filter(move |(n, v)| n == name && !v.trim().is_empty()).map(|(_, v)| v.trim())
    };
    let one = |name: &'static str| all(name).next_back().unwrap_or_default().to_owned();
    let mut view = NewEndpointView {
        url: one("url"),
        chosen: all("event_types").map(str::to_owned).collect(),
        other: one("other_types"),
        description: one("description"),
        ..NewEndpointView::default()
    };
    let url = EndpointUrl::parse(&view.url, |address| state.guard.check(address).is_err());
    view.url_fault = url.as_ref().err().copied().map(url_fault);
    let typed = view.other.split([',', ' ', '\n', '\r']).map(str::trim).filter(|word| !word.is_empty());
    let mut patterns: Vec<EventPattern> = Vec::new();
    for word in view.chosen.iter().map(String::as_str).chain(typed) {
        match word.parse() {
            Ok(pattern) if patterns.contains(&pattern) => {}
            Ok(pattern) => patterns.push(pattern),
            Err(_) => view.type_fault = Some(word.to_owned()),
        }
    }
    if patterns.is_empty() || patterns.len() > PATTERNS {
        view.type_fault.get_or_insert_default();
    }
    view.long_description = view.description.chars().count() > DESCRIPTION;
    let fine = view.type_fault.is_none() && !view.long_description;
    let new = url.ok().filter(|_| fine).map(|url| NewEndpoint {
        url: url.as_str().to_owned(),
        event_types: patterns,
        description: Some(view.description.clone()).filter(|text| !text.is_empty()),
        enabled: true,
    });
    (view, new)
}

/// Why a URL is refused, for the page.
pub(super) const fn url_fault(fault: InvalidEndpointUrl) -> UrlFault {
    match fault {
        InvalidEndpointUrl::Malformed => UrlFault::Malformed,
        InvalidEndpointUrl::TooLong => UrlFault::TooLong,
        InvalidEndpointUrl::Scheme => UrlFault::Scheme,
        InvalidEndpointUrl::UserInfo => UrlFault::UserInfo,
        InvalidEndpointUrl::Port => UrlFault::Port,
        InvalidEndpointUrl::BlockedAddress => UrlFault::Blocked,
    }
}
