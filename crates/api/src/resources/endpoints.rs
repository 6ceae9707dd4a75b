//! `/webhooks/endpoints`.

use axum::Router;
use axum::routing::{get, post};
use domain::endpoint_url::EndpointUrl;
use domain::event_type::EventPattern;
use domain::filter::NoFilter;
use domain::id::EndpointId;
use domain::model::Endpoint;
use domain::page::{Page, PageRequest};
use store::endpoints::{self, EndpointChange, NewEndpoint};
use store::{Conn, StoreError, Tx};

use super::{One, Resource};
use crate::body::{Fields, Wanted};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation, read, write};
use crate::state::ApiState;

const TYPE: &str = "webhook_endpoint";
const DESCRIPTION: usize = 500;
const PATTERNS: usize = 50;

pub(super) fn routes() -> Router<ApiState> {
    Router::new()
        .route("/public/v1/webhooks/endpoints", get(read::<List<Endpoints>>).post(write::<Create>))
        .route(
            "/public/v1/webhooks/endpoints/{id}",
            get(read::<One<Endpoints>>).patch(write::<Update>).delete(write::<Delete>),
        )
        .route("/public/v1/webhooks/endpoints/{id}/rotate-secret", post(write::<RotateSecret>))
}

struct Endpoints;

impl Collection for Endpoints {
    const LIST: &'static str = "endpoints";
    type Filter = NoFilter;
    type Row = Endpoint;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        _: &NoFilter,
        page: PageRequest,
    ) -> Result<Page<Endpoint>, StoreError> {
        endpoints::list(conn, call.project(), page).await
    }
}

impl Resource for Endpoints {
    const TYPE: &'static str = TYPE;
    type Id = EndpointId;
    type Object = Endpoint;

    async fn find(conn: &mut Conn, call: &Call, id: EndpointId) -> Result<Option<Endpoint>, StoreError> {
        endpoints::get(conn, call.project(), id).await
    }
}

struct Create(NewEndpoint);

impl Mutation for Create {
    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut fields = call.fields()?;
        let url = url(call, &mut fields);
        let url = fields.require("url", url);
        let event_types = event_types(&mut fields);
        let event_types = fields.require("event_types", event_types);
        let description = description(&mut fields);
        let enabled = fields.take("enabled", "must be true or false").unwrap_or(true);
        let new = url.zip(event_types);
        let new = new.map(|(url, event_types)| NewEndpoint { url, event_types, description, enabled });
        fields.finish(new).map(Self)
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let endpoint = endpoints::insert(tx, call.project(), self.0).await?;
        Answer::created(&endpoint, &format!("webhooks/endpoints/{}", endpoint.id))
    }
}

struct Update(EndpointId, EndpointChange);

impl Mutation for Update {
    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        let mut fields = call.fields()?;
        let given = ["url", "event_types", "enabled", "description"].map(|name| fields.has(name));
        let change = EndpointChange {
            url: url(call, &mut fields),
            event_types: event_types(&mut fields),
            enabled: fields.take("enabled", "must be true or false"),
            description: given[3].then(|| description(&mut fields)),
        };
        // Null takes a note away; the others can't be taken away.
        let left = [change.url.is_some(), change.event_types.is_some(), change.enabled.is_some()];
        for ((name, given), is_some) in ["url", "event_types", "enabled"].into_iter().zip(given).zip(left) {
            if given {
                fields.require(name, is_some.then_some(()));
            }
        }
        fields.finish(Some(Self(id, change)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let endpoint = endpoints::update(tx, call.project(), self.0, self.1).await?;
        Answer::ok(&endpoint.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?)
    }
}

struct Delete(EndpointId);

impl Mutation for Delete {
    const BODY: Wanted = Wanted::Nothing;

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        if endpoints::delete(tx, call.project(), self.0).await? {
            Ok(Answer::no_content())
        } else {
            Err(ApiError::not_found(TYPE, &self.0))
        }
    }
}

/// Replaces the secret; both sign for a while.
struct RotateSecret(EndpointId);

impl Mutation for RotateSecret {
    const BODY: Wanted = Wanted::Nothing;

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let endpoint = endpoints::rotate_secret(tx, call.project(), self.0, call.config().secret_overlap).await?;
        Answer::ok(&endpoint.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?)
    }
}

fn url(call: &Call, fields: &mut Fields) -> Option<String> {
    let guard = &call.config().guard;
    let url = fields.checked("url", |text| EndpointUrl::parse(&text, |address| guard.check(address).is_err()))?;
    Some(url.as_str().to_owned())
}

fn event_types(fields: &mut Fields) -> Option<Vec<EventPattern>> {
    let texts: Vec<String> = fields.take("event_types", "must be a list of event types")?;
    if texts.is_empty() || texts.len() > PATTERNS {
        fields.refuse("event_types", format_args!("must be 1 to {PATTERNS} event types"));
        return None;
    }
    let mut patterns = Vec::with_capacity(texts.len());
    for text in texts {
        match text.parse::<EventPattern>() {
            Ok(pattern) if patterns.contains(&pattern) => {}
            Ok(pattern) => patterns.push(pattern),
            Err(error) => {
                fields.refuse("event_types", format_args!("each {error}"));
                return None;
            }
        }
    }
    Some(patterns)
}

fn description(fields: &mut Fields) -> Option<String> {
    fields.checked("description", |text| {
        if text.chars().count() <= DESCRIPTION { Ok(text) } else { Err("must be at most 500 characters") }
    })
}
