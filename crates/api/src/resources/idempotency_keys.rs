//! `/idempotency-keys`: what became of a key.

use axum::http::StatusCode;
use domain::idempotency_key::IdempotencyKey as Key;
use domain::model::IdempotencyKey;
use domain::page::{Page, PageRequest};
use store::idempotency::{self, IdempotencyFilter};
use store::{Conn, StoreError};

use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Query};
use crate::routes::Routes;

const TYPE: &str = "idempotency_key";

pub(super) fn routes() -> Routes {
    Routes::new().get::<List<IdempotencyKeys>>("/idempotency-keys").get::<OneKey>("/idempotency-keys/{key}")
}

/// All keys of the project, of whichever API key.
struct IdempotencyKeys;

impl Collection for IdempotencyKeys {
    const LIST: &'static str = "idempotency_keys";
    const TITLE: Option<Words> = Some(words("List idempotency keys of the project", "Ключи идемпотентности проекта"));
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
    fn describe() -> Description {
        Description::of(words("Get one idempotency key", "Один ключ идемпотентности"))
            .note(words("Of the API key that asks.", "Из ключей того API-ключа, который спрашивает."))
            .answers::<IdempotencyKey>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        call.without_query()?;
        let text = call.param("key");
        Key::parse(text.as_bytes()).map(Self).map_err(|_| ApiError::not_found(TYPE, text))
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let (by, key) = (call.caller.key_id, self.0.as_str());
        let running = call.state.running.look_up(by, key);
        let stored = idempotency::get(conn, call.project(), by, key, call.now()).await?;
        let shown = match (stored, running) {
            // Conflicts are counted in memory while the first request runs.
            (Some(stored), Some(running)) if stored.first_request_id == running.first_request_id => {
                Some(IdempotencyKey { conflicts: stored.conflicts + running.conflicts, ..stored })
            }
            (_, Some(running)) => Some(running),
            (stored, None) => stored,
        };
        Answer::ok(&shown.ok_or_else(|| ApiError::not_found(TYPE, key))?)
    }
}
