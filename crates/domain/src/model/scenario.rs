//! Scenarios and their runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RawJson;
use crate::cursor::Position;
use crate::id::{ContactId, RunId, ScenarioId};
use crate::page::Listed;
use crate::status::RunStatus;
use crate::time::Timestamp;

/// Steps that run for a contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scenario {
    /// Its id.
    pub id: ScenarioId,
    /// What it is called.
    pub name: String,
    /// What starts it: a name or an object of the project's own, byte for byte as sent.
    #[schemars(schema_with = "crate::schema::text_or_object")]
    pub trigger: RawJson,
    /// What it does, in order; each an object of the project's own, byte for byte as sent.
    pub steps: Vec<RawJson>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Listed for Scenario {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}

/// One contact's way through a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioRun {
    /// Its id.
    pub id: RunId,
    /// The scenario.
    pub scenario_id: ScenarioId,
    /// For whom it runs.
    pub contact_id: ContactId,
    /// Where it stands.
    pub status: RunStatus,
    /// When it was started.
    pub created_at: Timestamp,
}

impl Listed for ScenarioRun {
    fn position(&self) -> Position {
        Position { created_at: self.created_at, ulid: self.id.ulid() }
    }
}
