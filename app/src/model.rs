//! What each page is drawn from: one value per page, made on the server in one call. Small types of
//! their own, so that the browser carries no more code than it draws with.

mod chart;
mod detail;
mod endpoint_forms;
mod endpoint_health;
mod inbox;
mod inspector;
mod jobs;
mod lists;
mod people;
mod requests;
mod search;

pub use chart::{Chart, Column};
pub use detail::{
    AttemptView, Body, DeadLetterView, DeliveryView, EndpointView, EventView, NextStep, Retried, RetryForm, Rung,
};
pub use endpoint_forms::{NewEndpointView, RotateView, Secret, UrlFault};
pub use endpoint_health::{HealthView, LedgerView};
pub use inbox::{Change, FailingRow, GroupRow};
pub use inspector::{
    BinForm, BinRow, BinView, BinsView, BodyView, CaptureRow, CaptureView, CompareView, DiffLine, Difference,
    Production, RehearseView, ReplayView, ScriptFault, StepForm,
};
pub use jobs::{JobView, RetryManyView};
pub use lists::{
    AttemptRow, AttemptsView, DeadLetterRow, DeadLettersView, DeliveryRow, EndpointRow, EndpointsView, EventRow,
    EventsView, FrameView, Pager, ProjectLink,
};

pub use people::{ApiKeyRow, ApiKeysView, AuditRow, KeyState, MemberRow, NewKeyView, SettingsView};
pub use requests::{
    ConflictView, KeyRow, KeyView, KeysView, RequestRow, RequestsView, TraceFact, TraceStep, TraceView, TracedRequest,
};

pub use search::{Miss, SearchHit, SearchMiss, SearchView};

use domain::Timestamp;
use serde::{Deserialize, Serialize};

/// A point in time as a number: the browser needs no date parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment(i64);

impl Moment {
    /// As a time.
    pub const fn time(self) -> Timestamp {
        Timestamp::from_micros(self.0)
    }
}

impl From<Timestamp> for Moment {
    fn from(time: Timestamp) -> Self {
        Self(time.as_micros())
    }
}
