//! Links and forms of the project, taken over from the browser where that can be done as well without
//! loading the document anew.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast as _;
use web_sys::{
    Element, Event, FormData, HtmlAnchorElement, HtmlButtonElement, HtmlFormElement, MouseEvent, ScrollRestoration,
    SubmitEvent, UrlSearchParams,
};

use super::{around, on, path_of, visit};
use crate::query;

pub(super) fn listen() {
    if let Ok(history) = window().history() {
        drop(history.set_scroll_restoration(ScrollRestoration::Manual));
    }
    on("click", |event: MouseEvent| {
        if let Some((path, top)) = link(&event) {
            event.prevent_default();
            close_menus();
            visit::follow(&path, top);
        }
    });
    on("submit", |event: SubmitEvent| submit(&event));
    on("popstate", |_: Event| visit::back());
    // Filters apply at once; without JavaScript they have a button.
    on("change", |event: Event| {
        let form = around(&event, "form[data-auto]").and_then(|form| form.dyn_into::<HtmlFormElement>().ok());
        if let Some(form) = form {
            drop(form.request_submit());
        }
    });
}

/// Where a plain click on a link of ours leads, and whether to the top of the page.
fn link(event: &MouseEvent) -> Option<(String, bool)> {
    let with_key = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
    if event.default_prevented() || event.button() != 0 || with_key {
        return None;
    }
    let link: HtmlAnchorElement = around(event, "a[href]")?.dyn_into().ok()?;
    let plain = link.target().is_empty() && link.rel().is_empty() && !link.has_attribute("download");
    let same_page = link.get_attribute("href").is_some_and(|href| href.starts_with('#'));
    let path = path_of(&link.href()).filter(|path| plain && !same_page && visit::is_ours(path))?;
    Some((path, !link.has_attribute("data-noscroll")))
}

fn submit(event: &SubmitEvent) {
    if event.default_prevented() {
        return;
    }
    let Some(form) = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok()) else { return };
    let Some(action) = path_of(&form.action()).filter(|action| visit::is_ours(action)) else { return };
    let button = event.submitter().and_then(|button| button.dyn_into::<HtmlButtonElement>().ok());
    let Some(fields) = fields(&form, button.as_ref()) else { return };
    if form.method() == "get" {
        event.prevent_default();
        let path = action.split('?').next().unwrap_or_default();
        visit::follow(&query::href(path, &query::without(&fields, &[])), false);
    } else if form.has_attribute("data-swap") {
        event.prevent_default();
        if form.has_attribute("data-sent") {
            return;
        }
        // A second press is harmless on the server; here it is not even sent.
        drop(form.set_attribute("data-sent", ""));
        busy(button.as_ref());
        visit::send(action, fields, move || drop(form.submit()));
    }
}

/// The fields as a form sends them, the pressed button's own among them.
fn fields(form: &HtmlFormElement, button: Option<&HtmlButtonElement>) -> Option<String> {
    let data = FormData::new_with_form(form).ok()?;
    if let Some(button) = button.filter(|button| !button.name().is_empty()) {
        data.append_with_str(&button.name(), &button.value()).ok()?;
    }
    UrlSearchParams::new_with_str_sequence_sequence(&data).ok()?.to_string().as_string()
}

/// What the button says while it works.
fn busy(button: Option<&HtmlButtonElement>) {
    let Some(button) = button else { return };
    drop(button.set_attribute("aria-disabled", "true"));
    let said = button.get_attribute("data-busy");
    if let (Some(said), Ok(Some(label))) = (said, button.query_selector("span")) {
        label.set_text_content(Some(&said));
    }
}

/// A menu that a link was in has done its work.
fn close_menus() {
    let open = document().query_selector_all("details.menu[open]").ok();
    for menu in open.iter().flat_map(super::elements) {
        drop(Element::remove_attribute(&menu, "open"));
    }
}
