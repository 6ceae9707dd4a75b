//! `/requests`: the log, and everything that followed from one request.

use domain::id::RequestId;
use domain::model::{ApiRequest, RequestWithTrace};
use domain::page::{Page, PageRequest};
use store::requests::{self, RequestListFilter};
use store::{Conn, StoreError};

use super::{One, Resource};
use crate::describe::{Words, words};
use crate::list::{Collection, List};
use crate::operation::Call;
use crate::routes::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().get::<List<Requests>>("/requests").get::<One<Requests>>("/requests/{id}")
}

struct Requests;

impl Collection for Requests {
    const LIST: &'static str = "requests";
    const TITLE: Option<Words> = Some(words("List API requests", "Запросы к API"));
    type Filter = RequestListFilter;
    type Row = ApiRequest;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &RequestListFilter,
        page: PageRequest,
    ) -> Result<Page<ApiRequest>, StoreError> {
        requests::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Requests {
    const TYPE: &'static str = "request";
    const TITLE: Option<Words> = Some(words("Get one request with its trace", "Один запрос и всё, что из него вышло"));
    type Id = RequestId;
    type Object = RequestWithTrace;

    async fn find(conn: &mut Conn, call: &Call, id: RequestId) -> Result<Option<RequestWithTrace>, StoreError> {
        requests::get_with_trace(conn, call.project(), id).await
    }
}
