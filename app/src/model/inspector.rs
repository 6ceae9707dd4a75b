//! The inspector: bins, captures, what is compared, and the forms around them.

use domain::model::{CaptureSource, Rehearsal, ReplayResult};
use domain::status::CaptureKind;
use serde::{Deserialize, Serialize};

use super::{Moment, Pager, UrlFault};

/// One bin in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinRow {
    /// `bin_…`
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Whether redirected attempts come here.
    pub is_default: bool,
    /// How many captures it holds.
    pub captures: u32,
    /// The statuses that it answers with, in order.
    pub answers: String,
    /// When it was created.
    pub at: Moment,
}

/// The page of bins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinsView {
    /// Newest first.
    pub rows: Vec<BinRow>,
    /// The pages around.
    pub pager: Pager,
    /// Whether this person may add one.
    pub may_change: bool,
}

/// One bin and a page of its captures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinView {
    /// As in the list.
    pub bin: BinRow,
    /// Its secret address.
    pub url: String,
    /// Newest first.
    pub rows: Vec<CaptureRow>,
    /// The pages around.
    pub pager: Pager,
    /// Where live rows go on from; `None` where the page is not the newest.
    pub live_from: Option<String>,
    /// Whether this person may change it.
    pub may_change: bool,
}

/// One capture in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureRow {
    /// `cap_…`
    pub id: String,
    /// How it came here.
    pub kind: CaptureKind,
    /// Its method.
    pub method: String,
    /// Path and query, as they were written.
    pub target: String,
    /// What it was answered with.
    pub answered: Option<u16>,
    /// How many bytes its body has.
    pub bytes: u32,
    /// When it came.
    pub at: Moment,
}

/// A body, in every form that it can be read in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyView {
    /// How many bytes it has, exactly.
    pub bytes: u32,
    /// Indented, when it is JSON.
    pub json: Option<String>,
    /// Its fields, when it is a form.
    pub fields: Vec<(String, String)>,
    /// As text, when it is UTF-8.
    pub text: Option<String>,
    /// Offsets, bytes and characters.
    pub hex: String,
    /// Whether text and bytes go on beyond what is shown.
    pub cut: bool,
}

/// One capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureView {
    /// As in the list.
    pub row: CaptureRow,
    /// Its query's parameters.
    pub query: Vec<(String, String)>,
    /// As they came, in order.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: BodyView,
    /// The body in base64 when it is short enough to travel with the page.
    pub exact: Option<String>,
    /// Where it came from.
    pub remote_ip: Option<String>,
    /// The same request for a shell.
    pub curl: String,
    /// What it is a copy of.
    pub source: Option<CaptureSource>,
    /// Beside what production was sent.
    pub production: Option<Production>,
    /// Other captures of the bin, for a comparison.
    pub others: Vec<CaptureRow>,
    /// The next one that came.
    pub newer: Option<String>,
    /// The one before.
    pub older: Option<String>,
    /// Whether this person may send it again.
    pub may_replay: bool,
}

/// A copy beside what was sent to the endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Production {
    /// Both are there.
    Compared(Difference),
    /// The attempt is past its retention.
    Gone,
}

/// Two requests beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Method, path and query, then the header lines.
    pub head: Vec<DiffLine>,
    /// The bodies' lines, JSON indented; empty when the bytes are the same.
    pub body: Vec<DiffLine>,
    /// The first byte at which the bodies differ, counted from 0; `None` when they are the same.
    pub differs_at: Option<u32>,
    /// How many bytes each body has.
    pub bytes: (u32, u32),
}

impl Difference {
    /// Whether method, path and header lines are the same.
    pub fn same_head(&self) -> bool {
        self.head.iter().all(|line| matches!(line, DiffLine::Both(_) | DiffLine::Skipped(_)))
    }
}

/// A line of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiffLine {
    /// In both.
    Both(String),
    /// In the first only.
    Removed(String),
    /// In the second only.
    Added(String),
    /// So many that are the same are left out.
    Skipped(u32),
}

/// Two captures of one bin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareView {
    /// The one that was open.
    pub this: CaptureRow,
    /// The other, and how they differ.
    pub other: Option<(CaptureRow, Difference)>,
    /// What it can be compared with.
    pub others: Vec<CaptureRow>,
}

/// What is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScriptFault {
    /// No status that can be answered.
    Status,
    /// No such delay.
    Delay,
    /// A line that is no header.
    HeaderLine(String),
    /// A name that can't be one.
    HeaderName(String),
    /// A header that can't be scripted.
    HeaderForbidden(String),
    /// A value that can't be one.
    HeaderValue(String),
    /// Named twice.
    HeaderTwice(String),
    /// More than a bin answers with.
    HeadersMany,
    /// The body is too long, or holds NUL.
    Body,
    /// An answer with this status has no body.
    BodyNone,
}

/// One answer as it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepForm {
    /// The status.
    pub status: String,
    /// Milliseconds.
    pub delay: String,
    /// `Name: value`, one a line.
    pub headers: String,
    /// The body.
    pub body: String,
    /// What is wrong with it.
    pub faults: Vec<ScriptFault>,
}

impl Default for StepForm {
    fn default() -> Self {
        Self {
            status: "200".to_owned(),
            delay: String::new(),
            headers: String::new(),
            body: String::new(),
            faults: Vec::new(),
        }
    }
}

/// The form of a bin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinForm {
    /// Its name as typed.
    pub name: String,
    /// Whether that is no name.
    pub bad_name: bool,
    /// Its answers.
    pub steps: Vec<StepForm>,
}

/// Sending a capture somewhere again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayView {
    /// The URL as typed.
    pub url: String,
    /// Why it was refused.
    pub fault: Option<UrlFault>,
    /// What came of it.
    pub result: Option<ReplayResult>,
}

/// The ladder on an accelerated clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RehearseView {
    /// The bin's name.
    pub bin: String,
    /// The event as typed.
    pub event: String,
    /// The endpoint that was chosen.
    pub endpoint: String,
    /// Every endpoint that can be chosen.
    pub endpoints: Vec<(String, String)>,
    /// Whether the project knows no such event.
    pub no_event: bool,
    /// Whether the project knows no such endpoint.
    pub no_endpoint: bool,
    /// What came of it.
    pub result: Option<Rehearsal>,
}
