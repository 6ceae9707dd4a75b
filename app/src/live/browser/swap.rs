//! Putting another page, or a part of it, in the place of what is shown.

use leptos::prelude::{Set as _, document};
use wasm_bindgen::JsCast as _;
use web_sys::{CustomEvent, CustomEventInit, Document, Element, HtmlElement, Node};

use super::{all, elements, find, here};
use crate::live::feed;

/// Shows `drawn`. With `keep`, a list that is the same in both stays as it is, with what has arrived in
/// it and how far it was scrolled.
pub(super) fn page(drawn: &Document, keep: bool) {
    let (Some(old), Some(new)) = (find("main#content"), in_it(drawn, "main#content")) else { return };
    document().set_title(&drawn.title());
    let kept = keep && keys(&old).is_some_and(|key| keys(&new).as_ref() == Some(&key));
    match (old.query_selector(".split"), new.query_selector(".split")) {
        (Ok(Some(old)), Ok(Some(new))) if kept => beside(&old, &new),
        _ => fill(&old, &new),
    }
    frame(drawn);
    choose();
}

/// Replaces the regions of these names.
pub(super) fn regions(drawn: &Document, names: &[String]) {
    for old in all("[data-region]") {
        let Some(name) = old.get_attribute("data-region").filter(|name| names.contains(name)) else { continue };
        if let Some(new) = in_it(drawn, &format!("[data-region={name}]")) {
            let open = opened(&old);
            fill(&old, &new);
            reopen(&old, &open);
        }
    }
    frame(drawn);
    choose();
}

/// Tells the islands in `place` that they are there.
pub(super) fn announce(place: &Element) {
    let init = CustomEventInit::new();
    init.set_bubbles(true);
    if let Ok(event) = CustomEvent::new_with_event_init_dict("botix:drawn", &init) {
        drop(place.dispatch_event(&event));
    }
}

fn in_it(drawn: &Document, selector: &str) -> Option<Element> {
    drawn.query_selector(selector).ok().flatten()
}

/// What says that a list is the same one.
fn keys(page: &Element) -> Option<String> {
    page.query_selector("[data-keep]").ok()??.get_attribute("data-keep")
}

fn fill(old: &Element, new: &Element) {
    old.set_inner_html("");
    move_children(new, old);
    announce(old);
}

fn move_children(from: &Element, to: &Element) {
    while let Some(child) = from.first_child() {
        drop(to.append_child(&child));
    }
}

/// Keeps the list and replaces what stands beside it.
fn beside(old: &Element, new: &Element) {
    let is_list = |element: &Element| element.has_attribute("data-keep");
    let children = |of: &Element| of.query_selector_all(":scope > *").map(|list| elements(&list)).unwrap_or_default();
    children(old).iter().filter(|element| !is_list(element)).for_each(Element::remove);
    for element in children(new).iter().filter(|element| !is_list(element)) {
        drop(old.append_child(AsRef::<Node>::as_ref(element)));
        announce(element);
    }
    // What is expected may be another delivery now.
    let place = |of: &Element| of.query_selector("[data-keep]").ok().flatten();
    if let (Some(old), Some(new)) = (place(old), place(new)) {
        match new.get_attribute("data-expected") {
            Some(expected) => drop(old.set_attribute("data-expected", &expected)),
            None => drop(old.remove_attribute("data-expected")),
        }
    }
}

/// The tabs and their count, which stand outside of what is replaced.
fn frame(drawn: &Document) {
    let new = drawn.query_selector_all("nav.tabs a").map(|list| elements(&list)).unwrap_or_default();
    for (old, new) in all("nav.tabs a").iter().zip(new) {
        match new.get_attribute("aria-current") {
            Some(current) => drop(old.set_attribute("aria-current", &current)),
            None => drop(old.remove_attribute("aria-current")),
        }
    }
    let count = in_it(drawn, "[data-inbox]").and_then(|tab| tab.get_attribute("data-inbox")?.parse().ok());
    if let Some(count) = count {
        feed().dead_letters.set(Some(count));
    }
}

/// Marks the row whose detail is open.
pub(super) fn choose() {
    let path = here().split('?').next().unwrap_or_default().to_owned();
    for link in all(".list a.row-link") {
        let href = link.get_attribute("href").unwrap_or_default();
        let chosen = href.split('?').next() == Some(path.as_str());
        if let Ok(Some(row)) = link.closest("tr") {
            drop(row.class_list().toggle_with_force("chosen", chosen));
        }
    }
}

/// Which folds somebody has opened or closed, in their order.
fn opened(region: &Element) -> Vec<bool> {
    folds(region).iter().map(|fold| fold.has_attribute("open")).collect()
}

fn reopen(region: &Element, open: &[bool]) {
    let folds = folds(region);
    if folds.len() == open.len() {
        for (fold, open) in folds.iter().zip(open) {
            drop(fold.toggle_attribute_with_force("open", *open));
        }
    }
}

fn folds(region: &Element) -> Vec<Element> {
    region.query_selector_all("details").map(|list| elements(&list)).unwrap_or_default()
}

/// Where a screen reader goes on: with what was opened, else with the page.
pub(super) fn focus(moved: bool) {
    let lost = document().active_element().is_none_or(|active| active.tag_name() == "BODY");
    if !moved && !lost {
        return;
    }
    if let Some(main) = find("main#content").and_then(|main| main.dyn_into::<HtmlElement>().ok()) {
        drop(main.set_attribute("tabindex", "-1"));
        drop(main.focus());
    }
}
