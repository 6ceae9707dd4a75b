//! `/webhooks/endpoints`.

use axum::http::StatusCode;
use domain::endpoint_url::EndpointUrl;
use domain::event_type::EventPattern;
use domain::filter::NoFilter;
use domain::id::EndpointId;
use domain::model::{Delivery, Endpoint};
use domain::page::{Page, PageRequest};
use store::endpoints::{self, EndpointChange, NewEndpoint};
use store::{Conn, StoreError, Tx, deliveries, events, health};

use super::{One, Resource};
use crate::body::{Fields, Wanted};
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

const TYPE: &str = "webhook_endpoint";
const DESCRIPTION: usize = 500;
const PATTERNS: usize = 50;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<List<Endpoints>>("/webhooks/endpoints")
        .post::<Create>("/webhooks/endpoints")
        .get::<One<Endpoints>>("/webhooks/endpoints/{id}")
        .patch::<Update>("/webhooks/endpoints/{id}")
        .delete::<Delete>("/webhooks/endpoints/{id}")
        .post::<RotateSecret>("/webhooks/endpoints/{id}/rotate-secret")
        .post::<Test>("/webhooks/endpoints/{id}/test")
}

struct Endpoints;

impl Collection for Endpoints {
    const LIST: &'static str = "endpoints";
    const TITLE: Option<Words> = Some(words("List webhook endpoints", "Адреса доставки вебхуков"));
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
    const TITLE: Option<Words> = Some(words("Get one webhook endpoint", "Один адрес доставки"));
    type Id = EndpointId;
    type Object = Endpoint;

    async fn find(conn: &mut Conn, call: &Call, id: EndpointId) -> Result<Option<Endpoint>, StoreError> {
        let endpoint = endpoints::get(conn, call.project(), id).await?;
        let health = health::of(conn, call.project(), id, call.now()).await?;
        Ok(endpoint.map(|endpoint| Endpoint { health, ..endpoint }))
    }
}

struct Create(NewEndpoint);

impl Mutation for Create {
    fn describe() -> Description {
        Description::of(words("Create a webhook endpoint", "Добавить адрес доставки"))
            .note(words(
                "The secret is in this answer and in that of its rotation, and nowhere else. Where the operator lets \
                 endpoints be disabled for failing, webhook.endpoint.disabled says so; its data is the endpoint.",
                "Секрет есть только в этом ответе и в ответе на его смену. Если оператор включил отключение адресов, \
                 которые долго не отвечают, об отключении сообщает webhook.endpoint.disabled; в его data сам адрес.",
            ))
            .json(&["url", "event_types"], properties(), example())
            .answers::<Endpoint>(StatusCode::CREATED)
    }

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
    fn describe() -> Description {
        Description::of(words("Change a webhook endpoint", "Изменить адрес доставки"))
            .note(words("Fields that are absent stay as they are.", "Чего нет в теле, то не меняется."))
            .json(&[], change_properties(), serde_json::json!({"enabled": false}))
            .answers::<Endpoint>(StatusCode::OK)
    }

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

    fn describe() -> Description {
        Description::of(words("Delete a webhook endpoint", "Удалить адрес доставки"))
            .note(words("Waiting deliveries are cancelled.", "Ждущие доставки отменяются."))
            .answers_nothing()
    }

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

    fn describe() -> Description {
        Description::of(words("Rotate an endpoint's secret", "Сменить секрет адреса"))
            .note(words("For 24 hours both secrets sign.", "24 часа подписывают оба секрета."))
            .answers::<Endpoint>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let endpoint = endpoints::rotate_secret(tx, call.project(), self.0, call.config().secret_overlap).await?;
        Answer::ok(&endpoint.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?)
    }
}

/// Sends a `webhook.test` there and nowhere else.
struct Test(EndpointId);

impl Mutation for Test {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Send a test event", "Отправить проверочное событие"))
            .note(words(
                "A webhook.test goes to this endpoint alone, whatever it subscribes to; the answer is its delivery.",
                "Событие webhook.test уйдёт только сюда, на что бы адрес ни был подписан; в ответе его доставка.",
            ))
            .answers::<Delivery>(StatusCode::ACCEPTED)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let sent = events::send_test(tx, call.project(), self.0, Some(call.request_id())).await?;
        let (_, id) = sent.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?;
        let made = deliveries::get(tx, call.project(), id).await?.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?;
        Answer::accepted(&made)
    }
}

/// What is sent to create one.
fn properties() -> serde_json::Value {
    serde_json::json!({
        "url": {
            "type": "string",
            "format": "uri",
            "pattern": "^https?://",
            "maxLength": domain::endpoint_url::MAX_LEN,
            "description": "http or https, no user-info, port 80, 443 or from 1024 on, no private address.",
        },
        "event_types": {
            "type": "array",
            "minItems": 1,
            "maxItems": PATTERNS,
            "items": event_pattern(),
            "description": "Exact types, prefixes such as contact.*, or *.",
        },
        "description": {
            "type": ["string", "null"],
            "maxLength": DESCRIPTION,
            "pattern": "^[^\\u0000]*$",
        },
        "enabled": {"type": ["boolean", "null"], "default": true},
    })
}

/// What is sent to change one: its address, its events and its state can't be taken away.
fn change_properties() -> serde_json::Value {
    let mut properties = properties();
    properties["enabled"] = serde_json::json!({"type": "boolean"});
    properties
}

fn event_pattern() -> serde_json::Value {
    schemars::SchemaGenerator::default().subschema_for::<EventPattern>().into()
}

fn example() -> serde_json::Value {
    serde_json::json!({"url": "https://example.com/hooks/botix", "event_types": ["contact.*"], "description": "CRM"})
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
