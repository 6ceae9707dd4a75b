//! Every filter that is on, as a chip that takes it off again.

use leptos::prelude::*;

use super::{Icon, icon};
use crate::i18n::use_locale;
use crate::query;

/// The chips; nothing when nothing is filtered. `captions` are endpoints by id. Statuses have chips
/// of their own.
pub fn active_filters(path: &str, filters: &str, captions: &[(String, String)]) -> AnyView {
    let locale = use_locale();
    let on: Vec<_> =
        query::pairs(filters).into_iter().filter(|(name, value)| name != "status" && !value.is_empty()).collect();
    if on.is_empty() {
        return ().into_any();
    }
    let chips = on.into_iter().map(|(name, value)| {
        let href = query::href(path, &query::without(filters, &[name.as_str()]));
        let said =
            captions.iter().find(|(id, _)| *id == value).map_or_else(|| value.clone(), |(_, caption)| caption.clone());
        let said = if name.starts_with("created_") { said.replace('T', " ").replace(".000Z", " UTC") } else { said };
        let label = locale.filter_name(&name).map_or_else(|| name.clone(), str::to_owned);
        let takes_off = format!("{}: {label} {said}", locale.filter_clear());
        view! {
            <li><a class="chip on" href=href aria-label=takes_off data-noscroll>
                <span>{label}" "<b>{said}</b></span>{icon(Icon::Close)}
            </a></li>
        }
    });
    let chips = chips.collect_view();
    view! {
        <ul class="chips active-filters" aria-label=locale.filters_on()>
            {chips}
            <li><a class="button quiet" href=path.to_owned()>{locale.filter_clear_all()}</a></li>
        </ul>
    }
    .into_any()
}
