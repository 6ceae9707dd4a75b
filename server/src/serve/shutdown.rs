//! How a process ends: the first signal asks it to, the second one insists.

use std::future::Future;
use std::time::Duration;

use tokio::signal::ctrl_c;

/// What shells expect of a process that a signal ended.
const INTERRUPTED: i32 = 130;

/// Waits for SIGTERM or SIGINT.
pub(crate) async fn signalled() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = ctrl_c() => return,
            }
        }
    }
    // Without a handler for it, the system ends the process by itself.
    if ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Finishes `work`, but no longer than `deadline`, and not beyond a second signal.
pub(crate) async fn within(deadline: Duration, work: impl Future<Output = ()>) {
    tokio::select! {
        () = work => {}
        () = tokio::time::sleep(deadline) => tracing::warn!("the deadline for ending has passed; ending now"),
        () = signalled() => {
            tracing::warn!("a second signal; ending at once");
            std::process::exit(INTERRUPTED);
        }
    }
}
