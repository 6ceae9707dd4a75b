//! The viewer's clock. Unset in the first render, which must be what the server drew; set right
//! after, and again every few seconds, so that «12 s ago» stays true.

use std::time::Duration;

use domain::Timestamp;
use leptos::prelude::*;

const TICK: Duration = Duration::from_secs(5);

/// The present, once it is known.
#[derive(Clone, Copy)]
pub struct Clock(RwSignal<Option<Timestamp>>);

impl Clock {
    /// Tracks the present.
    pub fn now(self) -> Option<Timestamp> {
        self.0.get()
    }
}

/// Starts the clock for everything below.
pub fn provide_clock() {
    let now = RwSignal::new(None);
    provide_context(Clock(now));
    Effect::new(move |_| {
        now.set(super::browser::now());
        if let Ok(handle) = set_interval_with_handle(move || now.set(super::browser::now()), TICK) {
            on_cleanup(move || handle.clear());
        }
    });
}

/// The clock.
pub fn use_clock() -> Clock {
    use_context().unwrap_or_else(|| Clock(RwSignal::new(None)))
}
