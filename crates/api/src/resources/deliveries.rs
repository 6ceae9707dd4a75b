//! `/webhooks/deliveries`.

use axum::Router;
use axum::routing::{get, post};
use domain::filter::DeliveryFilter;
use domain::id::DeliveryId;
use domain::model::Delivery;
use domain::page::{Page, PageRequest};
use store::retry::{self, RetryError};
use store::{Conn, StoreError, Tx, deliveries};

use super::{One, Resource};
use crate::body::Wanted;
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation, read, write};
use crate::state::ApiState;

const TYPE: &str = "webhook_delivery";

pub(super) fn routes() -> Router<ApiState> {
    Router::new()
        .route("/public/v1/webhooks/deliveries", get(read::<List<Deliveries>>))
        .route("/public/v1/webhooks/deliveries/{id}", get(read::<One<Deliveries>>))
        .route("/public/v1/webhooks/deliveries/{id}/retry", post(write::<Retry>))
}

struct Deliveries;

impl Collection for Deliveries {
    const LIST: &'static str = "deliveries";
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
