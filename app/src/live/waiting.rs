//! What has arrived waits behind a button, so that nothing moves under the pointer.

use leptos::prelude::*;

use super::feed::live;
use super::{feed, page_locale};

/// The button, while anything waits.
#[island]
pub fn Waiting() -> impl IntoView {
    let (locale, waiting) = (page_locale(), live(feed().waiting));
    view! {
        <div class="fresh-bar" aria-live="polite">
            {move || {
                let count = waiting.get();
                (count > 0).then(|| view! {
                    <button type="button" class="button" on:click=|_| show()>"↑ "{locale.new_attempts(count)}</button>
                })
            }}
        </div>
    }
}

#[cfg(feature = "hydrate")]
fn show() {
    super::browser::show_waiting();
}

#[cfg(not(feature = "hydrate"))]
const fn show() {}
