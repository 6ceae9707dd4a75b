//! Bulk retries: batch by batch, by whichever worker is free (`store::retry_jobs`).

use std::time::Duration;

use store::{Store, retry_jobs};
use tokio_util::sync::CancellationToken;

/// How often a worker without work looks for some.
const EVERY: Duration = Duration::from_secs(1);
/// After a failure; the database may need a while.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Runs until `closing`. What is under way then is taken up again from where its last commit left it.
pub(crate) async fn run(store: Store, closing: CancellationToken) {
    loop {
        let worked = tokio::select! {
            () = closing.cancelled() => return,
            worked = retry_jobs::run_next(&store) => worked,
        };
        let wait = match worked {
            Ok(true) => continue,
            Ok(false) => EVERY,
            Err(error) => {
                tracing::warn!(%error, "a bulk retry will be taken up again");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = closing.cancelled() => return,
            () = tokio::time::sleep(wait) => {}
        }
    }
}
