//! `/messages`: accepted, stored and announced; no channel sends them yet.

use axum::http::StatusCode;
use domain::filter::MessageFilter;
use domain::id::{ContactId, MessageId};
use domain::model::{MAX_TEXT, Message};
use domain::page::{Page, PageRequest};
use serde_json::json;
use store::messages::{self, NewMessage};
use store::{Conn, StoreError, Tx};

use super::{One, Resource, announce, short_text};
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

/// The longest name of a channel, in characters.
const CHANNEL: usize = 64;

pub(super) fn routes() -> Routes {
    Routes::new().get::<List<Messages>>("/messages").post::<Create>("/messages").get::<One<Messages>>("/messages/{id}")
}

struct Messages;

impl Collection for Messages {
    const LIST: &'static str = "messages";
    const TITLE: Option<Words> = Some(words("List messages", "Список сообщений"));
    type Filter = MessageFilter;
    type Row = Message;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &MessageFilter,
        page: PageRequest,
    ) -> Result<Page<Message>, StoreError> {
        messages::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Messages {
    const TYPE: &'static str = "message";
    const TITLE: Option<Words> = Some(words("Get one message", "Одно сообщение"));
    type Id = MessageId;
    type Object = Message;

    async fn find(conn: &mut Conn, call: &Call, id: MessageId) -> Result<Option<Message>, StoreError> {
        messages::get(conn, call.project(), id).await
    }
}

struct Create(NewMessage);

impl Mutation for Create {
    fn describe() -> Description {
        let contact_id: serde_json::Value = schemars::SchemaGenerator::default().subschema_for::<ContactId>().into();
        Description::of(words("Accept a message", "Принять сообщение"))
            .note(words(
                "404 when the project has no such contact. Emits message.accepted.",
                "404, если такого контакта в проекте нет. Порождает message.accepted.",
            ))
            .json(
                &["contact_id", "text"],
                json!({
                    "contact_id": contact_id,
                    "text": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": MAX_TEXT,
                        "pattern": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
                        "description": "Not blank.",
                    },
                    "channel": {
                        "type": ["string", "null"],
                        "minLength": 1,
                        "maxLength": CHANNEL,
                        "pattern": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
                        "description": "In your own words.",
                    },
                }),
                json!({"contact_id": "con_01KSQ4ZP7V8M3F6T2X9BCDEHJK", "text": "Hello!", "channel": "telegram"}),
            )
            .answers::<Message>(StatusCode::ACCEPTED)
            .or(domain::ErrorCode::ResourceNotFound)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut fields = call.fields()?;
        let contact_id = fields.checked("contact_id", |text| text.parse::<ContactId>());
        let text = fields.checked("text", |text| short_text(text, MAX_TEXT));
        let channel = fields.checked("channel", |text| short_text(text, CHANNEL));
        let (contact_id, text) = (fields.require("contact_id", contact_id), fields.require("text", text));
        let new = contact_id.zip(text).map(|(contact_id, text)| NewMessage { contact_id, text, channel });
        fields.finish(new).map(Self)
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let contact_id = self.0.contact_id;
        let message = messages::insert(tx, call.project(), self.0).await?;
        let message = message.ok_or_else(|| ApiError::not_found("contact", &contact_id))?;
        announce(tx, call, "message.accepted", &message).await?;
        Answer::accepted(&message)
    }
}
