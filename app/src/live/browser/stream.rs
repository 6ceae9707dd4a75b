//! One stream of server-sent events for the page. The browser itself reconnects and says where it
//! stopped; what comes twice is left out here.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};

use leptos::prelude::{GetUntracked as _, Set as _, window};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{EventSource, MessageEvent};

use super::{all, clock, find, visit};
use crate::live::{LiveBatch, LiveRow, feed};

/// A page holds no more live rows than this; beyond it, the list is simply loaded again.
const MOST: u32 = 500;
/// How many ids are remembered, to know one that comes again.
const REMEMBERED: usize = 4_000;

thread_local! {
    static STREAM: RefCell<Stream> = RefCell::default();
}

#[derive(Default)]
struct Stream {
    line: Option<Line>,
    /// Oldest first, behind the button.
    waiting: VecDeque<LiveRow>,
    /// Their attempts need not wait: somebody has asked for this delivery.
    expected: Option<String>,
    known: HashSet<String>,
    order: VecDeque<String>,
}

/// Follows what the page says in `data-live`; goes on as before when that has not changed.
pub(super) fn attach() {
    let place = find("main [data-live]").or_else(|| find("[data-live]"));
    let url = place.as_ref().and_then(|place| place.get_attribute("data-live"));
    let expected = place.as_ref().and_then(|place| place.get_attribute("data-expected"));
    STREAM.with_borrow_mut(|stream| {
        stream.expected = expected;
        if stream.line.as_ref().map(|line| line.url.as_str()) == url.as_deref() {
            return;
        }
        *stream = Stream { expected: stream.expected.take(), ..Stream::default() };
        for row in all("tr[data-id]") {
            if let Some(id) = row.get_attribute("data-id") {
                stream.is_new(&id);
            }
        }
        stream.line = url.and_then(Line::open);
        feed().waiting.set(0);
    });
}

/// Moves what waits into the list.
pub(crate) fn show_waiting() {
    let rows = STREAM.with_borrow_mut(|stream| Vec::from(std::mem::take(&mut stream.waiting)));
    feed().waiting.set(0);
    insert(&rows);
}

fn receive(batch: LiveBatch) {
    feed().dead_letters.set(Some(batch.dead_letters));
    // Where nobody points at the list, and its beginning is in view, nothing moves under the pointer.
    let at_once = find("tbody[data-rows][data-at-once]").is_some()
        && find(".list-side:hover").is_none()
        && window().scroll_y().is_ok_and(|scrolled| scrolled < 1.0);
    let (now, waiting) = STREAM.with_borrow_mut(|stream| {
        let mut now = Vec::new();
        for row in batch.rows {
            if !stream.is_new(&row.id) {
                continue;
            }
            if at_once || stream.expected.as_ref() == Some(&row.delivery_id) {
                now.push(row);
            } else {
                stream.waiting.push_back(row);
            }
        }
        while stream.waiting.len() > MOST as usize {
            stream.waiting.pop_front();
        }
        (now, stream.waiting.len())
    });
    if feed().waiting.get_untracked() != waiting {
        feed().waiting.set(waiting);
    }
    insert(&now);
    visit::touched(&batch.deliveries);
}

impl Stream {
    fn is_new(&mut self, id: &str) -> bool {
        let new = self.known.insert(id.to_owned());
        if new {
            self.order.push_back(id.to_owned());
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        new
    }
}

/// Puts rows, oldest first, on top. They were drawn by the server, which escaped what came from outside.
fn insert(rows: &[LiveRow]) {
    let Some(list) = find("tbody[data-rows]").filter(|_| !rows.is_empty()) else { return };
    let html: String = rows.iter().rev().map(|row| row.html.as_str()).collect();
    drop(list.insert_adjacent_html("afterbegin", &html));
    let mut fresh = list.first_element_child();
    for _ in rows {
        let Some(row) = fresh else { break };
        drop(row.class_list().add_1("fresh"));
        fresh = row.next_element_sibling();
    }
    while list.child_element_count() > MOST
        && let Some(oldest) = list.last_element_child()
    {
        oldest.remove();
    }
    clock::tick();
}

/// One `EventSource` with its handlers, closed when dropped.
struct Line {
    url: String,
    source: EventSource,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_open: Closure<dyn FnMut()>,
    _on_error: Closure<dyn FnMut()>,
}

impl Line {
    fn open(url: String) -> Option<Self> {
        let source = EventSource::new(&url).ok()?;
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(|message: MessageEvent| {
            let text = message.data().as_string().unwrap_or_default();
            if let Ok(batch) = serde_json::from_str(&text) {
                receive(batch);
            }
        });
        let on_open = Closure::<dyn FnMut()>::new(|| feed().connected.set(Some(true)));
        let on_error = Closure::<dyn FnMut()>::new(|| feed().connected.set(Some(false)));
        source.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        source.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        source.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Some(Self { url, source, _on_message: on_message, _on_open: on_open, _on_error: on_error })
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
