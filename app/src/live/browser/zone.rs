//! The viewer's time zone: told to the server once, mostly on the page of the sign-in, so that it draws
//! the next pages in it, and those without JavaScript.

use gloo_net::http::Request;
use leptos::prelude::document;
use leptos::task::spawn_local;
use web_sys::RequestRedirect;

/// Tells the zone when the page was drawn in another. The page itself is left as it is: its times are
/// written anew anyway, and somebody may be at work on it.
pub(super) fn remember() {
    #[expect(clippy::cast_possible_truncation, reason = "minutes of a day")]
    let minutes = -(js_sys::Date::new_0().get_timezone_offset() as i32);
    let drawn_in = document().document_element().and_then(|page| page.get_attribute("data-zone"));
    // Untold, even UTC is told: a page that knows its viewer's zone needs not name it.
    if drawn_in.and_then(|zone| zone.parse().ok()) == Some(minutes) {
        return;
    }
    spawn_local(async move {
        let told = Request::post("/developers/preferences")
            .header("content-type", "application/x-www-form-urlencoded")
            // The answer leads back to this page, which stands already.
            .redirect(RequestRedirect::Manual)
            .body(format!("zone={minutes}"));
        // Untold, it is told by the next page.
        if let Ok(told) = told {
            drop(told.send().await);
        }
    });
}
