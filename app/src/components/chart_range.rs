//! Picking a stretch of the chart: dragged with the mouse, or grown with Shift and the arrow keys. One
//! column alone is a plain link and needs none of this.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::live::browser;
use crate::query;

/// The columns that are picked, from the one that was pressed to the one that was reached.
#[derive(Clone, Copy)]
pub(super) struct Picker {
    ends: RwSignal<Option<(usize, usize)>>,
    go: StoredValue<Box<dyn Fn(usize, usize) + Send + Sync>>,
}

impl Picker {
    /// For a chart on `path`; `base` is its query without a range, `stretches` are its columns'.
    pub(super) fn new(path: &str, base: &str, stretches: Vec<(String, String)>) -> Self {
        let (path, base, navigate) = (path.to_owned(), base.to_owned(), use_navigate());
        let go = move |from: usize, to: usize| {
            if let (Some((after, _)), Some((_, before))) = (stretches.get(from), stretches.get(to)) {
                let range = query::with(&base, "created_after", Some(after));
                let range = query::with(&range, "created_before", Some(before));
                navigate(&query::href(&path, &range), NavigateOptions { scroll: false, ..NavigateOptions::default() });
            }
        };
        Self { ends: RwSignal::new(None), go: StoredValue::new(Box::new(go)) }
    }

    /// Whether a column is among those picked.
    pub(super) fn holds(self, index: usize) -> bool {
        self.ends.get().is_some_and(|(a, b)| a != b && (a.min(b)..=a.max(b)).contains(&index))
    }

    /// The button went down on a column.
    pub(super) fn begin(self, index: usize) {
        self.ends.set(Some((index, index)));
    }

    /// The pointer reached a column.
    pub(super) fn stretch(self, index: usize, pressed: bool) {
        if pressed && let Some((from, _)) = self.ends.get_untracked() {
            self.ends.set(Some((from, index)));
            if from != index {
                browser::listen_once("pointerup", move || {
                    self.finish();
                });
            }
        }
    }

    /// The button went up: leads to the stretch, if it is more than one column.
    pub(super) fn finish(self) -> bool {
        let ends = self.ends.try_get_untracked().flatten();
        self.ends.try_set(None);
        let Some((a, b)) = ends.filter(|(a, b)| a != b) else { return false };
        self.go.try_with_value(|go| go(a.min(b), a.max(b)));
        true
    }

    /// Arrows go from column to column, with Shift they grow the stretch; Enter leads to it.
    pub(super) fn key(self, event: &leptos::ev::KeyboardEvent, index: usize) {
        let step = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => -1,
            "Enter" if self.finish() => {
                event.prevent_default();
                return;
            }
            _ => return,
        };
        event.prevent_default();
        let Some(next) = browser::focus_sibling(event, step) else { return };
        let from = self.ends.get_untracked().map_or(index, |(from, _)| from);
        self.ends.set(event.shift_key().then_some((from, next)));
    }
}
