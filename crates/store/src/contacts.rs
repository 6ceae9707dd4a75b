//! Contacts: the phone is unique in a project, and a project may have a limit.

use domain::filter::TimeRange;
use domain::id::{ContactId, ProjectId};
use domain::model::{Contact, RawJson};
use domain::page::{Page, PageRequest};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::events::raw_json;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "id, phone, name, email, tags, attributes, created_at, updated_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: ContactId::PREFIX };

/// What a contact is made from; checked by the caller.
#[derive(Clone, Debug)]
pub struct NewContact {
    /// E.164.
    pub phone: String,
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// A JSON object.
    pub attributes: RawJson,
}

/// What a contact is changed to; `None` leaves a field as it is.
#[derive(Clone, Debug, Default)]
pub struct ContactChange {
    /// E.164.
    pub phone: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// The e-mail address; `Some(None)` removes it.
    pub email: Option<Option<String>>,
    /// Labels.
    pub tags: Option<Vec<String>>,
    /// A JSON object.
    pub attributes: Option<RawJson>,
}

/// Why a contact was not stored.
#[derive(Debug, thiserror::Error)]
pub enum ContactError {
    /// Another contact of the project has this phone.
    #[error("the phone belongs to {0}")]
    PhoneTaken(ContactId),
    /// The project is full.
    #[error("the project holds {current} of {limit} contacts")]
    LimitReached {
        /// How many it may hold.
        limit: u32,
        /// How many it holds.
        current: u32,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stores a contact. When this fails, the caller's transaction (or savepoint) must be rolled back.
pub async fn insert(tx: &mut Tx, project: ProjectId, new: NewContact) -> Result<Contact, ContactError> {
    let now = tx.now();
    let contact = Contact {
        id: ContactId::generate(now, tx.entropy()),
        phone: new.phone,
        name: new.name,
        email: new.email,
        tags: new.tags,
        attributes: new.attributes,
        created_at: now,
        updated_at: now,
    };
    // Not an error of the database: on PostgreSQL that would end the transaction.
    let inserted = Sql::new(
        "INSERT INTO btx_contact (id, project_id, phone, name, email, tags, attributes, created_at, updated_at) \
         VALUES (",
    )
    .bind(contact.id)
    .push(", ")
    .bind(project)
    .push(", ")
    .bind(&contact.phone)
    .push(", ")
    .bind(&contact.name)
    .push(", ")
    .bind(contact.email.as_ref())
    .push(", ")
    .bind(tags_json(&contact.tags)?)
    .push(", ")
    .bind(contact.attributes.as_str().as_bytes())
    .push(", ")
    .bind(now)
    .push(", ")
    .bind(now)
    .push(") ON CONFLICT (project_id, phone) DO NOTHING RETURNING id")
    .fetch_optional(tx)
    .await?;
    if inserted.is_none() {
        return Err(taken(tx, project, &contact.phone).await);
    }
    take_place(tx, project).await?;
    Ok(contact)
}

/// A contact behind [`update`]. No tuple: that could be serialised as it is, in place of the contact.
#[derive(Debug)]
pub struct Updated {
    /// As it is now.
    pub contact: Contact,
    /// Whether that differs from what it was.
    pub is_changed: bool,
}

/// Changes a contact; `None` when there is none. As with [`insert`], roll back on an error.
pub async fn update(
    tx: &mut Tx,
    project: ProjectId,
    id: ContactId,
    change: ContactChange,
) -> Result<Option<Updated>, ContactError> {
    let Some(before) = get_for_update(tx, project, id).await? else { return Ok(None) };
    let mut contact = before.clone();
    if let Some(phone) = change.phone {
        let other = id_of_phone(tx, project, &phone).await?.filter(|other| *other != id);
        if let Some(other) = other {
            return Err(ContactError::PhoneTaken(other));
        }
        contact.phone = phone;
    }
    contact.name = change.name.unwrap_or(contact.name);
    contact.email = change.email.unwrap_or(contact.email);
    contact.tags = change.tags.unwrap_or(contact.tags);
    contact.attributes = change.attributes.unwrap_or(contact.attributes);
    if contact == before {
        return Ok(Some(Updated { contact, is_changed: false }));
    }
    contact.updated_at = tx.now();
    Sql::new("UPDATE btx_contact SET phone = ")
        .bind(&contact.phone)
        .push(", name = ")
        .bind(&contact.name)
        .push(", email = ")
        .bind(contact.email.as_ref())
        .push(", tags = ")
        .bind(tags_json(&contact.tags)?)
        .push(", attributes = ")
        .bind(contact.attributes.as_str().as_bytes())
        .push(", updated_at = ")
        .bind(contact.updated_at)
        .push(" WHERE project_id = ")
        .bind(project)
        .push(" AND id = ")
        .bind(id)
        .execute(tx)
        .await
        .map_err(raced)?;
    Ok(Some(Updated { contact, is_changed: true }))
}

/// Deletes a contact and answers with what it was.
pub async fn delete(tx: &mut Tx, project: ProjectId, id: ContactId) -> Result<Option<Contact>, StoreError> {
    let query = Sql::new("DELETE FROM btx_contact WHERE project_id = ").bind(project).push(" AND id = ").bind(id);
    let Some(row) = query.push(" RETURNING ").push(COLUMNS).fetch_optional(tx).await? else { return Ok(None) };
    let query = Sql::new("UPDATE btx_project SET contact_count = contact_count - 1 WHERE contact_limit IS NOT NULL");
    query.push(" AND id = ").bind(project).execute(tx).await?;
    read(&row).map(Some)
}

/// One contact.
pub async fn get(conn: &mut Conn, project: ProjectId, id: ContactId) -> Result<Option<Contact>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The contacts created in `range`, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    range: &TimeRange,
    request: PageRequest,
) -> Result<Page<Contact>, StoreError> {
    paging::page(conn, paging::in_range(select(project), "created_at", range), ORDER, request, read).await
}

/// Counts one contact more, if there is room. The counter is kept only where there is a limit, so
/// that other projects have no row that all their writes wait for; whoever sets a limit counts anew.
async fn take_place(tx: &mut Tx, project: ProjectId) -> Result<(), ContactError> {
    let limited = |text| Sql::new(text).bind(project).push(" AND contact_limit IS NOT NULL");
    if limited("SELECT 1 AS one FROM btx_project WHERE id = ").fetch_optional(tx).await?.is_none() {
        return Ok(());
    }
    let counted = limited("UPDATE btx_project SET contact_count = contact_count + 1 WHERE id = ")
        .push(" AND contact_count < contact_limit");
    if counted.execute(tx).await? == 1 {
        return Ok(());
    }
    let row = limited("SELECT contact_limit, contact_count FROM btx_project WHERE id = ").fetch_one(tx).await?;
    Err(ContactError::LimitReached { limit: row.small("contact_limit")?, current: row.small("contact_count")? })
}

/// Another change took the phone between the look and the update: trying again will name it.
fn raced(error: StoreError) -> StoreError {
    if error.is_unique("phone") { StoreError::Unavailable(error.to_string()) } else { error }
}

async fn taken(tx: &mut Tx, project: ProjectId, phone: &str) -> ContactError {
    match id_of_phone(tx, project, phone).await {
        Ok(Some(other)) => ContactError::PhoneTaken(other),
        // It was deleted in between: trying again will succeed.
        Ok(None) => StoreError::Unavailable("the phone was given up meanwhile".to_owned()).into(),
        Err(error) => error.into(),
    }
}

async fn id_of_phone(tx: &mut Tx, project: ProjectId, phone: &str) -> Result<Option<ContactId>, StoreError> {
    let query = Sql::new("SELECT id FROM btx_contact WHERE project_id = ").bind(project).push(" AND phone = ");
    query.bind(phone).fetch_optional(tx).await?.map(|row| row.parse("id")).transpose()
}

async fn get_for_update(tx: &mut Tx, project: ProjectId, id: ContactId) -> Result<Option<Contact>, StoreError> {
    let mut query = select(project).push(" AND id = ").bind(id);
    if tx.dialect() == crate::Dialect::Postgres {
        query = query.push(" FOR UPDATE");
    }
    query.fetch_optional(tx).await?.as_ref().map(read).transpose()
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_contact WHERE project_id = ").bind(project)
}

fn tags_json(tags: &[String]) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(tags).map_err(|error| StoreError::Inconsistent(format!("tags: {error}")))
}

fn read(row: &Row) -> Result<Contact, StoreError> {
    Ok(Contact {
        id: row.parse("id")?,
        phone: row.text("phone")?,
        name: row.text("name")?,
        email: row.opt_text("email")?,
        tags: row.json("tags")?,
        attributes: raw_json(row.bytes("attributes")?)?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
