//! Whether the page hears of what is new.

use leptos::prelude::*;

use super::feed::live;
use super::{feed, page_locale};

/// A word beside the list.
#[island]
pub fn Line() -> impl IntoView {
    let (locale, connected) = (page_locale(), live(feed().connected));
    let told = move || match connected.get() {
        Some(true) => ("live on", locale.live()),
        Some(false) => ("live off", locale.live_off()),
        None => ("live", ""),
    };
    view! { <span class=move || told().0 role="status">{move || told().1}</span> }
}
