//! What the islands show: fed by one stream of events for the whole page.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// One message: attempts that match the page's filters, oldest first; which deliveries anything
/// happened to at all; and the new count on the tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveBatch {
    /// The rows.
    pub rows: Vec<LiveRow>,
    /// Every delivery with news, matching or not.
    pub deliveries: Vec<String>,
    /// How many dead letters wait now.
    pub dead_letters: u32,
}

/// An attempt, drawn by the server as the list draws it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveRow {
    /// `att_…`
    pub id: String,
    /// `dlv_…`
    pub delivery_id: String,
    /// The row.
    pub html: String,
}

/// The state that islands draw. On the server it is what it is before anything happened.
#[derive(Clone)]
pub struct Feed {
    /// How many rows wait behind the button.
    pub waiting: ArcRwSignal<usize>,
    /// Whether the line stands; unknown before the first connection.
    pub connected: ArcRwSignal<Option<bool>>,
    /// How many dead letters wait, once something has been heard.
    pub dead_letters: ArcRwSignal<Option<u32>>,
}

impl Feed {
    fn new() -> Self {
        Self { waiting: ArcRwSignal::new(0), connected: ArcRwSignal::new(None), dead_letters: ArcRwSignal::new(None) }
    }
}

/// A signal as the server knew it until the island stands, whatever has been heard before: hydration
/// must find what the server drew.
pub(super) fn live<T: Clone + Default + Send + Sync + 'static>(heard: ArcRwSignal<T>) -> Signal<T> {
    let stands = RwSignal::new(false);
    Effect::new(move |_| stands.set(true));
    Signal::derive(move || if stands.get() { heard.get() } else { T::default() })
}

/// The page's feed: one in the browser, whichever island asks.
#[cfg(feature = "hydrate")]
pub fn feed() -> Feed {
    thread_local!(static FEED: Feed = Feed::new());
    FEED.with(Clone::clone)
}

/// The page's feed.
#[cfg(not(feature = "hydrate"))]
pub fn feed() -> Feed {
    Feed::new()
}
