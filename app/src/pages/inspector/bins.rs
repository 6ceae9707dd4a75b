//! The list of bins.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;

use super::super::{Problem, load, use_list_query, use_project};
use crate::api;
use crate::components::{error_box, pager, when};
use crate::i18n::{Locale, use_locale};
use crate::model::BinsView;

/// The bins; the form for a new one stands beside them.
#[component]
pub fn BinsPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query) = (use_project(), use_list_query());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::bins(project, query));
    view! {
        <Title text=locale.tab_inspector()/>
        <h1 class="hidden-text">{locale.tab_inspector()}</h1>
        <div class="split">
            <div class="list-side">
                <Problem/>
                    {Suspend::new(async move {
                        let path = format!("/developers/{}/inspector", project.get_untracked());
                        match page.await {
                            Ok(view) => list(locale, &path, &query.get_untracked(), view),
                            Err(error) => error_box(&error, path),
                        }
                    })}
            </div>
            <Outlet/>
        </div>
    }
    .into_any()
}

fn list(locale: Locale, path: &str, query: &str, view: BinsView) -> AnyView {
    let has_default = view.rows.iter().any(|row| row.is_default);
    let empty = view.rows.is_empty();
    let rows = view.rows.into_iter().map(|row| {
        view! {
            <tr>
                <th scope="row">
                    <a class="row-link" href=format!("{path}/{}", row.id)>{row.name}</a>
                    {row.is_default.then(|| view! { " "<small class="soft">{locale.default_bin()}</small> })}
                </th>
                <td class="num end">{locale.number(u64::from(row.captures))}</td>
                <td class="soft wide-only narrow-hide"><code>{row.answers}</code></td>
                <td class="end soft wide-only">{when(row.at)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let add = view.may_change.then(|| {
        view! {
            <div class="filters">
                <a class="button primary" href=format!("{path}/new") data-noscroll>{locale.new_bin()}</a>
                {(!has_default).then(|| view! {
                    <form method="post" action=format!("{path}/default")>
                        <button class="button" type="submit">{locale.open_default_bin()}</button>
                    </form>
                })}
            </div>
        }
    });
    let nothing = empty.then(|| {
        view! {
            <div class="empty">
                <h2>{locale.empty_bins()}</h2>
                <p>{locale.empty_bins_text()}</p>
            </div>
        }
    });
    view! {
        {add}
        <div class="sheet">
            <table class="list bins">
                <caption>{locale.bins_caption()}</caption>
                <thead>
                    <tr>
                        <th scope="col">{locale.bin_name()}</th>
                        <th scope="col" class="c-count end">{locale.captures()}</th>
                        <th scope="col" class="c-answers wide-only">{locale.answers()}</th>
                        <th scope="col" class="c-when end wide-only">{locale.created()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {nothing}
            {pager(path, query, &view.pager).into_any()}
        </div>
    }
    .into_any()
}
