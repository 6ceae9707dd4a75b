//! Ways in: the bare address, and a project's.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::id::ProjectId;
use store::{projects, users};

use super::cookies;
use super::state::AppState;
use super::visit::Visitor;
/// `/developers`: to the project that was last looked at, or to the first.
pub(super) async fn home(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Response {
    let Some(user) = &visitor.user else { return Redirect::to("/developers/sign-in").into_response() };
    let last = cookies::read(&headers, cookies::PROJECT).and_then(|text| text.parse::<ProjectId>().ok());
    let found = async {
        let mut conn = state.store.reader().await?;
        if let Some(last) = last
            && users::role_in(&mut conn, last, user.id).await?.is_some()
        {
            return Ok::<_, store::StoreError>(Some(last));
        }
        let mine = projects::of_user(&mut conn, user.id).await?;
        if let Some((project, _)) = mine.first() {
            return Ok(Some(project.id));
        }
        let all =
            if users::is_support(&mut conn, user.id).await? { projects::all(&mut conn, 1).await? } else { vec![] };
        Ok(all.first().map(|project| project.id))
    };
    match found.await {
        Ok(Some(project)) => Redirect::to(&format!("/developers/{project}/webhooks")).into_response(),
        Ok(None) => Redirect::to("/developers/no-project").into_response(),
        Err(error) => {
            tracing::error!(request_id = %visitor.request_id, %error, "the projects could not be read");
            (StatusCode::SERVICE_UNAVAILABLE, visitor.locale.error_unavailable()).into_response()
        }
    }
}

/// `/developers/{project_id}`: to its first tab.
pub(super) async fn project(Path(project): Path<String>) -> Response {
    match project.parse::<ProjectId>() {
        Ok(project) => Redirect::to(&format!("/developers/{project}/webhooks")).into_response(),
        Err(_) => Redirect::to("/developers").into_response(),
    }
}
