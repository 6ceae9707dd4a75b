//! `/webhooks/deliveries`.

use axum::http::StatusCode;
use domain::ErrorCode;
use domain::filter::DeliveryFilter;
use domain::id::DeliveryId;
use domain::model::Delivery;
use domain::page::{Page, PageRequest};
use store::decisions::{self, DecisionError};
use store::retry::{self, RetryError};
use store::{Conn, StoreError, Tx, deliveries};

use super::inspector::RedirectDelivery;
use super::{One, Resource};
use crate::body::Wanted;
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

const TYPE: &str = "webhook_delivery";

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<List<Deliveries>>("/webhooks/deliveries")
        .get::<One<Deliveries>>("/webhooks/deliveries/{id}")
        .post::<Retry>("/webhooks/deliveries/{id}/retry")
        .post::<Cancel>("/webhooks/deliveries/{id}/cancel")
        .post::<RedirectDelivery>("/webhooks/deliveries/{id}/redirect-to-inspector")
}

struct Deliveries;

impl Collection for Deliveries {
    const LIST: &'static str = "deliveries";
    const TITLE: Option<Words> = Some(words("List deliveries", "Доставки"));
    type Filter = DeliveryFilter;
    type Row = Delivery;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<Delivery>, StoreError> {
        deliveries::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Deliveries {
    const TYPE: &'static str = TYPE;
    const TITLE: Option<Words> = Some(words("Get one delivery", "Одна доставка"));
    type Id = DeliveryId;
    type Object = Delivery;

    async fn find(conn: &mut Conn, call: &Call, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        deliveries::get(conn, call.project(), id).await
    }
}

/// Sends the same event again, as a new delivery.
struct Retry(DeliveryId);

impl Mutation for Retry {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Retry a delivery", "Повторить доставку"))
            .note(words(
                "The same event and bytes as a new delivery with a request id of its own.",
                "То же событие теми же байтами, новой доставкой со своим request_id.",
            ))
            .answers::<Delivery>(StatusCode::CREATED)
            .or(ErrorCode::ResourceConflict)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let made = retry::retry_delivery(tx, call.project(), self.0, None).await;
        let made = made.map_err(|error| refused(error, TYPE, &self.0))?;
        Answer::created(&made, &format!("webhooks/deliveries/{}", made.id))
    }
}

/// Calls off what waits.
struct Cancel(DeliveryId);

impl Mutation for Cancel {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Cancel a waiting delivery", "Отменить ждущую доставку"))
            .note(words(
                "No further attempt is made; one under way ends, and counts if it succeeds.",
                "Новых попыток не будет; идущая завершится и зачтётся, если удастся.",
            ))
            .answers::<Delivery>(StatusCode::OK)
            .or(ErrorCode::ResourceConflict)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let cancelled = decisions::cancel(tx, call.project(), self.0).await;
        Answer::ok(&cancelled.map_err(|error| undecided(error, TYPE, "status", &self.0))?)
    }
}

/// Why a decision about this delivery or dead letter can't be carried out; `field` tells why.
pub(super) fn undecided(
    error: DecisionError,
    resource_type: &'static str,
    field: &'static str,
    id: &impl std::fmt::Display,
) -> ApiError {
    match error {
        DecisionError::NotFound => ApiError::not_found(resource_type, id),
        DecisionError::TooLate => ApiError::Conflict { resource_type, field, existing_id: Some(id.to_string()) },
        DecisionError::Store(error) => error.into(),
    }
}

/// Why a retry of this delivery or dead letter can't be.
pub(super) fn refused(error: RetryError, resource_type: &'static str, id: &impl std::fmt::Display) -> ApiError {
    let conflict = |field| ApiError::Conflict { resource_type, field, existing_id: Some(id.to_string()) };
    match error {
        RetryError::NotFound => ApiError::not_found(resource_type, id),
        RetryError::EndpointDeleted(_) => conflict("endpoint_id"),
        RetryError::Resolved(_) => conflict("resolved_at"),
        RetryError::Store(error) => error.into(),
    }
}
