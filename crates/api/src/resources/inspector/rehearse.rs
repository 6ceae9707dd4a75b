//! `/inspector/bins/{id}/rehearse`: the retry ladder on an accelerated clock.

use axum::http::StatusCode;
use domain::id::{BinId, EndpointId, EventId};
use domain::model::Rehearsal;
use schemars::SchemaGenerator;
use serde_json::{Value, json};
use store::Tx;
use store::inspector::{self, RehearseError};

use super::TYPE;
use crate::describe::{Description, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().post::<Rehearse>("/inspector/bins/{id}/rehearse")
}

struct Rehearse(BinId, EventId, EndpointId);

impl Mutation for Rehearse {
    fn describe() -> Description {
        let mut generator = SchemaGenerator::default();
        let event: Value = generator.subschema_for::<EventId>().into();
        let endpoint: Value = generator.subschema_for::<EndpointId>().into();
        Description::of(words("Rehearse the retry ladder", "Отрепетировать повторы"))
            .note(words(
                "A real event, signed as for the endpoint, against the bin's script from its first answer on. Nothing is \
                 sent and nobody waits: each attempt is a capture with the time at which it would be made.",
                "Настоящее событие, подписанное как для этого адреса, против сценария корзины с первого ответа. Ничего не \
                 отправляется и ждать не надо: каждая попытка — принятый запрос со временем, когда она случилась бы.",
            ))
            .json(
                &["event_id", "endpoint_id"],
                json!({"event_id": event, "endpoint_id": endpoint}),
                json!({"event_id": "evt_01KSQ4ZP7V8M3F6T2X9BCDEHJK", "endpoint_id": "whe_01KSQ4ZP7V8M3F6T2X9BCDEHJK"}),
            )
            .answers::<Rehearsal>(StatusCode::CREATED)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let bin = call.id(TYPE)?;
        let mut fields = call.fields()?;
        let event = fields.checked("event_id", |text| text.parse::<EventId>());
        let event = fields.require("event_id", event);
        let endpoint = fields.checked("endpoint_id", |text| text.parse::<EndpointId>());
        let endpoint = fields.require("endpoint_id", endpoint);
        fields.finish(event.zip(endpoint)).map(|(event, endpoint)| Self(bin, event, endpoint))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let Self(bin, event, endpoint) = self;
        let what = inspector::Rehearse { bin, event, endpoint, read_timeout: call.config().read_timeout };
        let played = inspector::rehearse(tx, call.project(), what).await.map_err(|error| match error {
            RehearseError::NoBin => ApiError::not_found(TYPE, &bin),
            RehearseError::NoEvent => ApiError::not_found("event", &event),
            RehearseError::NoEndpoint => ApiError::not_found("webhook_endpoint", &endpoint),
            RehearseError::Store(error) => error.into(),
        })?;
        Answer::created(&played, &format!("inspector/bins/{bin}/captures"))
    }
}
