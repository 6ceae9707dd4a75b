//! Catalog items: one for each SKU of a project, written by imports.

use domain::filter::ItemFilter;
use domain::id::{ImportId, ItemId, ProjectId};
use domain::model::{CatalogItem, RawJson};
use domain::page::{Page, PageRequest};
use serde::{Deserialize, Serialize};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::events::raw_json;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "id, sku, name, price, currency, attributes, import_id, created_at, updated_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: ItemId::PREFIX };

/// What a row of an import says about an item; checked by the caller.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewItem {
    /// Unique in a project.
    pub sku: String,
    /// What it is called.
    pub name: Option<String>,
    /// A JSON number.
    pub price: Option<RawJson>,
    /// ISO 4217.
    pub currency: Option<String>,
    /// A JSON object.
    pub attributes: RawJson,
}

/// Stores items, or changes those whose SKU is known. Of two with one SKU the later wins.
pub async fn upsert_all(
    tx: &mut Tx,
    project: ProjectId,
    import: ImportId,
    items: Vec<NewItem>,
) -> Result<(), StoreError> {
    // By SKU: one statement may change a row once only, and two imports that go the same way through
    // the rows wait for each other instead of locking each other out.
    let items: std::collections::BTreeMap<String, NewItem> =
        items.into_iter().map(|item| (item.sku.clone(), item)).collect();
    if items.is_empty() {
        return Ok(());
    }
    let now = tx.now();
    let mut query = Sql::new("INSERT INTO btx_catalog_item (project_id, ").push(COLUMNS).push(") VALUES ");
    for (n, item) in items.into_values().enumerate() {
        query = query
            .push(if n == 0 { "(" } else { ", (" })
            .bind(project)
            .push(", ")
            .bind(ItemId::generate(now, tx.entropy()))
            .push(", ")
            .bind(item.sku)
            .push(", ")
            .bind(item.name)
            .push(", ")
            .bind(item.price.as_ref().map(RawJson::as_str))
            .push(", ")
            .bind(item.currency)
            .push(", ")
            .bind(item.attributes.as_str().as_bytes())
            .push(", ")
            .bind(import)
            .push(", ")
            .bind(now)
            .push(", ")
            .bind(now)
            .push(")");
    }
    let query = query.push(
        " ON CONFLICT (project_id, sku) DO UPDATE SET name = excluded.name, price = excluded.price, \
         currency = excluded.currency, attributes = excluded.attributes, import_id = excluded.import_id, \
         updated_at = excluded.updated_at",
    );
    query.uncached().execute(tx).await.map(drop)
}

/// One item.
pub async fn get(conn: &mut Conn, project: ProjectId, id: ItemId) -> Result<Option<CatalogItem>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The items that match, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    filter: &ItemFilter,
    request: PageRequest,
) -> Result<Page<CatalogItem>, StoreError> {
    let mut query = paging::in_range(select(project), "created_at", &filter.created);
    if let Some(sku) = &filter.sku {
        query = query.push(" AND sku = ").bind(sku);
    }
    if let Some(import) = filter.import_id {
        query = query.push(" AND import_id = ").bind(import);
    }
    paging::page(conn, query, ORDER, request, read).await
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_catalog_item WHERE project_id = ").bind(project)
}

fn read(row: &Row) -> Result<CatalogItem, StoreError> {
    let price = row.opt_text("price")?.map(|price| raw_json(price.into_bytes())).transpose()?;
    Ok(CatalogItem {
        id: row.parse("id")?,
        sku: row.text("sku")?,
        name: row.opt_text("name")?,
        price,
        currency: row.opt_text("currency")?,
        attributes: raw_json(row.bytes("attributes")?)?,
        import_id: row.parse("import_id")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
