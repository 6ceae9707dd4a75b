//! New attempts, as they are recorded. They wait behind a button instead of moving the page, except
//! those of a delivery that the viewer has just asked for.

use std::collections::HashSet;

use leptos::prelude::*;

use crate::model::{AttemptRow, LiveBatch};

/// A page holds no more live rows than this; beyond it, the list is simply loaded again.
const MOST: usize = 500;

/// What has arrived since the page was drawn.
#[derive(Clone, Copy)]
pub struct Feed {
    /// Newest first, behind the button.
    pub waiting: RwSignal<Vec<AttemptRow>>,
    /// Newest first, in the list.
    pub shown: RwSignal<Vec<AttemptRow>>,
    /// The deliveries that the last message was about.
    pub touched: RwSignal<Vec<String>>,
    /// How many dead letters wait, once something has arrived.
    pub dead_letters: RwSignal<Option<u32>>,
    /// Whether the line stands; unknown before the first connection.
    pub connected: RwSignal<Option<bool>>,
    /// The delivery whose attempts need not wait.
    expected: StoredValue<Option<String>>,
    known: StoredValue<HashSet<String>>,
    #[cfg(feature = "hydrate")]
    line: StoredValue<Option<line::Line>, LocalStorage>,
}

/// The feed of the project's pages.
pub fn provide_feed() -> Feed {
    let feed = Feed {
        waiting: RwSignal::new(Vec::new()),
        shown: RwSignal::new(Vec::new()),
        touched: RwSignal::new(Vec::new()),
        dead_letters: RwSignal::new(None),
        connected: RwSignal::new(None),
        expected: StoredValue::new(None),
        known: StoredValue::new(HashSet::new()),
        #[cfg(feature = "hydrate")]
        line: StoredValue::new_local(None),
    };
    provide_context(feed);
    feed
}

/// The feed.
pub fn use_feed() -> Feed {
    use_context().unwrap_or_else(provide_feed)
}

impl Feed {
    /// Starts afresh behind what a page shows. `query` holds the page's filters.
    pub fn connect<'a>(self, project: &str, query: &str, after: Option<&str>, known: impl Iterator<Item = &'a str>) {
        self.waiting.set(Vec::new());
        self.shown.set(Vec::new());
        self.known.set_value(known.map(str::to_owned).collect());
        let query = crate::query::with(&crate::query::filters(query), "after", after);
        let url = crate::query::href(&format!("/developers/{project}/live"), &query);
        #[cfg(feature = "hydrate")]
        self.line.set_value(line::Line::open(&url, self));
        #[cfg(not(feature = "hydrate"))]
        drop(url);
    }

    /// Attempts of this delivery need not wait: somebody has asked for it. Its first one may have
    /// arrived before the answer to the press did.
    pub fn expect(self, delivery: Option<String>) {
        let mut early = Vec::new();
        self.waiting.update(|waiting| {
            let (asked_for, others) = std::mem::take(waiting)
                .into_iter()
                .partition(|row: &AttemptRow| Some(&row.delivery_id) == delivery.as_ref());
            early = asked_for;
            *waiting = others;
        });
        self.shown.update(|shown| {
            early.append(shown);
            *shown = early;
        });
        self.expected.set_value(delivery);
    }

    /// Moves what waits into the list.
    pub fn show_waiting(self) {
        let mut waiting = self.waiting.get_untracked();
        self.waiting.set(Vec::new());
        self.shown.update(|shown| {
            waiting.append(shown);
            waiting.truncate(MOST);
            *shown = waiting;
        });
    }

    /// Takes in one message.
    pub fn receive(self, batch: LiveBatch) {
        self.dead_letters.set(Some(batch.dead_letters));
        let expected = self.expected.get_value();
        for row in batch.rows {
            let fresh = self.known.try_update_value(|known| known.insert(row.id.clone())).unwrap_or(false);
            if !fresh {
                continue;
            }
            let place = if expected.as_ref() == Some(&row.delivery_id) { self.shown } else { self.waiting };
            place.update(|rows| {
                rows.insert(0, row);
                rows.truncate(MOST);
            });
        }
        self.touched.set(batch.deliveries);
    }

    /// Hangs up.
    pub fn disconnect(self) {
        #[cfg(feature = "hydrate")]
        self.line.try_set_value(None);
    }
}

#[cfg(feature = "hydrate")]
mod line {
    //! One `EventSource` with its handlers, closed when dropped. The browser itself reconnects and
    //! says where it stopped.

    use leptos::prelude::Set as _;
    use wasm_bindgen::JsCast as _;
    use wasm_bindgen::closure::Closure;
    use web_sys::{EventSource, MessageEvent};

    use super::Feed;

    pub(super) struct Line {
        source: EventSource,
        _on_message: Closure<dyn FnMut(MessageEvent)>,
        _on_open: Closure<dyn FnMut()>,
        _on_error: Closure<dyn FnMut()>,
    }

    impl Line {
        pub(super) fn open(url: &str, feed: Feed) -> Option<Self> {
            let source = EventSource::new(url).ok()?;
            let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
                let text = message.data().as_string().unwrap_or_default();
                if let Ok(batch) = serde_json::from_str(&text) {
                    feed.receive(batch);
                }
            });
            let on_open = Closure::<dyn FnMut()>::new(move || feed.connected.set(Some(true)));
            let on_error = Closure::<dyn FnMut()>::new(move || feed.connected.set(Some(false)));
            source.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
            source.set_onopen(Some(on_open.as_ref().unchecked_ref()));
            source.set_onerror(Some(on_error.as_ref().unchecked_ref()));
            Some(Self { source, _on_message: on_message, _on_open: on_open, _on_error: on_error })
        }
    }

    impl Drop for Line {
        fn drop(&mut self) {
            self.source.set_onmessage(None);
            self.source.set_onopen(None);
            self.source.set_onerror(None);
            self.source.close();
        }
    }
}
