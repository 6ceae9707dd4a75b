//! API keys. Only their hashes are here; a key is found by its hash, never compared byte by byte.

use domain::Timestamp;
use domain::api_key::{ApiKeyHash, ApiKeySecret};
use domain::id::{ApiKeyId, ProjectId};
use domain::model::ApiKey;
use domain::page::{Page, PageRequest};
use domain::status::Scope;

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

const COLUMNS: &str = "k.id, k.project_id, k.name, k.hint, k.scopes, k.created_at, k.last_used_at, k.expires_at, \
                       k.revoked_at";
const ORDER: Order = Order { created_at: "k.created_at", id: "k.id", prefix: ApiKeyId::PREFIX };
/// `last_used_at` follows by up to this many microseconds, so that a busy key costs one write a minute.
const TOUCH_EVERY: i64 = 60_000_000;

/// What a key is made from.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// What it is called.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}

/// A key that was found, and what its project grants it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The key.
    pub key: ApiKey,
    /// Requests a minute; the server's default when `None`.
    pub rate_limit: Option<u32>,
}

/// Creates a key. The secret is in this answer and nowhere else.
pub async fn insert(tx: &mut Tx, project: ProjectId, new: NewApiKey) -> Result<(ApiKey, ApiKeySecret), StoreError> {
    let now = tx.now();
    let secret = ApiKeySecret::generate(tx.entropy());
    let mut scopes = new.scopes;
    scopes.sort();
    scopes.dedup();
    let key = ApiKey {
        id: ApiKeyId::generate(now, tx.entropy()),
        project_id: project,
        name: new.name,
        scopes,
        hint: secret.hint().to_owned(),
        created_at: now,
        last_used_at: None,
        expires_at: new.expires_at,
        revoked_at: None,
    };
    Sql::new("INSERT INTO btx_api_key (id, project_id, name, hash, hint, scopes, created_at, expires_at) VALUES (")
        .bind(key.id)
        .push(", ")
        .bind(project)
        .push(", ")
        .bind(&key.name)
        .push(", ")
        .bind(secret.hash().0.as_slice())
        .push(", ")
        .bind(&key.hint)
        .push(", ")
        .bind(join(&key.scopes))
        .push(", ")
        .bind(now)
        .push(", ")
        .bind(key.expires_at)
        .push(")")
        .execute(tx)
        .await?;
    Ok((key, secret))
}

/// The key with this hash, valid or not: the caller asks [`ApiKey::is_valid`].
pub async fn find(store: &Store, hash: ApiKeyHash) -> Result<Option<Found>, StoreError> {
    let query = Sql::new("SELECT p.rate_limit, ")
        .push(COLUMNS)
        .push(" FROM btx_api_key k JOIN btx_project p ON p.id = k.project_id WHERE k.hash = ")
        .bind(hash.0.as_slice());
    let (rows, _) = store.fetch_repeatable(&query).await?;
    rows.first().map(|row| Ok(Found { key: read(row)?, rate_limit: row.opt_small("rate_limit")? })).transpose()
}

/// One key.
pub async fn get(conn: &mut Conn, project: ProjectId, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
    let query = select(project).push(" AND k.id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The project's keys, revoked and expired ones included, newest first.
pub async fn list(conn: &mut Conn, project: ProjectId, request: PageRequest) -> Result<Page<ApiKey>, StoreError> {
    paging::page(conn, select(project), ORDER, request, read).await
}

/// Revokes a key from this moment on. `false` when there is none, or it was revoked before.
pub async fn revoke(tx: &mut Tx, project: ProjectId, id: ApiKeyId) -> Result<bool, StoreError> {
    let now = tx.now();
    let query = Sql::new("UPDATE btx_api_key SET revoked_at = ").bind(now).push(" WHERE revoked_at IS NULL AND id = ");
    let changed = query.bind(id).push(" AND project_id = ").bind(project).execute(tx).await?;
    Ok(changed == 1)
}

/// Whether a use at `now` is worth writing down.
pub fn is_worth_touching(key: &ApiKey, now: Timestamp) -> bool {
    key.last_used_at.is_none_or(|last| now.as_micros() - last.as_micros() >= TOUCH_EVERY)
}

/// Notes that a key was used at `now`.
pub async fn touch(tx: &mut Tx, id: ApiKeyId, now: Timestamp) -> Result<(), StoreError> {
    Sql::new("UPDATE btx_api_key SET last_used_at = ")
        .bind(now)
        .push(" WHERE id = ")
        .bind(id)
        .push(" AND (last_used_at IS NULL OR last_used_at <= ")
        .bind(now.as_micros() - TOUCH_EVERY)
        .push(")")
        .execute(tx)
        .await
        .map(drop)
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_api_key k WHERE k.project_id = ").bind(project)
}

fn join(scopes: &[Scope]) -> String {
    scopes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn read(row: &Row) -> Result<ApiKey, StoreError> {
    let scopes = row.text("scopes")?;
    let scopes = scopes
        .split(',')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse::<Scope>().map_err(|error| StoreError::Inconsistent(format!("scopes: {error}"))));
    Ok(ApiKey {
        id: row.parse("id")?,
        project_id: row.parse("project_id")?,
        name: row.text("name")?,
        scopes: scopes.collect::<Result<_, _>>()?,
        hint: row.text("hint")?,
        created_at: row.time("created_at")?,
        last_used_at: row.opt_time("last_used_at")?,
        expires_at: row.opt_time("expires_at")?,
        revoked_at: row.opt_time("revoked_at")?,
    })
}
