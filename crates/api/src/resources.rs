//! The resources of contract section 7, one file each.

mod attempts;
mod catalog;
mod contacts;
mod dead_letters;
mod deliveries;
mod endpoints;
mod events;
mod idempotency_keys;
mod inspector;
mod messages;
mod requests;
mod retry_jobs;
mod scenarios;

use axum::http::StatusCode;
use domain::event_type::EventType;
use domain::model::RawJson;
use schemars::JsonSchema;
use serde::Serialize;
use store::events::NewEvent;
use store::{Conn, StoreError, Tx};

use crate::describe::{Description, Words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::operation::{Call, Query};
use crate::routes::Routes;

pub(crate) use catalog::Uploaded;

/// Every path below the API's prefix.
pub(crate) fn routes() -> Routes {
    let resources = [
        attempts::routes(),
        catalog::routes(),
        contacts::routes(),
        dead_letters::routes(),
        deliveries::routes(),
        endpoints::routes(),
        events::routes(),
        idempotency_keys::routes(),
        inspector::routes(),
        messages::routes(),
        requests::routes(),
        retry_jobs::routes(),
        scenarios::routes(),
    ];
    resources.into_iter().fold(Routes::new(), Routes::merge)
}

/// A resource of which one can be fetched by its id.
pub(crate) trait Resource: Send + 'static {
    /// What a 404 calls it.
    const TYPE: &'static str;
    /// What the OpenAPI document calls fetching one.
    const TITLE: Option<Words> = None;
    type Id: std::str::FromStr + std::fmt::Display + Copy + Send + Sync;
    type Object: Serialize + JsonSchema + Send + Sync;

    /// By the repository.
    fn find(
        conn: &mut Conn,
        call: &Call,
        id: Self::Id,
    ) -> impl Future<Output = Result<Option<Self::Object>, StoreError>> + Send;
}

/// The query that fetches one [`Resource`].
pub(crate) struct One<R: Resource>(R::Id);

impl<R: Resource> Query for One<R> {
    fn describe() -> Description {
        Description { title: R::TITLE, ..Description::default() }.answers::<R::Object>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        call.without_query()?;
        call.id(R::TYPE).map(Self)
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let found = R::find(conn, call, self.0).await?;
        Answer::ok(&found.ok_or_else(|| ApiError::not_found(R::TYPE, &self.0))?)
    }
}

/// Publishes what happened to a resource, with the resource as it is (or was), in the transaction of
/// the change.
async fn announce<T: Serialize + Sync>(tx: &mut Tx, call: &Call, event_type: &str, data: &T) -> Result<(), ApiError> {
    let event_type: EventType = event_type.parse().map_err(ApiError::internal)?;
    let data = RawJson::of(data).map_err(ApiError::internal)?;
    let event = NewEvent { event_type, data, request_id: Some(call.request_id()) };
    store::events::publish(tx, call.project(), event).await?;
    Ok(())
}

/// A text that says something, in at most `most` characters.
fn short_text(text: String, most: usize) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("must not be empty".to_owned());
    }
    if text.chars().count() > most {
        return Err(format!("must be at most {most} characters"));
    }
    Ok(text)
}
