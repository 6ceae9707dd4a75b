//! The few calls into the browser, each with its answer where there is none.

use domain::Timestamp;

use crate::i18n::{Civil, Locale};

/// The present by the browser's clock.
#[cfg(feature = "hydrate")]
pub fn now() -> Option<Timestamp> {
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds of this era fit by far")]
    let millis = js_sys::Date::now() as i64;
    Some(Timestamp::from_millis(millis))
}

/// The present by the browser's clock.
#[cfg(not(feature = "hydrate"))]
pub const fn now() -> Option<Timestamp> {
    None
}

/// The time zone that the server drew the page in, in minutes east of UTC; `None` is UTC, said so.
#[cfg(feature = "hydrate")]
pub fn page_zone() -> Option<i32> {
    leptos::prelude::document().document_element()?.get_attribute("data-zone")?.parse().ok()
}

/// The time zone that the server drew the page in, in minutes east of UTC; `None` is UTC, said so.
#[cfg(all(feature = "ssr", not(feature = "hydrate")))]
pub fn page_zone() -> Option<i32> {
    crate::ssr::use_visitor().zone
}

/// The time zone that the server drew the page in, in minutes east of UTC; `None` is UTC, said so.
#[cfg(not(any(feature = "ssr", feature = "hydrate")))]
pub const fn page_zone() -> Option<i32> {
    None
}

/// A time in the viewer's own zone.
#[cfg(feature = "hydrate")]
pub fn local(at: Timestamp) -> Civil {
    let small = |number: u32| u8::try_from(number).unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this era fit by far")]
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(at.as_millis() as f64));
    Civil {
        year: i64::from(date.get_full_year()),
        month: small(date.get_month() + 1),
        day: small(date.get_date()),
        hour: small(date.get_hours()),
        minute: small(date.get_minutes()),
        second: small(date.get_seconds()),
        milli: u16::try_from(date.get_milliseconds()).unwrap_or(0),
    }
}

/// A time in the viewer's own zone.
#[cfg(not(feature = "hydrate"))]
pub fn local(at: Timestamp) -> Civil {
    Civil::of(at)
}

/// The language that the server drew the page in.
#[cfg(feature = "hydrate")]
pub fn page_locale() -> Option<Locale> {
    let page = leptos::prelude::document().document_element()?;
    Locale::from_code(&page.get_attribute("lang")?)
}

/// The language that the server drew the page in.
#[cfg(not(feature = "hydrate"))]
pub const fn page_locale() -> Option<Locale> {
    None
}

/// The theme that the server drew the page in: `light`, `dark` or `auto`.
#[cfg(feature = "hydrate")]
pub fn page_theme() -> String {
    let page = leptos::prelude::document().document_element();
    page.and_then(|page| page.get_attribute("data-theme")).unwrap_or_else(|| "auto".to_owned())
}

/// The theme that the server drew the page in: `light`, `dark` or `auto`.
#[cfg(all(feature = "ssr", not(feature = "hydrate")))]
pub fn page_theme() -> String {
    crate::ssr::use_visitor().theme.word().to_owned()
}

/// The theme that the server drew the page in: `light`, `dark` or `auto`.
#[cfg(not(any(feature = "ssr", feature = "hydrate")))]
pub fn page_theme() -> String {
    String::new()
}

/// Whether single keys do something (WCAG 2.1.4: they can be switched off).
#[cfg(feature = "hydrate")]
pub fn keys_on() -> bool {
    let page = leptos::prelude::document().document_element();
    page.is_none_or(|page| page.get_attribute("data-keys").as_deref() != Some("off"))
}

/// Whether single keys do something (WCAG 2.1.4: they can be switched off).
#[cfg(all(feature = "ssr", not(feature = "hydrate")))]
pub fn keys_on() -> bool {
    !crate::ssr::use_visitor().keys_off
}

/// Whether single keys do something (WCAG 2.1.4: they can be switched off).
#[cfg(not(any(feature = "ssr", feature = "hydrate")))]
pub const fn keys_on() -> bool {
    true
}

/// Puts a text on the clipboard.
#[cfg(feature = "hydrate")]
pub fn copy(text: &str) {
    drop(leptos::prelude::window().navigator().clipboard().write_text(text));
}

/// Puts a text on the clipboard.
#[cfg(not(feature = "hydrate"))]
pub const fn copy(_: &str) {}

/// Submits the form that an element is in, as if its button had been pressed.
#[cfg(feature = "hydrate")]
pub fn submit_form_of(event: &leptos::ev::Event) {
    use wasm_bindgen::JsCast as _;
    let field = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let form = field.and_then(|field| field.closest("form").ok().flatten());
    if let Some(form) = form.and_then(|form| form.dyn_into::<web_sys::HtmlFormElement>().ok()) {
        drop(form.request_submit());
    }
}

/// Submits the form that an element is in, as if its button had been pressed.
#[cfg(not(feature = "hydrate"))]
pub const fn submit_form_of(_: &leptos::ev::Event) {}

/// What a `GET` form would put into the address, as text.
#[cfg(feature = "hydrate")]
pub fn form_query(event: &leptos::ev::SubmitEvent) -> Option<String> {
    use wasm_bindgen::JsCast as _;
    let form = event.target()?.dyn_into::<web_sys::HtmlFormElement>().ok()?;
    let data = web_sys::FormData::new_with_form(&form).ok()?;
    let query = web_sys::UrlSearchParams::new_with_str_sequence_sequence(&data).ok()?;
    query.to_string().as_string()
}

/// What a `GET` form would put into the address, as text.
#[cfg(not(feature = "hydrate"))]
pub const fn form_query(_: &leptos::ev::SubmitEvent) -> Option<String> {
    None
}

/// `/` and Ctrl-K put the cursor into the search box; Escape follows the link that closes the open
/// detail.
#[cfg(feature = "hydrate")]
pub fn listen_to_keys() {
    use wasm_bindgen::JsCast as _;
    let handle = leptos::prelude::window_event_listener(leptos::ev::keydown, |event| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let typing = target.is_some_and(|element| element.matches("input, select, textarea").unwrap_or(false));
        let wanted = match event.key().as_str() {
            "/" | "?" if typing || !keys_on() || event.ctrl_key() || event.meta_key() || event.alt_key() => return,
            "/" => "[data-search]",
            "?" => "[popovertarget=help]",
            "k" | "K" | "л" | "Л" if (event.ctrl_key() || event.meta_key()) && !event.alt_key() => "[data-search]",
            "Escape" if !typing => "[data-close]",
            _ => return,
        };
        let found = leptos::prelude::document().query_selector(wanted).ok().flatten();
        if let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
            event.prevent_default();
            if wanted == "[data-search]" {
                drop(element.focus());
            } else {
                element.click();
            }
        }
    });
    leptos::prelude::on_cleanup(move || handle.remove());
}

/// `/` and Ctrl-K put the cursor into the search box; Escape follows the link that closes the open
/// detail.
#[cfg(not(feature = "hydrate"))]
pub const fn listen_to_keys() {}

/// Moves the focus from a link in a list item to that of an item beside it; says which one that is.
#[cfg(feature = "hydrate")]
pub fn focus_sibling(event: &leptos::ev::KeyboardEvent, step: i32) -> Option<usize> {
    use wasm_bindgen::JsCast as _;
    let item = event.current_target()?.dyn_into::<web_sys::Element>().ok()?;
    let next = if step > 0 { item.next_element_sibling() } else { item.previous_element_sibling() }?;
    let link = next.query_selector("a").ok()??.dyn_into::<web_sys::HtmlElement>().ok()?;
    link.focus().ok()?;
    let mut index = 0;
    let mut before = next.previous_element_sibling();
    while let Some(found) = before {
        index += 1;
        before = found.previous_element_sibling();
    }
    Some(index)
}

/// Moves the focus from a link in a list item to that of an item beside it; says which one that is.
#[cfg(not(feature = "hydrate"))]
pub const fn focus_sibling(_: &leptos::ev::KeyboardEvent, _: i32) -> Option<usize> {
    None
}

/// Calls `then` at the next such event anywhere in the window.
#[cfg(feature = "hydrate")]
pub fn listen_once(event: &'static str, then: impl Fn() + 'static) {
    let handle: std::rc::Rc<std::cell::Cell<Option<leptos::prelude::WindowListenerHandle>>> = std::rc::Rc::default();
    let own = handle.clone();
    handle.set(Some(leptos::prelude::window_event_listener_untyped(event, move |_| {
        then();
        if let Some(handle) = own.take() {
            handle.remove();
        }
    })));
}

/// Calls `then` at the next such event anywhere in the window.
#[cfg(not(feature = "hydrate"))]
pub fn listen_once(_: &'static str, _: impl Fn() + 'static) {}
