//! How an endpoint fares, and where its events went.

use domain::status::DisabledReason;
use serde::{Deserialize, Serialize};

use super::Moment;

/// How an endpoint fares; [`domain::model::EndpointHealth`] for the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HealthView {
    /// Failed attempts since the last success.
    pub failures_in_a_row: u32,
    /// When the first of them ended.
    pub failing_since: Option<Moment>,
    /// When an attempt last succeeded.
    pub last_success: Option<Moment>,
    /// When one last failed.
    pub last_failure: Option<Moment>,
    /// Of the last 24 hours: whole percent that delivered, how many did, and of how many.
    pub success: Option<(u32, u32, u32)>,
    /// Half of the answers, and 95 of 100, took no longer, in milliseconds.
    pub response_ms: Option<(u32, u32)>,
    /// Why we disabled it, and when.
    pub disabled: Option<(DisabledReason, Option<Moment>)>,
}

/// Where the events went that matched: the five places, and their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerView {
    /// Events that matched.
    pub matched: u64,
    /// Answered with a 2xx.
    pub delivered: u64,
    /// Not sent yet, or between two attempts.
    pub waiting: u64,
    /// In the inbox, or resolved there.
    pub dead_lettered: u64,
    /// Matched while the endpoint was disabled.
    pub skipped: u64,
    /// Called off.
    pub cancelled: u64,
    /// Since when; `None` when all that are kept were added up.
    pub since: Option<Moment>,
}
