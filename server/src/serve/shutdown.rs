//! How a process ends: the first signal asks it to, the second one insists.

use std::future::Future;
use std::io;
use std::time::Duration;

/// What shells expect of a process that a signal ended.
const INTERRUPTED: i32 = 130;

/// SIGTERM and SIGINT, listened for from the moment this is made: one that comes while nobody waits is not lost, and
/// does not end the process behind its back.
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next one.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
        // Without a handler for it, the system ends the process by itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Finishes `work`, but no longer than `deadline`, and not beyond a second signal.
pub(crate) async fn within(signals: &mut Signals, deadline: Duration, work: impl Future<Output = ()>) {
    tokio::select! {
        () = work => {}
        () = tokio::time::sleep(deadline) => tracing::warn!("the deadline for ending has passed; ending now"),
        () = signals.next() => {
            tracing::warn!("a second signal; ending at once");
            std::process::exit(INTERRUPTED);
        }
    }
}
