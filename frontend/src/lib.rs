//! The browser's entry: hydrates the islands of the page that the server drew.
#![recursion_limit = "512"]

use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the page's own script once the module has loaded.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    app::live::browser::start();
}
