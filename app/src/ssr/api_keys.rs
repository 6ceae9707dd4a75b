//! The forms of API keys: made, shown once, revoked. Plain posts; each finds out for itself who asks.

use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::id::{ApiKeyId, ProjectId};
use domain::status::{AuditAction, Scope};
use store::api_keys::{self, NewApiKey};
use store::audit::Actor;
use store::{Store, StoreError, audit};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told};
use crate::error::UiError;
use crate::model::NewKeyView;

/// The longest name, in characters.
const NAME: usize = 80;
const DAY: Duration = Duration::from_secs(86_400);
/// The terms that are offered, in days.
const TERMS: [u32; 3] = [30, 90, 365];

/// The form as it was answered; a fresh one when it was merely opened.
pub(crate) async fn new_key(project: &str) -> Result<NewKeyView, Problem> {
    if let Some(answer) = told::told::<NewKeyView>() {
        return Ok(answer?);
    }
    let access = Access::to(project).await?;
    if access.may_change() { Ok(NewKeyView::default()) } else { Err(UiError::Forbidden.into()) }
}

/// Makes a key, or says what is wrong. The key is in this answer and nowhere else.
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
        let (store, actor) = changing(state.clone(), visitor, &project).await?;
        let mut view = read(&fields);
        if !view.name_fault && !view.scopes_fault {
            let expires_at = view.days.map(|days| store.now().plus(DAY * days));
            let new = NewApiKey { name: view.name.clone(), scopes: view.scopes.clone(), expires_at };
            let work = store.write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    let (key, secret) = api_keys::insert(tx, actor.project, new).await?;
                    let (id, action) = (key.id.to_string(), AuditAction::ApiKeyCreated);
                    audit::note(tx, &actor, action, Some(&id), Some(&key.name)).await?;
                    Ok(secret)
                })
            });
            view.made = Some(work.await?.expose().to_owned());
        }
        Ok::<_, Problem>(view)
    };
    let answer = made.await.map_err(|problem| told::tell(problem, request_id));
    told::page(state, parts, answer).await
}

/// Revokes a key from this moment on.
pub(super) async fn revoke(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path((project, id)): Path<(String, String)>,
) -> Response {
    let request_id = visitor.request_id.clone();
    let list = project
        .parse::<ProjectId>()
        .map_or_else(|_| "/developers".to_owned(), |project| format!("/developers/{project}/api-keys"));
    let revoked = async {
        let (store, actor) = changing(state, visitor, &project).await?;
        let id: ApiKeyId = id.parse().map_err(|_| UiError::NotFound)?;
        let work = store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let Some(key) = api_keys::get(tx, actor.project, id).await? else { return Ok(false) };
                if api_keys::revoke(tx, actor.project, id).await? {
                    let object = id.to_string();
                    audit::note(tx, &actor, AuditAction::ApiKeyRevoked, Some(&object), Some(&key.name)).await?;
                }
                Ok(true)
            })
        });
        if work.await? { Ok(()) } else { Err(Problem::Told(UiError::NotFound)) }
    };
    match revoked.await {
        Ok(()) => Redirect::to(&list).into_response(),
        Err(problem) => {
            let word = told::tell(problem, request_id).word();
            Redirect::to(&format!("{list}?problem={word}")).into_response()
        }
    }
}

async fn changing(state: AppState, visitor: Visitor, project: &str) -> Result<(Store, Actor), Problem> {
    let access = Access::of(state, visitor, project).await?;
    if access.may_change() { Ok(access.into_actor()) } else { Err(UiError::Forbidden.into()) }
}

/// What somebody calls a thing: trimmed, 1 to 80 characters, none of them a control character.
pub(super) fn name(text: &str) -> Result<String, String> {
    let name = text.trim().to_owned();
    let fine = (1..=NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fine { Ok(name) } else { Err(name) }
}

fn read(fields: &[(String, String)]) -> NewKeyView {
    let one = |name: &str| fields.iter().rfind(|(n, _)| n == name).map_or("", |(_, value)| value.as_str());
    let ticked = fields.iter().filter(|(name, _)| name == "scopes").filter_map(|(_, value)| value.parse().ok());
    let scopes: Vec<Scope> = ticked.collect();
    let (name, name_fault) = match name(one("name")) {
        Ok(name) => (name, false),
        Err(name) => (name, true),
    };
    NewKeyView {
        name,
        name_fault,
        scopes_fault: scopes.is_empty(),
        scopes,
        days: one("days").parse().ok().filter(|days| TERMS.contains(days)),
        made: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_what_is_wrong_with_it_and_keeps_what_was_typed() {
        let fields = |pairs: &[(&str, &str)]| {
            let pairs: Vec<_> = pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            read(&pairs)
        };
        let fine = fields(&[("name", " CRM "), ("scopes", "read"), ("days", "90")]);
        assert_eq!(
            (fine.name.as_str(), fine.days, fine.name_fault, fine.scopes_fault),
            ("CRM", Some(90), false, false)
        );
        let wrong = fields(&[("name", "a\u{0}b"), ("scopes", "everything"), ("days", "7")]);
        assert_eq!((wrong.days, wrong.name_fault, wrong.scopes_fault), (None, true, true));
        assert!(fields(&[("name", &"x".repeat(81))]).name_fault);
    }
}
