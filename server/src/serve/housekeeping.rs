//! Retention, once at the start and then every hour.

use std::time::Duration;

use store::Store;
use store::maintenance::{self, Retention};
use tokio_util::sync::CancellationToken;

use crate::config::Config;

const EVERY: Duration = Duration::from_secs(3_600);
/// The first page comes before the first broom; a test, which an unoptimised build serves, waits for it.
const FIRST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 2 } else { 30 });

/// Runs until `closing`.
pub(crate) async fn run(store: Store, config: Config, closing: CancellationToken) {
    let retention = Retention { attempts: config.attempt_retention, events: config.event_retention };
    let mut wait = FIRST;
    loop {
        tokio::select! {
            () = closing.cancelled() => return,
            () = tokio::time::sleep(wait) => {}
        }
        wait = EVERY;
        let round = tokio::select! {
            () = closing.cancelled() => return,
            round = maintenance::run(&store, retention) => round,
        };
        match round {
            Ok(()) => tracing::debug!("a round of retention has ended"),
            Err(error) => tracing::warn!(%error, "retention goes on in the next round"),
        }
    }
}
