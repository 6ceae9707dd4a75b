//! Going to another page of the project without loading the document anew: the page is fetched as the
//! server draws it for everybody, and its content is put in place.

use std::cell::{Cell, RefCell};

use gloo_net::http::{Request, Response};
use leptos::prelude::{document, window};
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;
use web_sys::{Document, DomParser, ScrollToOptions, SupportedType};

use super::{all, arrived, here, path_of, swap};

thread_local! {
    /// The newest visit wins, whichever answer comes first.
    static NEWEST: Cell<u32> = const { Cell::new(0) };
    /// Regions to be drawn anew once the request under way has ended.
    static STALE: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static REFRESHING: Cell<bool> = const { Cell::new(false) };
}

/// How the address changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A link or a form.
    Forward,
    /// The browser's own buttons have changed it already.
    Back,
}

/// A page that has come.
struct Page {
    path: String,
    drawn: Document,
}

/// Goes to `path`; `top`: to its beginning.
pub(super) fn follow(path: &str, top: bool) {
    let path = path.to_owned();
    spawn_local(async move {
        let request = Request::get(&path);
        visit(request.send().await.ok(), path, Step::Forward, top, begin()).await;
    });
}

/// The page that the browser's own buttons led to.
pub(super) fn back() {
    let path = here();
    spawn_local(async move {
        let turn = begin();
        visit(Request::get(&path).send().await.ok(), path, Step::Back, true, turn).await;
    });
}

/// Sends a form and shows the page that its answer leads to. When it can't be sent, `natively` sends it
/// the browser's own way, which then says what is wrong.
pub(super) fn send(action: String, fields: String, natively: impl FnOnce() + 'static) {
    spawn_local(async move {
        let turn = begin();
        let request = Request::post(&action).header("content-type", "application/x-www-form-urlencoded");
        let sent = match request.body(fields) {
            Ok(request) => request.send().await.ok(),
            Err(_) => None,
        };
        if sent.is_none() {
            return natively();
        }
        visit(sent, action, Step::Forward, false, turn).await;
    });
}

/// Something happened to these deliveries: the parts of the page that tell of one are drawn anew.
pub(super) fn touched(deliveries: &[String]) {
    let concerned = all("[data-touch]").into_iter().filter(|mark| {
        let about = mark.get_attribute("data-touch").unwrap_or_default();
        about.split(' ').any(|id| deliveries.iter().any(|touched| touched == id))
    });
    let names = concerned.filter_map(|mark| mark.closest("[data-region]").ok()??.get_attribute("data-region"));
    anew(names.collect());
}

/// Draws the regions of these names anew.
pub(super) fn anew(names: Vec<String>) {
    if names.is_empty() {
        return;
    }
    STALE.with_borrow_mut(|stale| stale.extend(names));
    if !REFRESHING.replace(true) {
        spawn_local(refresh());
    }
}

async fn refresh() {
    loop {
        let names = STALE.take();
        if names.is_empty() {
            break;
        }
        let (path, turn) = (here(), NEWEST.get());
        let page = read(Request::get(&path).send().await.ok(), &path).await;
        if let Some(page) = page.filter(|page| page.path == path && NEWEST.get() == turn && here() == path) {
            swap::regions(&page.drawn, &names);
            arrived();
        }
    }
    REFRESHING.set(false);
}

fn begin() -> u32 {
    NEWEST.set(NEWEST.get().wrapping_add(1));
    if let Some(page) = document().document_element() {
        drop(page.set_attribute("data-busy", ""));
    }
    NEWEST.get()
}

async fn visit(answer: Option<Response>, asked: String, step: Step, top: bool, turn: u32) {
    let page = read(answer, &asked).await;
    if NEWEST.get() != turn {
        return;
    }
    if let Some(root) = document().document_element() {
        drop(root.remove_attribute("data-busy"));
    }
    let Some(page) = page.filter(|page| is_ours(&page.path)) else {
        // The browser's own way, which also says what is wrong.
        drop(window().location().set_href(&asked));
        return;
    };
    if let Ok(history) = window().history() {
        let scrolled = window().scroll_y().unwrap_or(0.0);
        let moved = page.path != here();
        if step == Step::Forward && moved {
            drop(history.replace_state_with_url(&JsValue::from_f64(scrolled), "", None));
            drop(history.push_state_with_url(&JsValue::NULL, "", Some(&page.path)));
        }
    }
    swap::page(&page.drawn, step == Step::Back || !top);
    let to = match step {
        Step::Forward => top.then_some(0.0),
        Step::Back => Some(window().history().ok().and_then(|h| h.state().ok()?.as_f64()).unwrap_or(0.0)),
    };
    if let Some(to) = to {
        let options = ScrollToOptions::new();
        options.set_top(to);
        window().scroll_to_with_scroll_to_options(&options);
    }
    swap::focus(top && step == Step::Forward);
    arrived();
}

/// The page, and where it is: as it was asked for (the client writes some addresses in its own way),
/// unless the server has led elsewhere.
async fn read(answer: Option<Response>, asked: &str) -> Option<Page> {
    let answer = answer?;
    let path = if answer.redirected() { path_of(&answer.url())? } else { asked.to_owned() };
    if !answer.headers().get("content-type")?.starts_with("text/html") {
        return None;
    }
    let text = answer.text().await.ok()?;
    let drawn = DomParser::new().ok()?.parse_from_string(&text, SupportedType::TextHtml).ok()?;
    Some(Page { path, drawn })
}

/// Whether an address belongs to the project that is shown; others have another frame.
pub(super) fn is_ours(path: &str) -> bool {
    let project = |path: &str| path.strip_prefix("/developers/")?.split(['/', '?']).next().map(str::to_owned);
    let shown = here();
    project(&shown).is_some_and(|shown| shown.starts_with("prj_") && project(path).as_ref() == Some(&shown))
}
