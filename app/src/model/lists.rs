//! Rows and pages of lists.

use domain::status::{AttemptError, AttemptStatus, DeadLetterReason, DeliveryStatus, Resolution};
use serde::{Deserialize, Serialize};

use super::{Chart, Moment};

/// What surrounds every page of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameView {
    /// The project's name.
    pub project: String,
    /// Every project of this person.
    pub projects: Vec<ProjectLink>,
    /// Who is signed in.
    pub email: String,
    /// How many dead letters wait, up to `dead_letters_cap` + 1.
    pub dead_letters: u32,
    /// Where counting stops.
    pub dead_letters_cap: u32,
}

/// A project that one can go to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectLink {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// The query parameters of the pages around this one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pager {
    /// `before` of the newer page; `None` when this is the newest.
    pub newer: Option<String>,
    /// `cursor` of the older page.
    pub older: Option<String>,
}

/// One attempt in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRow {
    /// `att_…`
    pub id: String,
    /// `dlv_…`
    pub delivery_id: String,
    /// What was sent.
    pub event_type: String,
    /// Where to, short.
    pub endpoint: String,
    /// 1, 2, …
    pub attempt_number: u32,
    /// What was recorded.
    pub status: AttemptStatus,
    /// The answer.
    pub response_status_code: Option<u16>,
    /// Or the failure.
    pub error_code: Option<AttemptError>,
    /// How long it took.
    pub duration_ms: Option<u32>,
    /// When it was recorded.
    pub at: Moment,
}

/// The page of attempts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptsView {
    /// Newest first.
    pub rows: Vec<AttemptRow>,
    /// The pages around.
    pub pager: Pager,
    /// Where live rows go on from; `None` where the page is not the newest.
    pub live_from: Option<String>,
    /// Every endpoint that can be filtered by.
    pub endpoints: Vec<(String, String)>,
    /// Endpoints that fail at present.
    pub failing: Vec<super::FailingRow>,
    /// The chart over the range.
    pub chart: Chart,
    /// Where the API is, for the example.
    pub api_url: String,
}

/// One dead letter in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetterRow {
    /// `dlq_…`
    pub id: String,
    /// What could not be delivered.
    pub event_type: String,
    /// Where to, short.
    pub endpoint: String,
    /// Why.
    pub reason: DeadLetterReason,
    /// The last answer.
    pub response_status_code: Option<u16>,
    /// Or the last failure.
    pub error_code: Option<AttemptError>,
    /// When it was given up.
    pub at: Moment,
    /// How it left the inbox.
    pub resolution: Option<Resolution>,
    /// The token that makes a second press harmless; `None` where retrying is not allowed.
    pub retry_token: Option<String>,
}

/// The page of dead letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLettersView {
    /// Newest first.
    pub rows: Vec<DeadLetterRow>,
    /// The pages around.
    pub pager: Pager,
    /// Whether those that left the inbox are shown.
    pub resolved: bool,
    /// Whether anything narrows the list.
    pub filtered: bool,
    /// Every endpoint that can be filtered by.
    pub endpoints: Vec<(String, String)>,
    /// What failed together, where nothing is filtered.
    pub groups: Vec<super::GroupRow>,
    /// Endpoints that fail at present.
    pub failing: Vec<super::FailingRow>,
    /// The bulk retry that is under way.
    pub running: Option<super::JobView>,
    /// How many match in all, up to a cap.
    pub matching: u32,
    /// Whether this person may send again and put aside.
    pub may_retry: bool,
    /// What became of a retry that was just pressed in the list.
    pub retried: Option<super::Retried>,
}

/// One event in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRow {
    /// `evt_…`
    pub id: String,
    /// Its type.
    pub event_type: String,
    /// When it happened.
    pub at: Moment,
}

/// The page of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventsView {
    /// Newest first.
    pub rows: Vec<EventRow>,
    /// The pages around.
    pub pager: Pager,
    /// Where the offered ranges begin, in hours.
    pub ranges: Vec<(u32, String)>,
}

/// One endpoint in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointRow {
    /// `whe_…`
    pub id: String,
    /// Where events are sent.
    pub url: String,
    /// Which.
    pub event_types: String,
    /// Whether they are.
    pub enabled: bool,
    /// Whether its latest attempts failed.
    pub is_failing: bool,
    /// When it was created.
    pub at: Moment,
}

/// The page of endpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointsView {
    /// Newest first.
    pub rows: Vec<EndpointRow>,
    /// Whether this person may add one.
    pub may_change: bool,
    /// The pages around.
    pub pager: Pager,
    /// Where the API is, for the example.
    pub api_url: String,
}

/// One delivery in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRow {
    /// `dlv_…`
    pub id: String,
    /// Where to, short.
    pub endpoint: String,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// How many attempts were made.
    pub attempts_count: u32,
    /// When it was created.
    pub at: Moment,
}
