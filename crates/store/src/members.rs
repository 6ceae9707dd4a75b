//! Who is in a project, and how that is changed without ever leaving it ownerless.

use domain::id::{ProjectId, UserId};
use domain::model::{Member, User};
use domain::status::Role;

use crate::conn::{Conn, Dialect};
use crate::error::StoreError;
use crate::paging::rows;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::users;

/// So many are listed.
const MOST: u32 = 500;

/// Why a membership can't be changed.
#[derive(Debug, thiserror::Error)]
pub enum MemberError {
    /// No such person, or not one of this project.
    #[error("no such member")]
    NotFound,
    /// They are in the project already.
    #[error("a member already")]
    Already,
    /// Nobody would be left who may do everything.
    #[error("the last owner")]
    LastOwner,
    /// The database's.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The members, owners first, then by address.
pub async fn list(conn: &mut Conn, project: ProjectId) -> Result<Vec<Member>, StoreError> {
    let query = select(project)
        .push(" ORDER BY CASE m.role WHEN 'owner' THEN 0 WHEN 'developer' THEN 1 ELSE 2 END, u.email LIMIT ")
        .bind(MOST);
    rows(conn, query, read).await
}

/// Lets the person with this address in, whatever its case.
///
/// # Errors
/// [`MemberError::NotFound`] when nobody has it, [`MemberError::Already`] when they are in.
pub async fn add(tx: &mut Tx, project: ProjectId, email: &str, role: Role) -> Result<User, MemberError> {
    let user = users::credentials(tx, email).await?.ok_or(MemberError::NotFound)?.user;
    if get(tx, project, user.id).await?.is_some() {
        return Err(MemberError::Already);
    }
    users::set_member(tx, project, user.id, role).await?;
    Ok(user)
}

/// Gives a member another role.
///
/// # Errors
/// [`MemberError::LastOwner`] when it would be taken from the only one.
pub async fn change(tx: &mut Tx, project: ProjectId, user: UserId, role: Role) -> Result<Member, MemberError> {
    let found = yielding(tx, project, user, role == Role::Owner).await?;
    users::set_member(tx, project, user, role).await?;
    Ok(Member { role, ..found })
}

/// Takes a member's role away. They are signed in still, and see nothing of the project any more.
///
/// # Errors
/// [`MemberError::LastOwner`] when it is the only one.
pub async fn remove(tx: &mut Tx, project: ProjectId, user: UserId) -> Result<Member, MemberError> {
    let found = yielding(tx, project, user, false).await?;
    let query = Sql::new("DELETE FROM btx_member WHERE project_id = ").bind(project);
    query.push(" AND user_id = ").bind(user).execute(tx).await?;
    Ok(found)
}

/// The member, if the project has an owner without them, or they stay one.
async fn yielding(tx: &mut Tx, project: ProjectId, user: UserId, stays: bool) -> Result<Member, MemberError> {
    if tx.dialect() == Dialect::Postgres {
        // Two owners who step down at the same moment would each see the other.
        let query = Sql::new("SELECT id FROM btx_project WHERE id = ").bind(project).push(" FOR UPDATE");
        query.fetch_optional(tx).await?;
    }
    let found = get(tx, project, user).await?.ok_or(MemberError::NotFound)?;
    if found.role != Role::Owner || stays {
        return Ok(found);
    }
    let others = Sql::new("SELECT 1 AS one FROM btx_member WHERE project_id = ")
        .bind(project)
        .push(" AND role = ")
        .bind(Role::Owner)
        .push(" AND user_id <> ")
        .bind(user)
        .push(" LIMIT 1");
    if others.fetch_optional(tx).await?.is_none() { Err(MemberError::LastOwner) } else { Ok(found) }
}

async fn get(conn: &mut Conn, project: ProjectId, user: UserId) -> Result<Option<Member>, StoreError> {
    let query = select(project).push(" AND m.user_id = ").bind(user);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT m.user_id, u.email, m.role, m.created_at FROM btx_member m JOIN btx_user u ON u.id = m.user_id ")
        .push("WHERE m.project_id = ")
        .bind(project)
}

fn read(row: &Row) -> Result<Member, StoreError> {
    Ok(Member {
        user_id: row.parse("user_id")?,
        email: row.text("email")?,
        role: row.parse("role")?,
        created_at: row.time("created_at")?,
    })
}
