//! `/scenarios` and their runs.

mod runs;

use axum::http::StatusCode;
use domain::filter::TimeRange;
use domain::id::ScenarioId;
use domain::model::{RawJson, Scenario};
use domain::page::{Page, PageRequest};
use serde_json::{Value, json};
use store::scenarios::{self, NewScenario, ScenarioChange};
use store::{Conn, StoreError, Tx};

use super::{One, Resource, announce, short_text};
use crate::body::{Fields, Wanted};
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

const TYPE: &str = "scenario";
/// The longest name and the longest name of a trigger, in characters.
const NAME: usize = 200;
const STEPS: usize = 200;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<List<Scenarios>>("/scenarios")
        .post::<Create>("/scenarios")
        .get::<One<Scenarios>>("/scenarios/{id}")
        .patch::<Update>("/scenarios/{id}")
        .delete::<Delete>("/scenarios/{id}")
        .merge(runs::routes())
}

struct Scenarios;

impl Collection for Scenarios {
    const LIST: &'static str = "scenarios";
    const TITLE: Option<Words> = Some(words("List scenarios", "Список сценариев"));
    type Filter = TimeRange;
    type Row = Scenario;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &TimeRange,
        page: PageRequest,
    ) -> Result<Page<Scenario>, StoreError> {
        scenarios::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Scenarios {
    const TYPE: &'static str = TYPE;
    const TITLE: Option<Words> = Some(words("Get one scenario", "Один сценарий"));
    type Id = ScenarioId;
    type Object = Scenario;

    async fn find(conn: &mut Conn, call: &Call, id: ScenarioId) -> Result<Option<Scenario>, StoreError> {
        scenarios::get(conn, call.project(), id).await
    }
}

/// The fields of a scenario that are sent.
fn properties() -> Value {
    let not_blank = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$";
    json!({
        "name": {
            "type": "string", "minLength": 1, "maxLength": NAME, "pattern": not_blank,
            "description": "Not blank.",
        },
        "trigger": {
            "type": ["string", "object"], "minLength": 1, "maxLength": NAME, "pattern": not_blank,
            "description": "What starts it: a name such as contact.created, or an object of your own, kept byte for byte.",
        },
        "steps": {
            "type": "array", "maxItems": STEPS, "items": {"type": "object"},
            "description": "Objects of your own, in order, kept byte for byte; each at most 64 levels deep.",
        },
    })
}

fn trigger(fields: &mut Fields) -> Option<RawJson> {
    fields.text_or_object("trigger", |text| short_text(text, NAME))
}

struct Create(NewScenario);

impl Mutation for Create {
    fn describe() -> Description {
        Description::of(words("Create a scenario", "Создать сценарий"))
            .note(words("Emits scenario.created.", "Порождает scenario.created."))
            .json(
                &["name", "trigger", "steps"],
                properties(),
                json!({
                    "name": "Welcome",
                    "trigger": "contact.created",
                    "steps": [{"type": "message", "text": "Hello!"}, {"type": "wait", "hours": 24}],
                }),
            )
            .answers::<Scenario>(StatusCode::CREATED)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut fields = call.fields()?;
        let name = fields.checked("name", |text| short_text(text, NAME));
        let trigger = trigger(&mut fields);
        let steps = fields.objects("steps", STEPS);
        let (name, trigger) = (fields.require("name", name), fields.require("trigger", trigger));
        let steps = fields.require("steps", steps);
        let new = name.zip(trigger).zip(steps);
        let new = new.map(|((name, trigger), steps)| NewScenario { name, trigger, steps });
        fields.finish(new).map(Self)
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let scenario = scenarios::insert(tx, call.project(), self.0).await?;
        announce(tx, call, "scenario.created", &scenario).await?;
        Answer::created(&scenario, &format!("scenarios/{}", scenario.id))
    }
}

struct Update(ScenarioId, ScenarioChange);

impl Mutation for Update {
    fn describe() -> Description {
        Description::of(words("Change a scenario", "Изменить сценарий"))
            .note(words(
                "Fields that are absent stay as they are; steps replace all there were.",
                "Чего нет в теле, то не меняется; шаги заменяют все прежние.",
            ))
            .json(&[], properties(), json!({"name": "Welcome back"}))
            .answers::<Scenario>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        let mut fields = call.fields()?;
        let given = ["name", "trigger", "steps"].map(|name| (name, fields.has(name)));
        let change = ScenarioChange {
            name: fields.checked("name", |text| short_text(text, NAME)),
            trigger: trigger(&mut fields),
            steps: fields.objects("steps", STEPS),
        };
        // A null takes nothing away: a scenario has all three.
        let taken = [change.name.is_some(), change.trigger.is_some(), change.steps.is_some()];
        for ((field, given), taken) in given.into_iter().zip(taken) {
            if given {
                fields.require(field, taken.then_some(()));
            }
        }
        fields.finish(Some(change)).map(|change| Self(id, change))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let changed = scenarios::update(tx, call.project(), self.0, self.1).await?;
        Answer::ok(&changed.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?)
    }
}

struct Delete(ScenarioId);

impl Mutation for Delete {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Delete a scenario", "Удалить сценарий"))
            .note(words("Its runs go with it.", "Вместе с ним удаляются его запуски."))
            .answers_nothing()
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        if scenarios::delete(tx, call.project(), self.0).await? {
            return Ok(Answer::no_content());
        }
        Err(ApiError::not_found(TYPE, &self.0))
    }
}
