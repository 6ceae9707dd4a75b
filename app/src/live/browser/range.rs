//! Picking a stretch of the chart: dragged with the mouse, or grown with Shift and the arrow keys. One
//! column alone is a plain link and needs none of this.

use std::cell::Cell;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, PointerEvent};

use super::{all, around, on, visit};
use crate::query;

const COLUMNS: &str = ".spans > li";

thread_local! {
    /// From the column that was pressed to the one that was reached.
    static ENDS: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

pub(super) fn listen() {
    on("pointerdown", |event: PointerEvent| {
        let column = column(&event);
        pick(column.map(|index| (index, index)));
    });
    on("pointerover", |event: PointerEvent| {
        if event.buttons() == 1
            && let (Some((from, _)), Some(to)) = (ENDS.get(), column(&event))
        {
            pick(Some((from, to)));
        }
    });
    on("pointerup", |_: PointerEvent| {
        finish();
    });
    on("keydown", |event: KeyboardEvent| key(&event));
}

fn column(event: &Event) -> Option<usize> {
    index_of(&around(event, COLUMNS)?)
}

fn index_of(item: &Element) -> Option<usize> {
    all(COLUMNS).iter().position(|column| column == item)
}

fn pick(ends: Option<(usize, usize)>) {
    ENDS.set(ends);
    for (index, column) in all(COLUMNS).iter().enumerate() {
        let within = ends.is_some_and(|(a, b)| a != b && (a.min(b)..=a.max(b)).contains(&index));
        drop(column.class_list().toggle_with_force("picked", within));
    }
}

/// Leads to the stretch, if it is more than one column.
fn finish() -> bool {
    let ends = ENDS.get();
    pick(None);
    let Some((a, b)) = ends.filter(|(a, b)| a != b) else { return false };
    let columns = all(COLUMNS);
    let link = |index: usize| columns.get(index)?.query_selector("a").ok()??.get_attribute("href");
    let (Some(first), Some(last)) = (link(a.min(b)), link(a.max(b))) else { return false };
    let (Some((path, from)), Some((_, to))) = (first.split_once('?'), last.split_once('?')) else { return false };
    let before = query::value(to, "created_before");
    visit::follow(&query::href(path, &query::with(from, "created_before", before.as_deref())), false);
    true
}

/// Arrows go from column to column, with Shift they grow the stretch; Enter leads to it.
fn key(event: &KeyboardEvent) {
    let Some(item) = around(event, COLUMNS) else { return };
    let next = match event.key().as_str() {
        "ArrowRight" => item.next_element_sibling(),
        "ArrowLeft" => item.previous_element_sibling(),
        "Enter" if finish() => {
            event.prevent_default();
            return;
        }
        _ => return,
    };
    event.prevent_default();
    let link = next.as_ref().and_then(|next| next.query_selector("a").ok().flatten());
    let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) else { return };
    drop(link.focus());
    let (Some(at), Some(reached)) = (index_of(&item), next.as_ref().and_then(index_of)) else { return };
    let from = ENDS.get().map_or(at, |(from, _)| from);
    pick(event.shift_key().then_some((from, reached)));
}
