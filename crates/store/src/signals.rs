//! Wake-ups inside one process. They only save waiting: polling underneath finds everything.

use std::sync::Arc;

use tokio::sync::{Notify, watch};

/// What a commit tells the rest of the process.
#[derive(Clone, Debug)]
pub struct Signals {
    due: Arc<Notify>,
    recorded: Arc<watch::Sender<u64>>,
    captured: Arc<watch::Sender<u64>>,
}

impl Signals {
    pub(crate) fn new() -> Self {
        let changes = || Arc::new(watch::Sender::new(0));
        Self { due: Arc::new(Notify::new()), recorded: changes(), captured: changes() }
    }

    /// Says that a delivery became due.
    pub fn wake_due(&self) {
        self.due.notify_one();
    }

    /// Waits until a delivery became due. A wake-up that came before is not lost.
    pub async fn due(&self) {
        self.due.notified().await;
    }

    /// Says that attempts were recorded.
    pub fn announce_recorded(&self) {
        self.recorded.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Changes each time that attempts were recorded.
    pub fn recorded(&self) -> watch::Receiver<u64> {
        self.recorded.subscribe()
    }

    /// Says that something was captured in a bin.
    pub fn announce_captured(&self) {
        self.captured.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Changes each time that something was captured in a bin.
    pub fn captured(&self) -> watch::Receiver<u64> {
        self.captured.subscribe()
    }
}
