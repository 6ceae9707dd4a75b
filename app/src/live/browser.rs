//! The browser's half: one listener of each kind on the window, whatever the page shows at the time.

mod clock;
mod copy;
mod keys;
mod navigate;
mod range;
mod refresh;
mod signature;
mod stream;
mod swap;
mod visit;
mod zone;

use leptos::prelude::{document, window, window_event_listener_untyped};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, NodeList};

use crate::i18n::Locale;

pub(super) use stream::show_waiting;

/// Starts everything. Called once, when the module has loaded.
pub fn start() {
    navigate::listen();
    keys::listen();
    copy::listen();
    range::listen();
    signature::listen();
    clock::start();
    refresh::start();
    if let Some(body) = document().body() {
        swap::announce(&body);
    }
    arrived();
    zone::remember();
    // For style sheets (what only works by hand can go) and for tests (what they may press).
    if let Some(page) = document().document_element() {
        drop(page.set_attribute("data-hydrated", ""));
    }
}

/// A page stands, the first one or another.
fn arrived() {
    clock::tick();
    stream::attach();
}

/// The language that the server drew the page in.
pub(super) fn page_locale() -> Locale {
    let page = document().document_element();
    page.and_then(|page| Locale::from_code(&page.get_attribute("lang")?)).unwrap_or_default()
}

/// Listens for as long as the document lives.
fn on<E: JsCast>(event: &str, then: impl Fn(E) + 'static) {
    // Dropping the handle does not end it.
    drop(window_event_listener_untyped(event, move |event: Event| then(event.unchecked_into())));
}

/// The element that an event began at.
fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The element around the one that an event began at.
fn around(event: &Event, selector: &str) -> Option<Element> {
    target(event)?.closest(selector).ok().flatten()
}

fn find(selector: &str) -> Option<Element> {
    document().query_selector(selector).ok().flatten()
}

fn all(selector: &str) -> Vec<Element> {
    document().query_selector_all(selector).map(|list| elements(&list)).unwrap_or_default()
}

fn elements(list: &NodeList) -> Vec<Element> {
    (0..list.length()).filter_map(|index| list.item(index)?.dyn_into().ok()).collect()
}

/// The path of an address of ours, with its query.
fn path_of(url: &str) -> Option<String> {
    let origin = window().location().origin().ok()?;
    let rest = url.strip_prefix(&origin)?;
    Some(rest.split('#').next().unwrap_or(rest).to_owned())
}

fn here() -> String {
    let location = window().location();
    format!("{}{}", location.pathname().unwrap_or_default(), location.search().unwrap_or_default())
}
