//! People who sign in to the dashboard, and what each may do in which project (contract section 9).

mod password;

use domain::id::{ProjectId, UserId};
use domain::model::User;
use domain::status::Role;

pub use password::{InvalidHash, PasswordHash, decoy, hash, verify};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

/// What a person is created from.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// The address to sign in with; stored in lower case.
    pub email: String,
    /// The hashed password.
    pub password_hash: PasswordHash,
    /// Staff: may look into every project.
    pub is_support: bool,
}

/// What a sign-in is checked against.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// Who it would be.
    pub user: User,
    /// What the password must match.
    pub password_hash: PasswordHash,
}

/// Creates a person. A second one with the same address violates `btx_user_email`.
pub async fn insert(tx: &mut Tx, new: NewUser) -> Result<User, StoreError> {
    let now = tx.now();
    let user = User { id: UserId::generate(now, tx.entropy()), email: normal(&new.email), created_at: now };
    Sql::new("INSERT INTO btx_user (id, email, password_hash, is_support, created_at) VALUES (")
        .bind(user.id)
        .push(", ")
        .bind(&user.email)
        .push(", ")
        .bind(new.password_hash.as_str())
        .push(", ")
        .bind(new.is_support)
        .push(", ")
        .bind(now)
        .push(")")
        .execute(tx)
        .await?;
    Ok(user)
}

/// The person with this address, whatever its case.
pub async fn credentials(conn: &mut Conn, email: &str) -> Result<Option<Credentials>, StoreError> {
    let query =
        Sql::new("SELECT id, email, created_at, password_hash FROM btx_user WHERE email = ").bind(normal(email));
    let Some(row) = query.fetch_optional(conn).await? else { return Ok(None) };
    Ok(Some(Credentials { user: read(&row)?, password_hash: row.parse("password_hash")? }))
}

/// Gives a person a role in a project, in place of the one that they may have had.
pub async fn set_member(tx: &mut Tx, project: ProjectId, user: UserId, role: Role) -> Result<(), StoreError> {
    let now = tx.now();
    Sql::new("INSERT INTO btx_member (project_id, user_id, role, created_at) VALUES (")
        .bind(project)
        .push(", ")
        .bind(user)
        .push(", ")
        .bind(role)
        .push(", ")
        .bind(now)
        .push(") ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role")
        .execute(tx)
        .await
        .map(drop)
}

/// What a person may do in a project: their membership, or else `support` where they are staff.
pub async fn role_in(conn: &mut Conn, project: ProjectId, user: UserId) -> Result<Option<Role>, StoreError> {
    let query = Sql::new("SELECT u.is_support, m.role FROM btx_user u LEFT JOIN btx_member m ON m.user_id = u.id")
        .push(" AND m.project_id = ")
        .bind(project)
        .push(" WHERE u.id = ")
        .bind(user);
    let Some(row) = query.fetch_optional(conn).await? else { return Ok(None) };
    let support = row.flag("is_support")?;
    Ok(row.opt_parse("role")?.or(support.then_some(Role::Support)))
}

/// Whether a person is staff.
pub async fn is_support(conn: &mut Conn, user: UserId) -> Result<bool, StoreError> {
    let query = Sql::new("SELECT is_support FROM btx_user WHERE id = ").bind(user);
    query.fetch_optional(conn).await?.map_or(Ok(false), |row| row.flag("is_support"))
}

pub(crate) fn read(row: &Row) -> Result<User, StoreError> {
    Ok(User { id: row.parse("id")?, email: row.text("email")?, created_at: row.time("created_at")? })
}

fn normal(email: &str) -> String {
    email.trim().to_lowercase()
}
