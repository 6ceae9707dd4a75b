//! How an endpoint fares.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// How an endpoint fares: since when it fails, and how it did over the last 24 hours. Interrupted
/// attempts are nobody's fault and count nowhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndpointHealth {
    /// Failed attempts since the last success.
    pub consecutive_failures: u32,
    /// When the first of them ended; null while it works.
    pub failing_since: Option<Timestamp>,
    /// When an attempt last succeeded, to within ten seconds.
    pub last_success_at: Option<Timestamp>,
    /// When an attempt last failed.
    pub last_failure_at: Option<Timestamp>,
    /// Attempts in the last 24 hours, by whole hours.
    pub attempts: u32,
    /// How many of them delivered.
    pub delivered: u32,
    /// That share in whole percent, rounded down; null without attempts.
    pub success_percent: Option<u32>,
    /// Half of its answers took no longer than this, in milliseconds: of the latest 500 in 24 hours.
    pub response_ms_p50: Option<u32>,
    /// 95 of 100 answers took no longer than this.
    pub response_ms_p95: Option<u32>,
}
