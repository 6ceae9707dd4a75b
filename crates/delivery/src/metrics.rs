//! What operators watch. `botix_oldest_due_seconds` is the one to alert on: it rises whenever
//! deliveries wait, whatever the reason.

use std::time::Duration;

use domain::status::AttemptError;
use metrics::{counter, gauge, histogram};
use store::record::Finished;
use store::{Store, claim};
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

use crate::slots::Slots;

/// How often the gauges are set.
const EVERY: Duration = Duration::from_secs(5);
/// The backlog is not counted beyond this.
const BACKLOG_CAP: u32 = 10_000;

/// Sets the gauges until `shutdown`.
pub(crate) async fn watch(store: Store, slots: Slots, shutdown: CancellationToken) {
    let mut ticks = interval(EVERY);
    loop {
        tokio::select! { _ = ticks.tick() => {}, () = shutdown.cancelled() => return }
        gauge!("botix_deliveries_in_flight").set(f64::from(slots.total()));
        let now = store.now();
        let Ok(mut conn) = store.reader().await else { continue };
        // The loop that claims reports an outage; a gauge that stands still is enough here.
        if let Ok((due, oldest)) = claim::backlog(&mut conn, now, BACKLOG_CAP).await {
            gauge!("botix_deliveries_due").set(f64::from(due));
            gauge!("botix_oldest_due_seconds").set(oldest.map_or(0.0, |at| now.since(at).as_secs_f64()));
        }
    }
}

/// A claim took so many.
pub(crate) fn claimed(deliveries: usize) {
    histogram!("botix_claim_batch_size").record(count(deliveries));
}

/// One transaction recorded so many.
pub(crate) fn recorded(outcomes: usize) {
    histogram!("botix_record_batch_size").record(count(outcomes));
}

/// An attempt ended.
pub(crate) fn ended(finished: &Finished) {
    let result = &finished.result;
    let outcome = match (result.error, result.status) {
        (Some(error), _) => AttemptError::as_str(error),
        (None, Some(200..=299)) => "2xx",
        (None, Some(300..=399)) => "3xx",
        (None, Some(400..=499)) => "4xx",
        (None, _) => "5xx",
    };
    counter!("botix_attempts_total", "outcome" => outcome).increment(1);
    if let Some(responded_at) = finished.responded_at {
        let took = responded_at.since(finished.requested_at);
        histogram!("botix_attempt_duration_seconds").record(took.as_secs_f64());
    }
}

fn count(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::MAX, f64::from)
}
