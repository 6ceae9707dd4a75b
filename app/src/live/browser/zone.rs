//! The viewer's time zone: told to the server once, so that it draws the next pages, and pages
//! without JavaScript, in it.

use gloo_net::http::Request;
use leptos::prelude::document;
use leptos::task::spawn_local;

use super::visit;

/// Tells the zone when the page was drawn in another, and draws the page again.
pub(super) fn remember() {
    #[expect(clippy::cast_possible_truncation, reason = "minutes of a day")]
    let minutes = -(js_sys::Date::new_0().get_timezone_offset() as i32);
    let drawn_in = document().document_element().and_then(|page| page.get_attribute("data-zone"));
    let drawn_in = drawn_in.and_then(|zone| zone.parse().ok()).unwrap_or(0);
    let signed_in = super::find("main#content").is_some();
    if minutes == drawn_in || !signed_in {
        return;
    }
    spawn_local(async move {
        let told = Request::post("/developers/preferences")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!("zone={minutes}"));
        let Ok(told) = told else { return };
        if told.send().await.is_ok() {
            visit::refresh_all().await;
        }
    });
}
