//! Webhook endpoints.

use domain::event_type::EventPattern;
use domain::id::{EndpointId, ProjectId};
use domain::model::Endpoint;
use domain::page::{Page, PageRequest};
use domain::secret::WebhookSecret;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

mod change;

pub use change::{EndpointChange, delete, rotate_secret, update};

const COLUMNS: &str = "id, url, event_types, description, enabled, disabled_reason, disabled_at, secret_rotated_at, \
                       previous_secret_expires_at, created_at, updated_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: EndpointId::PREFIX };

/// What an endpoint is created from. The URL has been checked by the caller.
#[derive(Clone, Debug)]
pub struct NewEndpoint {
    /// Where events are sent.
    pub url: String,
    /// Which events are wanted; at least one.
    pub event_types: Vec<EventPattern>,
    /// The project's own note.
    pub description: Option<String>,
    /// Whether events are sent.
    pub enabled: bool,
}

/// Creates an endpoint with a fresh secret, which only this answer carries.
pub async fn insert(tx: &mut Tx, project: ProjectId, new: NewEndpoint) -> Result<Endpoint, StoreError> {
    let now = tx.now();
    let id = EndpointId::generate(now, tx.entropy());
    let secret = WebhookSecret::generate(tx.entropy());
    let sealed = tx.keys().seal(secret.expose().as_bytes(), &id.to_string(), tx.entropy());
    Sql::new(
        "INSERT INTO btx_webhook_endpoint \
         (id, project_id, url, event_types, description, enabled, secret, created_at, updated_at) VALUES (",
    )
    .bind(id)
    .push(", ")
    .bind(project)
    .push(", ")
    .bind(&new.url)
    .push(", ")
    .bind(join(&new.event_types))
    .push(", ")
    .bind(new.description.as_ref())
    .push(", ")
    .bind(new.enabled)
    .push(", ")
    .bind(sealed)
    .push(", ")
    .bind(now)
    .push(", ")
    .bind(now)
    .push(")")
    .execute(tx)
    .await?;
    Ok(Endpoint {
        id,
        url: new.url,
        event_types: new.event_types,
        description: new.description,
        enabled: new.enabled,
        disabled_reason: None,
        disabled_at: None,
        secret: Some(secret.expose().to_owned()),
        secret_rotated_at: None,
        previous_secret_expires_at: None,
        health: None,
        created_at: now,
        updated_at: now,
    })
}

/// One endpoint that has not been deleted.
pub async fn get(conn: &mut Conn, project: ProjectId, id: EndpointId) -> Result<Option<Endpoint>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The endpoints, newest first.
pub async fn list(conn: &mut Conn, project: ProjectId, request: PageRequest) -> Result<Page<Endpoint>, StoreError> {
    paging::page(conn, select(project), ORDER, request, read).await
}

/// Id and URL of every endpoint, deleted ones included, for captions beside old attempts.
pub async fn captions(conn: &mut Conn, project: ProjectId) -> Result<Vec<(EndpointId, String)>, StoreError> {
    let query = Sql::new("SELECT id, url FROM btx_webhook_endpoint WHERE project_id = ")
        .bind(project)
        .push(" ORDER BY created_at DESC, id DESC LIMIT 1000");
    paging::rows(conn, query, |row| Ok((row.parse("id")?, row.text("url")?))).await
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ")
        .push(COLUMNS)
        .push(" FROM btx_webhook_endpoint WHERE deleted_at IS NULL AND project_id = ")
        .bind(project)
}

fn join(patterns: &[EventPattern]) -> String {
    patterns.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

pub(crate) fn split(patterns: &str) -> Result<Vec<EventPattern>, StoreError> {
    let parse = |text: &str| text.parse().map_err(|e| StoreError::Inconsistent(format!("event_types: {e}")));
    patterns.split(',').map(parse).collect()
}

fn read(row: &Row) -> Result<Endpoint, StoreError> {
    Ok(Endpoint {
        id: row.parse("id")?,
        url: row.text("url")?,
        event_types: split(&row.text("event_types")?)?,
        description: row.opt_text("description")?,
        enabled: row.flag("enabled")?,
        disabled_reason: row.opt_parse("disabled_reason")?,
        disabled_at: row.opt_time("disabled_at")?,
        secret: None,
        secret_rotated_at: row.opt_time("secret_rotated_at")?,
        previous_secret_expires_at: row.opt_time("previous_secret_expires_at")?,
        health: None,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
