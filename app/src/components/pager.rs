//! Newer and Older.

use leptos::prelude::*;

use crate::i18n::use_locale;
use crate::model::Pager;
use crate::query;

/// Links to the pages around this one; the filters stay.
pub fn pager(path: &str, query_text: &str, pager: &Pager) -> impl IntoView + use<> {
    let locale = use_locale();
    let filters = query::filters(query_text);
    let link = |name: &str, cursor: &str| query::href(path, &query::with(&filters, name, Some(cursor)));
    let newer = pager.newer.as_deref().map(|cursor| (link("before", cursor), query::href(path, &filters)));
    let older = pager.older.as_deref().map(|cursor| link("cursor", cursor));
    let any = newer.is_some() || older.is_some();
    any.then(|| {
        view! {
            <nav class="pager" aria-label=locale.pages()>
                <div>
                    {newer.map(|(href, first)| view! {
                        <a class="button" href=first>{locale.newest()}</a>
                        <a class="button" rel="prev" href=href>{locale.newer()}</a>
                    })}
                </div>
                <div>{older.map(|href| view! { <a class="button" rel="next" href=href>{locale.older()}</a> })}</div>
            </nav>
        }
    })
}
