//! A part of the page that tells of work under way is drawn anew until the server draws it without its
//! mark, and with it the part that the mark names: what the work changes.

use std::time::Duration;

use leptos::prelude::{document, set_interval};
use web_sys::Element;

use super::{all, visit};

const EVERY: Duration = Duration::from_secs(1);

pub(super) fn start() {
    set_interval(
        || {
            if !document().hidden() {
                visit::anew(all("[data-refresh]").iter().flat_map(regions).collect());
            }
        },
        EVERY,
    );
}

fn regions(mark: &Element) -> Vec<String> {
    let own = mark.closest("[data-region]").ok().flatten().and_then(|region| region.get_attribute("data-region"));
    let named = mark.get_attribute("data-refresh").filter(|name| !name.is_empty() && !is_in_hand(name));
    own.into_iter().chain(named).collect()
}

/// Whether somebody has ticked something there, or is about to: it would be lost.
fn is_in_hand(region: &str) -> bool {
    document()
        .query_selector(&format!("[data-region={region}] :is(input:checked, :focus)"))
        .is_ok_and(|ticked| ticked.is_some())
}
