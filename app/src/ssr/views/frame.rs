//! What surrounds every page of a project.

use domain::status::Role;
use store::{dead_letters, projects, users};

use crate::error::UiError;
use crate::model::{FrameView, ProjectLink};
use crate::ssr::{Access, Problem};

/// How many projects the menu offers.
const PROJECTS: u32 = 200;

/// The project's name, its siblings, who is signed in, and the inbox's count.
pub(crate) async fn frame(project: &str) -> Result<FrameView, Problem> {
    let mut access = Access::to(project).await?;
    let conn = &mut access.conn;
    let this = projects::get(conn, access.project).await?.ok_or(UiError::NotFound)?;
    let staff = access.role == Role::Support || users::is_support(conn, access.user.id).await?;
    let all = if staff {
        projects::all(conn, PROJECTS).await?
    } else {
        projects::of_user(conn, access.user.id).await?.into_iter().map(|(project, _)| project).collect()
    };
    Ok(FrameView {
        project: this.name,
        projects: all.into_iter().map(|p| ProjectLink { id: p.id.to_string(), name: p.name }).collect(),
        email: access.user.email.clone(),
        dead_letters: dead_letters::count_unresolved(conn, access.project).await?,
        dead_letters_cap: dead_letters::COUNT_CAP,
    })
}
