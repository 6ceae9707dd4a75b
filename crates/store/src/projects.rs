//! Projects.

use domain::id::{ProjectId, UserId};
use domain::model::Project;
use domain::status::Role;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::rows;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "p.id, p.name, p.contact_limit, p.rate_limit, p.created_at";

/// Creates a project.
pub async fn insert(tx: &mut Tx, name: &str, contact_limit: Option<u32>) -> Result<Project, StoreError> {
    let now = tx.now();
    let project = Project {
        id: ProjectId::generate(now, tx.entropy()),
        name: name.to_owned(),
        contact_limit,
        rate_limit: None,
        created_at: now,
    };
    Sql::new("INSERT INTO btx_project (id, name, contact_limit, created_at, updated_at) VALUES (")
        .bind(project.id)
        .push(", ")
        .bind(name)
        .push(", ")
        .bind(contact_limit)
        .push(", ")
        .bind(now)
        .push(", ")
        .bind(now)
        .push(")")
        .execute(tx)
        .await?;
    Ok(project)
}

/// One project.
pub async fn get(conn: &mut Conn, id: ProjectId) -> Result<Option<Project>, StoreError> {
    let query = Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_project p WHERE p.id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// Gives a project another name. `false` when there is no such project.
pub async fn rename(tx: &mut Tx, id: ProjectId, name: &str) -> Result<bool, StoreError> {
    let now = tx.now();
    let query = Sql::new("UPDATE btx_project SET name = ").bind(name).push(", updated_at = ").bind(now);
    Ok(query.push(" WHERE id = ").bind(id).execute(tx).await? == 1)
}

/// The projects of one person, with the role in each, by name.
pub async fn of_user(conn: &mut Conn, user: UserId) -> Result<Vec<(Project, Role)>, StoreError> {
    let query = Sql::new("SELECT m.role, ")
        .push(COLUMNS)
        .push(" FROM btx_member m JOIN btx_project p ON p.id = m.project_id WHERE m.user_id = ")
        .bind(user)
        .push(" ORDER BY p.name, p.id");
    rows(conn, query, |row| Ok((read(row)?, row.parse("role")?))).await
}

/// Every project, by name: for support staff.
pub async fn all(conn: &mut Conn, limit: u32) -> Result<Vec<Project>, StoreError> {
    let query = Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_project p ORDER BY p.name, p.id LIMIT ").bind(limit);
    rows(conn, query, read).await
}

fn read(row: &Row) -> Result<Project, StoreError> {
    Ok(Project {
        id: row.parse("id")?,
        name: row.text("name")?,
        contact_limit: row.opt_small("contact_limit")?,
        rate_limit: row.opt_small("rate_limit")?,
        created_at: row.time("created_at")?,
    })
}
