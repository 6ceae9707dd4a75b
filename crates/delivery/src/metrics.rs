//! What operators watch. `botix_oldest_due_seconds` is the one to alert on: it rises whenever
//! deliveries wait, whatever the reason.

use std::time::Duration;

use domain::Timestamp;
use domain::status::{AttemptError, DeliveryTrigger};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use store::claim::Claimed;
use store::record::Finished;
use store::{Store, claim};
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

use crate::slots::Slots;

/// How often the gauges are set.
const EVERY: Duration = Duration::from_secs(5);
/// The backlog is not counted beyond this.
const BACKLOG_CAP: u32 = 10_000;

/// Says what each name means, once, to whoever reads `/metrics`.
fn describe() {
    describe_gauge!("botix_deliveries_in_flight", "requests to receivers under way in this process");
    describe_gauge!("botix_deliveries_due", "deliveries that are due and not claimed, counted up to 10,000");
    describe_gauge!("botix_oldest_due_seconds", Unit::Seconds, "since when the oldest unclaimed delivery is due");
    describe_histogram!("botix_claim_batch_size", "deliveries in one claim");
    describe_histogram!("botix_record_batch_size", "outcomes in one transaction");
    describe_counter!("botix_attempts_total", "attempts by outcome: a class of statuses, or an error code");
    describe_histogram!("botix_attempt_duration_seconds", Unit::Seconds, "from the request's beginning to its end");
    describe_histogram!("botix_first_attempt_lag_seconds", Unit::Seconds, "from an event to its first attempt");
}

/// Sets the gauges until `shutdown`.
pub(crate) async fn watch(store: Store, slots: Slots, shutdown: CancellationToken) {
    describe();
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

/// An attempt begins.
pub(crate) fn begun(claimed: &Claimed, now: Timestamp) {
    if claimed.attempt_number == 1 && claimed.trigger == DeliveryTrigger::Initial {
        histogram!("botix_first_attempt_lag_seconds").record(now.since(claimed.event.created_at).as_secs_f64());
    }
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
