//! Scenarios, and the runs that contacts make through them (contract section 7).

use domain::filter::TimeRange;
use domain::id::{ContactId, ProjectId, RunId, ScenarioId};
use domain::model::{RawJson, Scenario, ScenarioRun};
use domain::page::{Page, PageRequest};
use domain::status::RunStatus;

use crate::conn::{Conn, Dialect};
use crate::error::StoreError;
use crate::events::raw_json;
use crate::paging::{self, Order};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

const COLUMNS: &str = "id, name, started_by, steps, created_at, updated_at";
const ORDER: Order = Order { created_at: "created_at", id: "id", prefix: ScenarioId::PREFIX };
const RUN_COLUMNS: &str = "id, scenario_id, contact_id, status, created_at";
const RUN_ORDER: Order = Order { created_at: "created_at", id: "id", prefix: RunId::PREFIX };

/// What a scenario is made from; checked by the caller.
#[derive(Clone, Debug)]
pub struct NewScenario {
    /// What it is called.
    pub name: String,
    /// What starts it: a JSON text or object.
    pub trigger: RawJson,
    /// JSON objects.
    pub steps: Vec<RawJson>,
}

/// What a scenario is changed to; `None` leaves a field as it is. Checked by the caller.
#[derive(Clone, Debug, Default)]
pub struct ScenarioChange {
    /// What it is called.
    pub name: Option<String>,
    /// What starts it: a JSON text or object.
    pub trigger: Option<RawJson>,
    /// JSON objects, in place of all there were.
    pub steps: Option<Vec<RawJson>>,
}

/// Why a run was not started.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The project has no such scenario.
    #[error("no such scenario")]
    NoScenario,
    /// The project has no such contact.
    #[error("no such contact")]
    NoContact,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stores a scenario.
pub async fn insert(tx: &mut Tx, project: ProjectId, new: NewScenario) -> Result<Scenario, StoreError> {
    let now = tx.now();
    let scenario = Scenario {
        id: ScenarioId::generate(now, tx.entropy()),
        name: new.name,
        trigger: new.trigger,
        steps: new.steps,
        created_at: now,
        updated_at: now,
    };
    Sql::new("INSERT INTO btx_scenario (project_id, ")
        .push(COLUMNS)
        .push(") VALUES (")
        .bind(project)
        .push(", ")
        .bind(scenario.id)
        .push(", ")
        .bind(&scenario.name)
        .push(", ")
        .bind(scenario.trigger.as_str().as_bytes())
        .push(", ")
        .bind(bytes(&scenario.steps)?)
        .push(", ")
        .bind(now)
        .push(", ")
        .bind(now)
        .push(")")
        .execute(tx)
        .await?;
    Ok(scenario)
}

/// Changes a scenario; `None` when there is none. Runs that have been started keep their way.
pub async fn update(
    tx: &mut Tx,
    project: ProjectId,
    id: ScenarioId,
    change: ScenarioChange,
) -> Result<Option<Scenario>, StoreError> {
    let mut query = Sql::new("UPDATE btx_scenario SET updated_at = ").bind(tx.now());
    if let Some(name) = &change.name {
        query = query.push(", name = ").bind(name);
    }
    if let Some(trigger) = &change.trigger {
        query = query.push(", started_by = ").bind(trigger.as_str().as_bytes());
    }
    if let Some(steps) = &change.steps {
        query = query.push(", steps = ").bind(bytes(steps)?);
    }
    let query = query.push(" WHERE project_id = ").bind(project).push(" AND id = ").bind(id);
    query.push(" RETURNING ").push(COLUMNS).fetch_optional(tx).await?.as_ref().map(read).transpose()
}

/// Deletes a scenario with its runs; `false` when there is none.
pub async fn delete(tx: &mut Tx, project: ProjectId, id: ScenarioId) -> Result<bool, StoreError> {
    // A run that is being started holds the scenario until it commits, and one that comes later finds none.
    if !is_held(tx, project, id, " FOR UPDATE").await? {
        return Ok(false);
    }
    for (table, column) in [("btx_scenario_run", "scenario_id"), ("btx_scenario", "id")] {
        let query = Sql::new("DELETE FROM ").push(table).push(" WHERE project_id = ").bind(project);
        query.push(&format!(" AND {column} = ")).bind(id).execute(tx).await?;
    }
    Ok(true)
}

/// Whether there is such a scenario; on PostgreSQL its row is locked. (SQLite has one writer.)
async fn is_held(tx: &mut Tx, project: ProjectId, id: ScenarioId, lock: &str) -> Result<bool, StoreError> {
    let mut query = select(project).push(" AND id = ").bind(id);
    if tx.dialect() == Dialect::Postgres {
        query = query.push(lock);
    }
    Ok(query.fetch_optional(tx).await?.is_some())
}

/// One scenario.
pub async fn get(conn: &mut Conn, project: ProjectId, id: ScenarioId) -> Result<Option<Scenario>, StoreError> {
    let query = select(project).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read).transpose()
}

/// The scenarios created in `range`, newest first.
pub async fn list(
    conn: &mut Conn,
    project: ProjectId,
    range: &TimeRange,
    request: PageRequest,
) -> Result<Page<Scenario>, StoreError> {
    paging::page(conn, paging::in_range(select(project), "created_at", range), ORDER, request, read).await
}

/// Starts a run for a contact.
pub async fn start(
    tx: &mut Tx,
    project: ProjectId,
    scenario: ScenarioId,
    contact: ContactId,
) -> Result<ScenarioRun, RunError> {
    if !is_held(tx, project, scenario, " FOR KEY SHARE").await? {
        return Err(RunError::NoScenario);
    }
    if crate::contacts::get(tx, project, contact).await?.is_none() {
        return Err(RunError::NoContact);
    }
    let created_at = tx.now();
    let run = ScenarioRun {
        id: RunId::generate(created_at, tx.entropy()),
        scenario_id: scenario,
        contact_id: contact,
        status: RunStatus::Started,
        created_at,
    };
    Sql::new("INSERT INTO btx_scenario_run (project_id, ")
        .push(RUN_COLUMNS)
        .push(") VALUES (")
        .bind(project)
        .push(", ")
        .bind(run.id)
        .push(", ")
        .bind(scenario)
        .push(", ")
        .bind(contact)
        .push(", ")
        .bind(run.status)
        .push(", ")
        .bind(created_at)
        .push(")")
        .execute(tx)
        .await?;
    Ok(run)
}

/// One run of a scenario.
pub async fn get_run(
    conn: &mut Conn,
    project: ProjectId,
    scenario: ScenarioId,
    id: RunId,
) -> Result<Option<ScenarioRun>, StoreError> {
    let query = select_runs(project, scenario).push(" AND id = ").bind(id);
    query.fetch_optional(conn).await?.as_ref().map(read_run).transpose()
}

/// The runs of a scenario that were started in `range`, newest first; none of a scenario that there is not.
pub async fn list_runs(
    conn: &mut Conn,
    project: ProjectId,
    scenario: ScenarioId,
    range: &TimeRange,
    request: PageRequest,
) -> Result<Page<ScenarioRun>, StoreError> {
    let query = paging::in_range(select_runs(project, scenario), "created_at", range);
    paging::page(conn, query, RUN_ORDER, request, read_run).await
}

fn bytes(steps: &[RawJson]) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(steps).map_err(|error| StoreError::Inconsistent(format!("steps: {error}")))
}

fn select(project: ProjectId) -> Sql {
    Sql::new("SELECT ").push(COLUMNS).push(" FROM btx_scenario WHERE project_id = ").bind(project)
}

fn select_runs(project: ProjectId, scenario: ScenarioId) -> Sql {
    let query = Sql::new("SELECT ").push(RUN_COLUMNS).push(" FROM btx_scenario_run WHERE project_id = ").bind(project);
    query.push(" AND scenario_id = ").bind(scenario)
}

fn read(row: &Row) -> Result<Scenario, StoreError> {
    Ok(Scenario {
        id: row.parse("id")?,
        name: row.text("name")?,
        trigger: raw_json(row.bytes("started_by")?)?,
        steps: row.json("steps")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

fn read_run(row: &Row) -> Result<ScenarioRun, StoreError> {
    Ok(ScenarioRun {
        id: row.parse("id")?,
        scenario_id: row.parse("scenario_id")?,
        contact_id: row.parse("contact_id")?,
        status: row.parse("status")?,
        created_at: row.time("created_at")?,
    })
}
