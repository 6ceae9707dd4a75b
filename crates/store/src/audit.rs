//! The audit log of a project: what people changed in the dashboard, and what support staff looked
//! into (contract section 9). Written in the transaction of the change, so that there is none without
//! the other.

use std::time::Duration;

use domain::id::{AuditId, ProjectId, UserId};
use domain::model::{AuditEntry, User};
use domain::page::{Page, PageRequest};
use domain::status::{AuditAction, Role};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "id, user_id, email, role, action, object, detail, created_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: AuditId::PREFIX };
/// A page that draws itself anew is one look, not many.
const ONE_LOOK: Duration = Duration::from_secs(5 * 60);
/// Details are cut to so many characters.
const LONGEST: usize = 200;

/// Who acts, and where.
#[derive(Clone, Debug)]
pub struct Actor {
    /// In which project.
    pub project: ProjectId,
    /// Who.
    pub user: UserId,
    /// Under which address.
    pub email: String,
    /// In which role.
    pub role: Role,
}

impl Actor {
    /// This person in this project.
    pub fn new(project: ProjectId, user: &User, role: Role) -> Self {
        Self { project, user: user.id, email: user.email.clone(), role }
    }
}

/// Writes down what somebody did. `object` is an id where it is one thing, `detail` what the id
/// doesn't tell.
pub async fn note(
    tx: &mut Tx,
    actor: &Actor,
    action: AuditAction,
    object: Option<&str>,
    detail: Option<&str>,
) -> Result<(), StoreError> {
    let now = tx.now();
    Sql::new("INSERT INTO btx_audit (project_id, ")
        .push(COLUMNS)
        .push(") VALUES (")
        .bind(actor.project)
        .push(", ")
        .bind(AuditId::generate(now, tx.entropy()))
        .push(", ")
        .bind(actor.user)
        .push(", ")
        .bind(&actor.email)
        .push(", ")
        .bind(actor.role)
        .push(", ")
        .bind(action)
        .push(", ")
        .bind(object)
        .push(", ")
        .bind(detail.map(|text| text.chars().take(LONGEST).collect::<String>()))
        .push(", ")
        .bind(now)
        .push(")")
        .execute(tx)
        .await
        .map(drop)
}

/// Writes down that staff opened what a customer sent or received. The same person's looks at the same
/// thing within five minutes are one.
pub async fn opened(tx: &mut Tx, actor: &Actor, object: &str) -> Result<(), StoreError> {
    let query = Sql::new("SELECT 1 AS one FROM btx_audit WHERE project_id = ")
        .bind(actor.project)
        .push(" AND created_at > ")
        .bind(tx.now().minus(ONE_LOOK))
        .push(" AND user_id = ")
        .bind(actor.user)
        .push(" AND action = ")
        .bind(AuditAction::PayloadOpened)
        .push(" AND object = ")
        .bind(object)
        .push(" LIMIT 1");
    match query.fetch_optional(tx).await? {
        Some(_) => Ok(()),
        None => note(tx, actor, AuditAction::PayloadOpened, Some(object), None).await,
    }
}

/// The log, newest first.
pub async fn list(conn: &mut Conn, project: ProjectId, request: PageRequest) -> Result<Page<AuditEntry>, StoreError> {
    let query = Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_audit WHERE project_id = ").bind(project);
    paging::page(conn, query, ORDER, request, read).await
}

fn read(row: &Row) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        id: row.parse("id")?,
        user_id: row.parse("user_id")?,
        email: row.text("email")?,
        role: row.parse("role")?,
        action: row.parse("action")?,
        object: row.opt_text("object")?,
        detail: row.opt_text("detail")?,
        created_at: row.time("created_at")?,
    })
}
