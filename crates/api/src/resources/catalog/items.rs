//! `/catalog/items`: read only; imports write them.

use domain::filter::ItemFilter;
use domain::id::ItemId;
use domain::model::CatalogItem;
use domain::page::{Page, PageRequest};
use store::{Conn, StoreError, items};

use crate::describe::{Words, words};
use crate::list::{Collection, List};
use crate::operation::Call;
use crate::resources::{One, Resource};
use crate::routes::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().get::<List<Items>>("/catalog/items").get::<One<Items>>("/catalog/items/{id}")
}

struct Items;

impl Collection for Items {
    const LIST: &'static str = "catalog_items";
    const TITLE: Option<Words> = Some(words("List catalog items", "Товары каталога"));
    type Filter = ItemFilter;
    type Row = CatalogItem;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &ItemFilter,
        page: PageRequest,
    ) -> Result<Page<CatalogItem>, StoreError> {
        items::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Items {
    const TYPE: &'static str = "catalog_item";
    const TITLE: Option<Words> = Some(words("Get one catalog item", "Один товар каталога"));
    type Id = ItemId;
    type Object = CatalogItem;

    async fn find(conn: &mut Conn, call: &Call, id: ItemId) -> Result<Option<CatalogItem>, StoreError> {
        items::get(conn, call.project(), id).await
    }
}
