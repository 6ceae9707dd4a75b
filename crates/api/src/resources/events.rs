//! `/events`: what happened, and a way for a project's own system to publish.

use axum::http::StatusCode;
use domain::event_type::EventType;
use domain::id::EventId;
use domain::model::Event;
use domain::page::{Page, PageRequest};
use store::events::{self, EventListFilter, NewEvent};
use store::{Conn, StoreError, Tx};

use super::{One, Resource};
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().get::<List<Events>>("/events").post::<Publish>("/events").get::<One<Events>>("/events/{id}")
}

struct Events;

impl Collection for Events {
    const LIST: &'static str = "events";
    const TITLE: Option<Words> = Some(words("List events", "События"));
    type Filter = EventListFilter;
    type Row = Event;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &EventListFilter,
        page: PageRequest,
    ) -> Result<Page<Event>, StoreError> {
        events::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Events {
    const TYPE: &'static str = "event";
    const TITLE: Option<Words> = Some(words("Get one event", "Одно событие"));
    type Id = EventId;
    type Object = Event;

    async fn find(conn: &mut Conn, call: &Call, id: EventId) -> Result<Option<Event>, StoreError> {
        events::get(conn, call.project(), id).await
    }
}

struct Publish(NewEvent);

impl Mutation for Publish {
    fn describe() -> Description {
        let event_type: serde_json::Value = schemars::SchemaGenerator::default().subschema_for::<EventType>().into();
        Description::of(words("Publish an event", "Опубликовать событие"))
            .note(words(
                "Delivered to every endpoint that subscribes to its type.",
                "Доставляется на каждый адрес, который подписан на его тип.",
            ))
            .json(
                &["type", "data"],
                serde_json::json!({
                    "type": event_type,
                    "data": {"type": "object", "description": "Kept byte for byte; at most 64 levels deep."},
                }),
                serde_json::json!({"type": "payment.succeeded", "data": {"id": "pay_1", "amount": 1990}}),
            )
            .answers::<Event>(StatusCode::CREATED)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut fields = call.fields()?;
        let event_type = fields.checked("type", |text| own_type(&text));
        let event_type = fields.require("type", event_type);
        let data = fields.object("data");
        let data = fields.require("data", data);
        let request_id = Some(call.request_id());
        let new = event_type.zip(data).map(|(event_type, data)| NewEvent { event_type, data, request_id });
        fields.finish(new).map(Self)
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let event = events::publish(tx, call.project(), self.0).await?;
        Answer::created(&event, &format!("events/{}", event.id))
    }
}

/// A type that a project may publish. What the system says of its own accord stays ours: receivers tell
/// by it.
fn own_type(text: &str) -> Result<EventType, String> {
    let event_type: EventType =
        text.parse().map_err(|error: domain::event_type::InvalidEventType| error.to_string())?;
    if event_type.as_str() == EventType::TEST {
        return Err(format!("must not be {}, which only a test send makes", EventType::TEST));
    }
    if event_type.as_str() == EventType::ENDPOINT_DISABLED {
        return Err(format!("must not be {}, which only the system says", EventType::ENDPOINT_DISABLED));
    }
    Ok(event_type)
}
