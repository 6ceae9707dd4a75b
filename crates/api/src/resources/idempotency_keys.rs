//! `/idempotency-keys`: what became of a key.

use axum::Router;
use axum::routing::get;
use domain::idempotency_key::IdempotencyKey as Key;
use domain::model::IdempotencyKey;
use domain::page::{Page, PageRequest};
use store::idempotency::{self, IdempotencyFilter};
use store::{Conn, StoreError};

use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Query, read};
use crate::state::ApiState;

const TYPE: &str = "idempotency_key";

pub(super) fn routes() -> Router<ApiState> {
    Router::new()
        .route("/public/v1/idempotency-keys", get(read::<List<IdempotencyKeys>>))
        .route("/public/v1/idempotency-keys/{key}", get(read::<OneKey>))
}

/// All keys of the project, of whichever API key.
struct IdempotencyKeys;

impl Collection for IdempotencyKeys {
    const LIST: &'static str = "idempotency_keys";
    type Filter = IdempotencyFilter;
    type Row = IdempotencyKey;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &IdempotencyFilter,
        page: PageRequest,
    ) -> Result<Page<IdempotencyKey>, StoreError> {
        idempotency::list(conn, call.project(), filter, call.now(), page).await
    }
}

/// One key of the API key that asks.
struct OneKey(Key);

impl Query for OneKey {
    fn parse(call: &Call) -> Result<Self, ApiError> {
        call.without_query()?;
        let text = call.param("key");
        Key::parse(text.as_bytes()).map(Self).map_err(|_| ApiError::not_found(TYPE, text))
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let (by, key) = (call.caller.key_id, self.0.as_str());
        if let Some(running) = call.state.running.look_up(by, key) {
            return Answer::ok(&running);
        }
        let found = idempotency::get(conn, call.project(), by, key, call.now()).await?;
        Answer::ok(&found.ok_or_else(|| ApiError::not_found(TYPE, key))?)
    }
}
