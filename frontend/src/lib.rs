//! The browser's entry: takes over the page that the server drew.
#![recursion_limit = "512"]

use leptos::mount::hydrate_body;
use leptos::prelude::document;
use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the page's own script once the module has loaded.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    hydrate_body(app::App);
    // For style sheets (what only works by hand can go) and for tests (what they may press).
    if let Some(page) = document().document_element() {
        drop(page.set_attribute("data-hydrated", ""));
    }
}
