//! `/scenarios/{id}/runs`: below a scenario, which must be there.

use axum::http::StatusCode;
use domain::ErrorCode;
use domain::filter::TimeRange;
use domain::id::{ContactId, RunId, ScenarioId};
use domain::model::ScenarioRun;
use domain::page::{Page, PageRequest};
use serde_json::json;
use store::scenarios::{self, RunError};
use store::{Conn, StoreError, Tx};

use super::TYPE;
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation, Query};
use crate::resources::announce;
use crate::routes::Routes;

const RUN: &str = "scenario_run";

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<OfScenario>("/scenarios/{id}/runs")
        .post::<Start>("/scenarios/{id}/runs")
        .get::<OneRun>("/scenarios/{id}/runs/{run_id}")
}

struct Runs;

impl Collection for Runs {
    const LIST: &'static str = "scenario_runs";
    const TITLE: Option<Words> = Some(words("List the runs of a scenario", "Запуски сценария"));
    type Filter = TimeRange;
    type Row = ScenarioRun;

    fn scope(call: &Call) -> Option<&str> {
        Some(call.param("id"))
    }

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &TimeRange,
        page: PageRequest,
    ) -> Result<Page<ScenarioRun>, StoreError> {
        // `OfScenario` has seen that it is one.
        let Ok(scenario) = call.id(TYPE) else { return Ok(Page { data: Vec::new(), has_more: false }) };
        scenarios::list_runs(conn, call.project(), scenario, filter, page).await
    }
}

/// The list, once the scenario is known to be there.
struct OfScenario(ScenarioId, List<Runs>);

impl Query for OfScenario {
    fn describe() -> Description {
        List::<Runs>::describe()
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let list = List::parse(call)?;
        Ok(Self(call.id(TYPE)?, list))
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let scenario = scenarios::get(conn, call.project(), self.0).await?;
        scenario.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?;
        self.1.run(conn, call).await
    }
}

struct OneRun(ScenarioId, RunId);

impl Query for OneRun {
    fn describe() -> Description {
        Description::of(words("Get one run of a scenario", "Один запуск сценария"))
            .answers::<ScenarioRun>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        call.without_query()?;
        let run = call.param("run_id");
        Ok(Self(call.id(TYPE)?, run.parse().map_err(|_| ApiError::not_found(RUN, run))?))
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let found = scenarios::get_run(conn, call.project(), self.0, self.1).await?;
        Answer::ok(&found.ok_or_else(|| ApiError::not_found(RUN, &self.1))?)
    }
}

struct Start(ScenarioId, ContactId);

impl Mutation for Start {
    fn describe() -> Description {
        let contact_id: serde_json::Value = schemars::SchemaGenerator::default().subschema_for::<ContactId>().into();
        Description::of(words("Start a scenario for a contact", "Запустить сценарий для контакта"))
            .note(words(
                "404 when the project has no such scenario or no such contact. Emits scenario.started.",
                "404, если в проекте нет такого сценария или контакта. Порождает scenario.started.",
            ))
            .json(
                &["contact_id"],
                json!({ "contact_id": contact_id }),
                json!({"contact_id": "con_01KSQ4ZP7V8M3F6T2X9BCDEHJK"}),
            )
            .answers::<ScenarioRun>(StatusCode::CREATED)
            .or(ErrorCode::ResourceNotFound)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let scenario = call.id(TYPE)?;
        let mut fields = call.fields()?;
        let contact_id = fields.checked("contact_id", |text| text.parse::<ContactId>());
        let contact_id = fields.require("contact_id", contact_id);
        fields.finish(contact_id).map(|contact_id| Self(scenario, contact_id))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let Self(scenario, contact) = self;
        let started = scenarios::start(tx, call.project(), scenario, contact).await;
        let run = started.map_err(|error| match error {
            RunError::NoScenario => ApiError::not_found(TYPE, &scenario),
            RunError::NoContact => ApiError::not_found("contact", &contact),
            RunError::Store(error) => error.into(),
        })?;
        announce(tx, call, "scenario.started", &run).await?;
        Answer::created(&run, &format!("scenarios/{scenario}/runs/{}", run.id))
    }
}
