//! `…/redirect-to-inspector`: the last attempt's bytes and headers become a capture in the default bin.

use axum::http::StatusCode;
use domain::ErrorCode;
use domain::id::{DeadLetterId, DeliveryId};
use domain::model::Redirected;
use store::Tx;
use store::inspector::{self, Copied, RedirectError};

use crate::body::Wanted;
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::operation::{Call, Mutation};

/// Of a delivery.
pub(in crate::resources) struct RedirectDelivery(DeliveryId);
/// Of a dead letter's delivery.
pub(in crate::resources) struct RedirectDeadLetter(DeadLetterId);

const DELIVERY: &str = "webhook_delivery";
const DEAD_LETTER: &str = "dead_letter";

impl Mutation for RedirectDelivery {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        described(words("Redirect a delivery to the inspector", "Перенаправить доставку в инспектор"))
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(DELIVERY)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let copied = inspector::redirect_delivery(tx, call.project(), self.0).await;
        answer(call, copied.map_err(|error| refused(error, DELIVERY, &self.0))?)
    }
}

impl Mutation for RedirectDeadLetter {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        described(words("Redirect a dead letter to the inspector", "Перенаправить недоставленное в инспектор"))
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(DEAD_LETTER)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let copied = inspector::redirect_dead_letter(tx, call.project(), self.0).await;
        answer(call, copied.map_err(|error| refused(error, DEAD_LETTER, &self.0))?)
    }
}

fn described(title: Words) -> Description {
    Description::of(title)
        .note(words(
            "Copies the bytes and headers of the last attempt into the project's default bin; nothing is sent, the \
             original stays as it is. 409 when there is nothing to copy: field is attempts_count when no attempt is \
             known yet, last_attempt_at when the attempts are past their 14 days.",
            "Копирует байты и заголовки последней попытки в корзину проекта по умолчанию; ничего не отправляется, \
             оригинал не меняется. 409, если копировать нечего: field — attempts_count, когда попыток ещё не было, и \
             last_attempt_at, когда их 14 дней прошли.",
        ))
        .answers::<Redirected>(StatusCode::CREATED)
        .or(ErrorCode::ResourceConflict)
}

fn answer(call: &Call, copied: Copied) -> Result<Answer, ApiError> {
    let Copied { capture_id, bin_id } = copied;
    let url = format!("{}/developers/{}/inspector/{bin_id}/{capture_id}", call.config().app_url, call.project());
    let redirected = Redirected { capture_id, bin_id, url };
    Answer::created(&redirected, &format!("inspector/bins/{bin_id}/captures/{capture_id}"))
}

fn refused(error: RedirectError, resource_type: &'static str, id: &impl std::fmt::Display) -> ApiError {
    let conflict = |field| ApiError::Conflict { resource_type, field, existing_id: Some(id.to_string()) };
    match error {
        RedirectError::NotFound => ApiError::not_found(resource_type, id),
        RedirectError::NoAttempt => conflict("attempts_count"),
        RedirectError::Expired => conflict("last_attempt_at"),
        RedirectError::Store(error) => error.into(),
    }
}
