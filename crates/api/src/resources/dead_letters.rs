//! `/webhooks/dead-letters`.

use axum::http::StatusCode;
use domain::ErrorCode;
use domain::filter::DeadLetterFilter;
use domain::id::DeadLetterId;
use domain::model::{DeadLetter, Delivery};
use domain::page::{Page, PageRequest};
use store::{Conn, StoreError, Tx, dead_letters, decisions, retry};

use super::deliveries::{refused, undecided};
use super::inspector::RedirectDeadLetter;
use super::{One, Resource};
use crate::body::Wanted;
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

const TYPE: &str = "dead_letter";

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<List<DeadLetters>>("/webhooks/dead-letters")
        .get::<One<DeadLetters>>("/webhooks/dead-letters/{id}")
        .post::<Retry>("/webhooks/dead-letters/{id}/retry")
        .post::<RedirectDeadLetter>("/webhooks/dead-letters/{id}/redirect-to-inspector")
        .post::<Dismiss>("/webhooks/dead-letters/{id}/dismiss")
        .post::<Restore>("/webhooks/dead-letters/{id}/restore")
}

struct DeadLetters;

impl Collection for DeadLetters {
    const LIST: &'static str = "dead_letters";
    const TITLE: Option<Words> = Some(words("List dead letters", "Недоставленные"));
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
    const TITLE: Option<Words> = Some(words("Get one dead letter", "Одно недоставленное"));
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

    fn describe() -> Description {
        Description::of(words("Retry a dead letter", "Повторить недоставленное"))
            .note(words(
                "The same event and bytes as a new delivery; the dead letter is resolved as retried.",
                "То же событие теми же байтами, новой доставкой; недоставленное помечается retried.",
            ))
            .answers::<Delivery>(StatusCode::CREATED)
            .or(ErrorCode::ResourceConflict)
    }

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

/// Takes a dead letter out of the inbox without sending it.
struct Dismiss(DeadLetterId);

impl Mutation for Dismiss {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Dismiss a dead letter", "Отложить недоставленное"))
            .note(words(
                "It leaves the inbox unsent, and can be restored for 90 days.",
                "Уходит из списка без отправки; 90 дней его можно вернуть.",
            ))
            .answers::<DeadLetter>(StatusCode::OK)
            .or(ErrorCode::ResourceConflict)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let dismissed = decisions::dismiss(tx, call.project(), self.0).await;
        Answer::ok(&dismissed.map_err(|error| undecided(error, TYPE, "resolved_at", &self.0))?)
    }
}

/// Puts a dismissed dead letter back into the inbox.
struct Restore(DeadLetterId);

impl Mutation for Restore {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Restore a dismissed dead letter", "Вернуть отложенное"))
            .note(words("It waits in the inbox again.", "Снова ждёт решения."))
            .answers::<DeadLetter>(StatusCode::OK)
            .or(ErrorCode::ResourceConflict)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let restored = decisions::restore(tx, call.project(), self.0).await;
        Answer::ok(&restored.map_err(|error| undecided(error, TYPE, "resolved_at", &self.0))?)
    }
}
