//! The retry ladder as a row of rungs: what was tried, what is next, what is left.

use std::time::Duration;

use leptos::prelude::*;

use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::Rung;

/// The picture. `here` is the attempt that is open.
pub fn ladder(project: &str, rungs: Vec<Rung>, here: Option<&str>, query: &str) -> AnyView {
    let locale = use_locale();
    if rungs.len() < 2 {
        // One attempt that settled it: the sentence above says as much.
        return ().into_any();
    }
    let rungs = rungs.into_iter().map(|rung| {
        let state = rung.recorded.as_ref().map_or(if rung.next { "next" } else { "" }, |(status, _)| status.as_str());
        let current = rung.recorded.as_ref().is_some_and(|(_, id)| Some(id.as_str()) == here);
        let wait = (rung.after_secs > 0).then(|| span(locale, rung.after_secs));
        let mark = match rung.recorded {
            Some((status, id)) => {
                let label = format!("{} {}: {}", locale.col_attempt(), rung.number, status.in_words(locale));
                let href = crate::query::href(&format!("/developers/{project}/webhooks/{id}"), query);
                view! { <a class="rung" href=href aria-label=label title=status.in_words(locale) data-noscroll>{rung.number}</a> }.into_any()
            }
            None => view! { <span class="rung">{rung.number}</span> }.into_any(),
        };
        view! { <li class=state class:here=current>{mark}<span>{wait}</span></li> }
    });
    view! { <ol class="ladder" aria-label=locale.ladder()>{rungs.collect_view()}</ol> }.into_any()
}

/// `+15 min`.
fn span(locale: Locale, secs: u64) -> String {
    let wait = Duration::from_secs(secs).as_secs();
    let (number, unit) = match wait {
        0..60 => (wait, ["с", "s"]),
        60..3_600 => (wait / 60, ["мин", "min"]),
        _ => (wait / 3_600, ["ч", "h"]),
    };
    let unit = match locale {
        Locale::Ru => unit[0],
        Locale::En => unit[1],
    };
    format!("+{number}\u{a0}{unit}")
}
