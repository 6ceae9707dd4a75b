//! Messages: accepted, stored and listed (contract section 7). No channel sends them yet.

use domain::filter::MessageFilter;
use domain::id::{ContactId, MessageId, ProjectId};
use domain::model::Message;
use domain::page::{Page, PageRequest};
use domain::status::MessageStatus;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "id, contact_id, text, channel, status, created_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: MessageId::PREFIX };

/// What a message is made from; checked by the caller.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// To whom.
    pub contact_id: ContactId,
    /// What is said.
    pub text: String,
    /// By which channel.
    pub channel: Option<String>,
}

/// Stores a message; `None` when the project has no such contact.
pub async fn insert(tx: &mut Tx, project: ProjectId, new: NewMessage) -> Result<Option<Message>, StoreError> {
    if crate::contacts::get(tx, project, new.contact_id).await?.is_none() {
        return Ok(None);
    }
    let created_at = tx.now();
    let message = Message {
        id: MessageId::generate(created_at, tx.entropy()),
        contact_id: new.contact_id,
        text: new.text,
        channel: new.channel,
        status: MessageStatus::Accepted,
        created_at,
    };
    Sql::new("INSERT INTO btx_message (project_id, ")
        .push(COLUMNS)
        .push(") VALUES (")
        .bind(project)
        .push(", ")
        .bind(message.id)
        .push(", ")
        .bind(message.contact_id)
        .push(", ")
        .bind(&message.text)
        .push(", ")
        .bind(message.channel.as_ref())
        .push(", ")
        .bind(message.status)
        .push(", ")
        .bind(created_at)
        .push(")")
        .execute(tx)
        .await?;
    Ok(Some(message))
}

/// One message.
pub async fn get(conn: &mut Conn, project: ProjectId, id: MessageId) -> Result<Option<Message>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The messages that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &MessageFilter,
    request: PageRequest,
) -> Result<Page<Message>, StoreError> {
    let mut query = paging::in_range(select(project), "created_at", &filter.created);
    if let Some(contact) = filter.contact_id {
        query = query.push(" AND contact_id = ").bind(contact);
    }
    if let Some(channel) = &filter.channel {
        query = query.push(" AND channel = ").bind(channel);
    }
    paging::page(conn, query, ORDER, request, read).await
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_message WHERE project_id = ").bind(project)
}

fn read(row: &Row) -> Result<Message, StoreError> {
    Ok(Message {
        id: row.parse("id")?,
        contact_id: row.parse("contact_id")?,
        text: row.text("text")?,
        channel: row.opt_text("channel")?,
        status: row.parse("status")?,
        created_at: row.time("created_at")?,
    })
}
