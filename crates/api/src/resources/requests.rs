//! `/requests`: the log, and everything that followed from one request.

use axum::Router;
use axum::routing::get;
use domain::id::RequestId;
use domain::model::{ApiRequest, RequestWithTrace};
use domain::page::{Page, PageRequest};
use store::requests::{self, RequestListFilter};
use store::{Conn, StoreError};

use super::{One, Resource};
use crate::list::{Collection, List};
use crate::operation::{Call, read};
use crate::state::ApiState;

pub(super) fn routes() -> Router<ApiState> {
    Router::new()
        .route("/public/v1/requests", get(read::<List<Requests>>))
        .route("/public/v1/requests/{id}", get(read::<One<Requests>>))
}

struct Requests;

impl Collection for Requests {
    const LIST: &'static str = "requests";
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
    type Id = RequestId;
    type Object = RequestWithTrace;

    async fn find(conn: &mut Conn, call: &Call, id: RequestId) -> Result<Option<RequestWithTrace>, StoreError> {
        requests::get_with_trace(conn, call.project(), id).await
    }
}
