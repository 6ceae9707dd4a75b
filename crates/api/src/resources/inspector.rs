//! `/inspector`: bins, what they captured, and rehearsals.

mod captures;
mod redirect;
mod rehearse;

use axum::http::StatusCode;
use domain::filter::TimeRange;
use domain::id::BinId;
use domain::model::{Bin, RawJson};
use domain::page::{Page, PageRequest};
use domain::script::{MAX_DELAY_MS, MAX_HEADER_VALUE, MAX_HEADERS, MAX_STEPS, Script};
use serde_json::{Value, json};
use store::inspector::{self, BinChange, NewBin};
use store::{Conn, StoreError, Tx};

use super::{One, Resource, short_text};
use crate::body::{Fields, Wanted};
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

pub(super) use redirect::{RedirectDeadLetter, RedirectDelivery};

const TYPE: &str = "inspector_bin";
const NAME: usize = 100;
/// What a bin is called when nobody says so.
const UNNAMED: &str = "bin";

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<List<Bins>>("/inspector/bins")
        .post::<Create>("/inspector/bins")
        .get::<One<Bins>>("/inspector/bins/{id}")
        .patch::<Update>("/inspector/bins/{id}")
        .delete::<Delete>("/inspector/bins/{id}")
        .merge(captures::routes())
        .merge(rehearse::routes())
}

struct Bins;

impl Collection for Bins {
    const LIST: &'static str = "inspector_bins";
    const TITLE: Option<Words> = Some(words("List inspector bins", "Корзины инспектора"));
    type Filter = TimeRange;
    type Row = Bin;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &TimeRange,
        page: PageRequest,
    ) -> Result<Page<Bin>, StoreError> {
        inspector::list(conn, &call.state.addresses, call.project(), filter, page).await
    }
}

impl Resource for Bins {
    const TYPE: &'static str = TYPE;
    const TITLE: Option<Words> = Some(words("Get one inspector bin", "Одна корзина инспектора"));
    type Id = BinId;
    type Object = Bin;

    async fn find(conn: &mut Conn, call: &Call, id: BinId) -> Result<Option<Bin>, StoreError> {
        inspector::get(conn, &call.state.addresses, call.project(), id).await
    }
}

struct Create(NewBin);

impl Mutation for Create {
    fn describe() -> Description {
        Description::of(words("Create an inspector bin", "Создать корзину инспектора"))
            .note(words(
                "Its url is a secret: whatever is sent there, or to any path below, is kept (500 requests or 14 days) \
                 and answered as the script says. Without a script it answers 200.",
                "Её url — секрет: всё, что прислано туда или на любой путь под ним, хранится (500 запросов или 14 дней) \
                 и получает ответ по сценарию. Без сценария — 200.",
            ))
            .json(&[], properties(), example())
            .answers::<Bin>(StatusCode::CREATED)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut fields = call.fields()?;
        let name = name(&mut fields).unwrap_or_else(|| UNNAMED.to_owned());
        let script = script(&mut fields).unwrap_or_default();
        fields.finish(Some(Self(NewBin { name, script })))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let bin = inspector::insert(tx, &call.state.addresses, call.project(), self.0).await?;
        Answer::created(&bin, &format!("inspector/bins/{}", bin.id))
    }
}

struct Update(BinId, BinChange);

impl Mutation for Update {
    fn describe() -> Description {
        Description::of(words("Change an inspector bin", "Изменить корзину инспектора"))
            .note(words(
                "Fields that are absent stay as they are; a new script begins with its first answer, null takes the \
                 script away.",
                "Чего нет в теле, то не меняется; новый сценарий начинается с первого ответа, null убирает сценарий.",
            ))
            .json(&[], change_properties(), json!({"name": "Orders"}))
            .answers::<Bin>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        let mut fields = call.fields()?;
        let (has_name, has_script) = (fields.has("name"), fields.has("script"));
        let name = name(&mut fields);
        if has_name {
            fields.require("name", name.as_ref());
        }
        let script = script(&mut fields);
        let script = has_script.then(|| script.unwrap_or_default());
        fields.finish(Some(Self(id, BinChange { name, script })))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let bin = inspector::update(tx, &call.state.addresses, call.project(), self.0, self.1).await?;
        Answer::ok(&bin.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?)
    }
}

struct Delete(BinId);

impl Mutation for Delete {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Delete an inspector bin", "Удалить корзину инспектора"))
            .note(words(
                "With all that it captured. The default bin is made anew, with another address, when it is next needed.",
                "Со всем, что в ней. Корзина по умолчанию появится снова, с другим адресом, когда понадобится.",
            ))
            .answers_nothing()
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        if inspector::delete(tx, call.project(), self.0).await? {
            Ok(Answer::no_content())
        } else {
            Err(ApiError::not_found(TYPE, &self.0))
        }
    }
}

fn name(fields: &mut Fields) -> Option<String> {
    fields.checked("name", |text| short_text(text, NAME))
}

fn script(fields: &mut Fields) -> Option<Script> {
    let given: RawJson = fields.take("script", "must be a list of answers")?;
    match Script::parse(given.as_str()) {
        Ok(script) => Some(script),
        Err(refused) => {
            for (field, why) in &refused {
                fields.refuse(field, why);
            }
            None
        }
    }
}

fn properties() -> Value {
    json!({
        "name": {
            "type": ["string", "null"],
            "minLength": 1,
            "maxLength": NAME,
            "pattern": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
        },
        "script": {
            "type": ["array", "null"],
            "minItems": 1,
            "maxItems": MAX_STEPS,
            "description": "Answers, one a request; the last one repeats.",
            "items": {
                "type": "object",
                "required": ["status"],
                "additionalProperties": false,
                "properties": {
                    "status": {"type": "integer", "minimum": 200, "maximum": 599},
                    "headers": {
                        "type": ["object", "null"],
                        "maxProperties": MAX_HEADERS,
                        "propertyNames": {"pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"},
                        "additionalProperties": {
                            "type": "string",
                            "maxLength": MAX_HEADER_VALUE,
                            "pattern": "^[\\t -~]*$",
                        },
                        "description": "No cookies, no policies for the origin, nothing that frames the message.",
                    },
                    "body": {
                        "type": ["string", "null"],
                        "maxLength": domain::script::MAX_BODY,
                        "pattern": "^[^\\u0000]*$",
                        "description": "At most 65,536 bytes; none with 204, 205 and 304.",
                    },
                    "delay_ms": {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_DELAY_MS},
                },
            },
        },
    })
}

/// A name can't be taken away.
fn change_properties() -> Value {
    let mut properties = properties();
    properties["name"]["type"] = "string".into();
    properties
}

fn example() -> Value {
    json!({
        "name": "Orders",
        "script": [{"status": 503}, {"status": 429, "headers": {"Retry-After": "2"}}, {"status": 200, "body": "ok"}],
    })
}
