//! `/` and Ctrl-K put the cursor into the search box, `?` opens the help, Escape follows the link that
//! closes the open detail. Single keys can be switched off (WCAG 2.1.4).

use leptos::prelude::document;
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, KeyboardEvent};

use super::{find, on, target};

pub(super) fn listen() {
    on("keydown", |event: KeyboardEvent| {
        let typing = target(&event).is_some_and(|element| element.matches("input, select, textarea").unwrap_or(false));
        let with = event.ctrl_key() || event.meta_key();
        let wanted = match event.key().as_str() {
            "/" | "?" if typing || !single_keys() || with || event.alt_key() => return,
            "/" => "[data-search]",
            "?" => "[popovertarget=help]",
            "k" | "K" | "л" | "Л" if with && !event.alt_key() => "[data-search]",
            "Escape" if !typing => "[data-close]",
            _ => return,
        };
        let Some(element) = find(wanted).and_then(|element| element.dyn_into::<HtmlElement>().ok()) else { return };
        event.prevent_default();
        if wanted == "[data-search]" {
            drop(element.focus());
        } else {
            element.click();
        }
    });
}

fn single_keys() -> bool {
    let page = document().document_element();
    page.is_none_or(|page| page.get_attribute("data-keys").as_deref() != Some("off"))
}
