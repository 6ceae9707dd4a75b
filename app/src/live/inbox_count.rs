//! How many dead letters wait, on their tab.
#![expect(missing_docs, reason = "the macro makes structs of the properties")]

use leptos::prelude::*;

use super::feed::live;
use super::{feed, page_locale};

/// The number that the server knew, then the one that was last heard.
#[island]
pub fn InboxCount(
    /// As the server knew it.
    waiting: u32,
    /// Where counting stops.
    cap: u32,
) -> impl IntoView {
    let (locale, heard) = (page_locale(), live(feed().dead_letters));
    move || {
        let now = heard.get().unwrap_or(waiting);
        let text =
            if now > cap { format!("{}+", locale.number(u64::from(cap))) } else { locale.number(u64::from(now)) };
        (now > 0).then(|| view! { <span class="count">{text}</span> })
    }
}
