//! The forms of the settings: the project's name, its members. For owners.

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::id::{ProjectId, UserId};
use domain::status::{AuditAction, Role};
use store::audit::{self, Actor};
use store::members::{self, MemberError};
use store::{Tx, projects};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, api_keys, told};
use crate::error::UiError;

impl From<MemberError> for Problem {
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::NotFound => Self::Told(UiError::NoSuchPerson),
            MemberError::Already => Self::Told(UiError::MemberAlready),
            MemberError::LastOwner => Self::Told(UiError::LastOwner),
            MemberError::Store(error) => Self::Store(error),
        }
    }
}

/// What an owner has decided.
enum Wanted {
    Rename(String),
    Add(String, Role),
    Change(UserId, Role),
    Remove(UserId),
}

/// Carries out what a form of the settings says, and returns to the page.
pub(super) async fn act(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    request: Request,
) -> Response {
    let Some((_, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request_id = visitor.request_id.clone();
    let page = project
        .parse::<ProjectId>()
        .map_or_else(|_| "/developers".to_owned(), |project| format!("/developers/{project}/settings"));
    let done = async {
        let access = Access::of(state, visitor, &project).await?;
        if access.role != Role::Owner {
            return Err(Problem::Told(UiError::Forbidden));
        }
        let wanted = read(&fields)?;
        let (store, actor) = access.into_actor();
        let work = store.write::<_, _, MemberError>(move |tx| Box::pin(carry_out(tx, actor, wanted)));
        Ok(work.await?)
    };
    match done.await {
        Ok(()) => Redirect::to(&page).into_response(),
        Err(problem) => {
            let word = told::tell(problem, request_id).word();
            Redirect::to(&format!("{page}?problem={word}")).into_response()
        }
    }
}

async fn carry_out(tx: &mut Tx, actor: Actor, wanted: Wanted) -> Result<(), MemberError> {
    let project = actor.project;
    let (action, object, detail) = match wanted {
        Wanted::Rename(name) => {
            projects::rename(tx, project, &name).await?;
            (AuditAction::ProjectRenamed, project.to_string(), name)
        }
        Wanted::Add(email, role) => {
            let user = members::add(tx, project, &email, role).await?;
            (AuditAction::MemberAdded, user.id.to_string(), format!("{} {role}", user.email))
        }
        Wanted::Change(user, role) => {
            let member = members::change(tx, project, user, role).await?;
            (AuditAction::MemberChanged, user.to_string(), format!("{} {role}", member.email))
        }
        Wanted::Remove(user) => {
            let member = members::remove(tx, project, user).await?;
            (AuditAction::MemberRemoved, user.to_string(), member.email)
        }
    };
    Ok(audit::note(tx, &actor, action, Some(&object), Some(&detail)).await?)
}

fn read(fields: &[(String, String)]) -> Result<Wanted, UiError> {
    let one = |name: &str| fields.iter().rfind(|(n, _)| n == name).map_or("", |(_, value)| value.as_str());
    // Staff are made by the command line: a project can't make anybody that.
    let role = || one("role").parse().ok().filter(|role| *role != Role::Support).ok_or(UiError::NotFound);
    let user = || one("user").parse().map_err(|_| UiError::NotFound);
    match one("do") {
        "rename" => api_keys::name(one("name")).map(Wanted::Rename).map_err(|_| UiError::Name),
        "add" => Ok(Wanted::Add(one("email").to_owned(), role()?)),
        "change" => Ok(Wanted::Change(user()?, role()?)),
        "remove" => Ok(Wanted::Remove(user()?)),
        _ => Err(UiError::NotFound),
    }
}
