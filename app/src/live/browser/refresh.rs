//! A part of the page that tells of work under way is drawn anew until the server draws it without its
//! mark.

use std::time::Duration;

use leptos::prelude::{document, set_interval};

use super::{all, visit};

const EVERY: Duration = Duration::from_secs(1);

pub(super) fn start() {
    set_interval(
        || {
            if document().hidden() {
                return;
            }
            let marks = all("[data-refresh]").into_iter();
            visit::anew(
                marks.filter_map(|mark| mark.closest("[data-region]").ok()??.get_attribute("data-region")).collect(),
            );
        },
        EVERY,
    );
}
