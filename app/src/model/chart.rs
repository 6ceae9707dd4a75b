//! The chart of attempts by hour and status.

use domain::status::AttemptStatus;
use serde::{Deserialize, Serialize};

use super::Moment;

/// Ready to draw: the server has turned the counts into paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// How many hours wide.
    pub hours: u32,
    /// One path for each status, in a box of `hours` × 100.
    pub paths: Vec<(AttemptStatus, String)>,
    /// How many attempts of each status there are in all.
    pub totals: Vec<(AttemptStatus, u32)>,
    /// What can be picked: a day each, or an hour each when the range is short.
    pub columns: Vec<Column>,
    /// Whether a column is a day.
    pub by_day: bool,
    /// Which of the offered ranges is shown, in hours; `None` for any other.
    pub range: Option<u32>,
    /// Where each offered range begins.
    pub ranges: Vec<(u32, String)>,
}

/// A part of the chart that is one link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its start.
    pub start: Moment,
    /// `created_after` and `created_before` of the link.
    pub range: (String, String),
    /// What was recorded in it.
    pub counts: Vec<(AttemptStatus, u32)>,
}
