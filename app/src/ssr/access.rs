//! Who may see what, and what is told to those who may not.

use axum::http::StatusCode;
use domain::cursor::InvalidCursor;
use domain::filter::Rejected;
use domain::id::ProjectId;
use domain::model::User;
use domain::status::Role;
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use store::audit::{self, Actor};
use store::{Conn, Store, StoreError, users};

use super::state::AppState;
use super::{Visitor, use_visitor};
use crate::error::UiError;

/// Why a view could not be made: told to the visitor, or for the log only.
#[derive(Debug)]
pub(crate) enum Problem {
    Told(UiError),
    Store(StoreError),
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<UiError> for Problem {
    fn from(error: UiError) -> Self {
        Self::Told(error)
    }
}

impl From<InvalidCursor> for Problem {
    fn from(_: InvalidCursor) -> Self {
        Self::Told(UiError::Cursor)
    }
}

impl From<Rejected> for Problem {
    fn from(Rejected(fields): Rejected) -> Self {
        Self::Told(UiError::Filter(fields.into_keys().collect()))
    }
}

/// The one boundary: logs what is ours, tells what is theirs, sets the answer's status.
pub(crate) fn answer<T>(result: Result<T, Problem>) -> Result<T, UiError> {
    result.map_err(|problem| {
        let error = match problem {
            Problem::Told(error) => error,
            Problem::Store(error) => {
                let request_id = use_visitor().request_id;
                tracing::error!(%request_id, %error, "a page could not be made");
                if error.is_transient() { UiError::Unavailable } else { UiError::Internal(request_id) }
            }
        };
        if let Some(options) = use_context::<ResponseOptions>() {
            options.set_status(StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        }
        error
    })
}

/// A person in one project, with a connection to read it by.
pub(crate) struct Access {
    pub(crate) state: AppState,
    pub(crate) user: User,
    pub(crate) project: ProjectId,
    pub(crate) role: Role,
    pub(crate) conn: Conn,
}

impl Access {
    /// Of whoever asks, to the project with this id. A project of others is one that does not exist.
    pub(crate) async fn to(project: &str) -> Result<Self, Problem> {
        let state = use_context::<AppState>().ok_or(UiError::Internal(String::new()))?;
        Self::of(state, use_visitor(), project).await
    }

    /// Of this visitor; for forms that are no server functions.
    pub(crate) async fn of(state: AppState, visitor: Visitor, project: &str) -> Result<Self, Problem> {
        let user = visitor.user.ok_or(UiError::NotSignedIn)?;
        let project = project.parse::<ProjectId>().map_err(|_| UiError::NotFound)?;
        let mut conn = state.store.reader().await?;
        let role = users::role_in(&mut conn, project, user.id).await?.ok_or(UiError::NotFound)?;
        Ok(Self { state, user, project, role, conn })
    }

    /// Who would be written down, and the store to write with; the reading connection is given back
    /// before a writer is waited for.
    pub(crate) fn into_actor(self) -> (Store, Actor) {
        (self.state.store.clone(), Actor::new(self.project, &self.user, self.role))
    }

    /// Before a customer's payload is shown to staff, that is written down in the project's audit log.
    /// The last thing a view does, for it gives the reading connection back.
    pub(crate) async fn opened(self, object: String) -> Result<(), Problem> {
        if self.role != Role::Support {
            return Ok(());
        }
        let (store, actor) = self.into_actor();
        let work = store
            .write::<_, _, StoreError>(move |tx| Box::pin(async move { audit::opened(tx, &actor, &object).await }));
        Ok(work.await?)
    }

    /// Whether this person may change what the project has set up.
    pub(crate) const fn may_change(&self) -> bool {
        matches!(self.role, Role::Owner | Role::Developer)
    }

    /// Whether this person may send again.
    pub(crate) const fn may_retry(&self) -> bool {
        matches!(self.role, Role::Owner | Role::Developer | Role::Support)
    }
}
