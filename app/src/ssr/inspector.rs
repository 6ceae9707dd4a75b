//! The forms of the inspector. Plain posts, so that they work without JavaScript; each finds out for
//! itself who asks.

mod play;
mod script;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use domain::id::{BinId, CaptureId, ProjectId};
use domain::model::Bin;
use domain::status::AuditAction;
use store::audit::{self, Actor};
use store::inspector::{self, BinChange, NewBin};
use store::{StoreError, Tx};

pub(crate) use play::{rehearsal, replay};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told, views};
use crate::error::UiError;
use crate::model::BinForm;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/developers/{project_id}/inspector/new", post(create))
        .route("/developers/{project_id}/inspector/default", post(open_default))
        .route("/developers/{project_id}/inspector/{bin_id}/edit", post(save))
        .route("/developers/{project_id}/inspector/{bin_id}/delete", post(delete))
        .route("/developers/{project_id}/inspector/{bin_id}/rehearse", post(play::rehearse))
        .route("/developers/{project_id}/inspector/{bin_id}/{capture_id}/replay", post(play::send))
        .route("/developers/{project_id}/inspector/{bin_id}/{capture_id}/body", get(download))
}

/// The form of a bin as it was answered; of a new one, or as the bin stands, when it was merely opened.
pub(crate) async fn form(project: &str, bin: Option<&str>) -> Result<BinForm, Problem> {
    if let Some(answer) = told::told::<BinForm>() {
        return Ok(answer?);
    }
    let mut access = Access::to(project).await?;
    if !access.may_change() {
        return Err(UiError::Forbidden.into());
    }
    match bin {
        Some(bin) => Ok(script::of(&views::inspector::find(&mut access, bin).await?)),
        None => Ok(script::fresh()),
    }
}

/// Creates a bin, or draws the form anew.
async fn create(
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
        let project = actor.project;
        let (form, read) = script::read(&fields);
        let Some((name, script)) = read else { return Ok(Err(form)) };
        let addresses = state.addresses();
        let work = state.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let bin = inspector::insert(tx, &addresses, project, NewBin { name, script }).await?;
                noted(tx, &actor, AuditAction::BinCreated, &bin).await?;
                Ok(bin)
            })
        });
        Ok::<_, Problem>(Ok(format!("/developers/{project}/inspector/{}", work.await?.id)))
    };
    match made.await {
        Ok(Ok(page)) => Redirect::to(&page).into_response(),
        Ok(Err(form)) => told::page(state, parts, Ok(form)).await,
        Err(problem) => told::page::<BinForm>(state, parts, Err(told::tell(problem, request_id))).await,
    }
}

/// Changes a bin, or draws the form anew.
async fn save(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, bin)): Path<(String, String)>,
    request: Request,
) -> Response {
    let Some((parts, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request_id = visitor.request_id.clone();
    let saved = async {
        let actor = changing(state.clone(), visitor, &project).await?;
        let project = actor.project;
        let id: BinId = bin.parse().map_err(|_| UiError::NotFound)?;
        let (form, read) = script::read(&fields);
        let Some((name, script)) = read else { return Ok(Err(form)) };
        let (addresses, change) = (state.addresses(), BinChange { name: Some(name), script: Some(script) });
        let work = state.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let bin = inspector::update(tx, &addresses, project, id, change).await?;
                if let Some(bin) = &bin {
                    noted(tx, &actor, AuditAction::BinChanged, bin).await?;
                }
                Ok(bin)
            })
        });
        work.await?.ok_or(UiError::NotFound)?;
        Ok::<_, Problem>(Ok(format!("/developers/{project}/inspector/{id}")))
    };
    match saved.await {
        Ok(Ok(page)) => Redirect::to(&page).into_response(),
        Ok(Err(form)) => told::page(state, parts, Ok(form)).await,
        Err(problem) => told::page::<BinForm>(state, parts, Err(told::tell(problem, request_id))).await,
    }
}

/// Leads to the bin that redirected attempts go to, which is made when there is none yet.
async fn open_default(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
) -> Response {
    let request_id = visitor.request_id.clone();
    let opened = async {
        let actor = changing(state.clone(), visitor, &project).await?;
        let project = actor.project;
        let addresses = state.addresses();
        let work = state.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move { inspector::default_bin(tx, &addresses, project).await })
        });
        Ok::<_, Problem>(format!("/developers/{project}/inspector/{}", work.await?.id))
    };
    lead(opened.await, &project, request_id)
}

/// Deletes a bin with all that is in it.
async fn delete(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, bin)): Path<(String, String)>,
) -> Response {
    let request_id = visitor.request_id.clone();
    let deleted = async {
        let actor = changing(state.clone(), visitor, &project).await?;
        let project = actor.project;
        let id: BinId = bin.parse().map_err(|_| UiError::NotFound)?;
        let work = state.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let gone = inspector::delete(tx, project, id).await?;
                if gone {
                    audit::note(tx, &actor, AuditAction::BinDeleted, Some(&id.to_string()), None).await?;
                }
                Ok(gone)
            })
        });
        let gone = work.await?;
        if gone { Ok(format!("/developers/{project}/inspector")) } else { Err(Problem::Told(UiError::NotFound)) }
    };
    lead(deleted.await, &project, request_id)
}

/// The exact bytes of a capture's body, as a file that no browser interprets.
async fn download(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, bin, capture)): Path<(String, String, String)>,
) -> Response {
    let request_id = visitor.request_id.clone();
    let found = async {
        let mut access = Access::of(state, visitor, &project).await?;
        let bin = bin.parse().map_err(|_| UiError::NotFound)?;
        let id: CaptureId = capture.parse().map_err(|_| UiError::NotFound)?;
        let body = inspector::body(&mut access.conn, access.project, bin, id).await?;
        let body = body.ok_or(Problem::Told(UiError::NotFound))?;
        access.opened(id.to_string()).await?;
        Ok((format!("attachment; filename=\"{id}.bin\""), body))
    };
    match found.await {
        Ok((disposition, body)) => {
            let mut answer = body.into_response();
            let octets = HeaderValue::from_static("application/octet-stream");
            answer.headers_mut().insert(header::CONTENT_TYPE, octets);
            if let Ok(disposition) = HeaderValue::from_str(&disposition) {
                answer.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
            }
            answer
        }
        Err(problem) => {
            let status = told::tell(problem, request_id).status();
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response()
        }
    }
}

fn lead(outcome: Result<String, Problem>, project: &str, request_id: String) -> Response {
    let page = outcome.unwrap_or_else(|problem| {
        let word = told::tell(problem, request_id).word();
        let home =
            project.parse::<ProjectId>().map(|project| format!("/developers/{project}/inspector?problem={word}"));
        home.unwrap_or_else(|_| "/developers".to_owned())
    });
    Redirect::to(&page).into_response()
}

/// Writes down what was done to a bin, under the name that it has now.
async fn noted(tx: &mut Tx, actor: &Actor, action: AuditAction, bin: &Bin) -> Result<(), StoreError> {
    audit::note(tx, actor, action, Some(&bin.id.to_string()), Some(&bin.name)).await
}

/// Who changes which project, if this person may.
async fn changing(state: AppState, visitor: Visitor, project: &str) -> Result<Actor, Problem> {
    let access = Access::of(state, visitor, project).await?;
    if access.may_change() { Ok(access.into_actor().1) } else { Err(UiError::Forbidden.into()) }
}
