//! `/webhooks/dead-letters`.

use axum::Router;
use axum::routing::{get, post};
use domain::filter::DeadLetterFilter;
use domain::id::DeadLetterId;
use domain::model::DeadLetter;
use domain::page::{Page, PageRequest};
use store::{Conn, StoreError, Tx, dead_letters, retry};

use super::deliveries::refused;
use super::{One, Resource};
use crate::body::Wanted;
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation, read, write};
use crate::state::ApiState;

const TYPE: &str = "dead_letter";

pub(super) fn routes() -> Router<ApiState> {
    Router::new()
        .route("/public/v1/webhooks/dead-letters", get(read::<List<DeadLetters>>))
        .route("/public/v1/webhooks/dead-letters/{id}", get(read::<One<DeadLetters>>))
        .route("/public/v1/webhooks/dead-letters/{id}/retry", post(write::<Retry>))
}

struct DeadLetters;

impl Collection for DeadLetters {
    const LIST: &'static str = "dead_letters";
    type Filter = DeadLetterFilter;
    type Row = DeadLetter;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &DeadLetterFilter,
        page: PageRequest,
    ) -> Result<Page<DeadLetter>, StoreError> {
        dead_letters::list(conn, call.project(), filter, page).await
    }
}

impl Resource for DeadLetters {
    const TYPE: &'static str = TYPE;
    type Id = DeadLetterId;
    type Object = DeadLetter;

    async fn find(conn: &mut Conn, call: &Call, id: DeadLetterId) -> Result<Option<DeadLetter>, StoreError> {
        dead_letters::get(conn, call.project(), id).await
    }
}

/// Sends what the dead letter stands for again, and takes it out of the inbox.
struct Retry(DeadLetterId);

impl Mutation for Retry {
    const BODY: Wanted = Wanted::Nothing;

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let made = retry::retry_dead_letter(tx, call.project(), self.0, None).await;
        let made = made.map_err(|error| refused(error, TYPE, &self.0))?;
        Answer::created(&made, &format!("webhooks/deliveries/{}", made.id))
    }
}
