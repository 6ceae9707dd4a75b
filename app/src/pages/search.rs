//! The search: everything that was found in a pasted text, and why the rest was not.

use leptos::prelude::*;
use leptos_meta::Title;

use super::{load, use_project};
use crate::api;
use crate::components::{Icon, error_box, icon, id_link};
use crate::i18n::{Locale, full_date, use_locale, utc_moment};
use crate::model::{Miss, SearchMiss, SearchView};

/// The answer, and a field that takes more than one line.
#[component]
pub fn SearchPage() -> impl IntoView {
    let (locale, project) = (use_locale(), use_project());
    let view = load(move || project.get(), api::search);
    view! {
        <Title text=locale.search_title()/>
            {Suspend::new(async move {
                let project = project.get_untracked();
                match view.await {
                    Ok(view) => body(locale, &project, view),
                    Err(error) => error_box(&error, format!("/developers/{project}/webhooks")),
                }
            })}
    }
    .into_any()
}

fn body(locale: Locale, project: &str, view: SearchView) -> AnyView {
    let nothing = view.asked && view.hits.is_empty() && view.misses.is_empty();
    let title = match (view.asked, view.hits.is_empty()) {
        (true, true) => locale.search_miss_title(),
        (true, false) => locale.search_found(),
        (false, _) => locale.search_title(),
    };
    let hits = view.hits.into_iter().map(|hit| {
        let elsewhere = hit.project.map(|name| view! { <span class="soft">{locale.project()}" «"{name}"»"</span> });
        view! { <li>{icon(Icon::Check)}<a href=hit.href><code>{hit.text}</code></a>{elsewhere}</li> }
    });
    let hits = hits.collect_view();
    let misses = view.misses.into_iter().map(|found| miss(locale, found)).collect_view();
    view! {
        <div class="single">
            <div class="page-head"><h1>{title}</h1></div>
            <ul class="found">{hits}</ul>
            <ul class="found missed">{misses}</ul>
            {nothing.then(|| view! { <p>{locale.search_miss_text()}</p> })}
            <form class="box" method="post" action=format!("/developers/{project}/search")>
                <div class="field">
                    <label for="pasted">{locale.search_paste()}</label>
                    <textarea class="input" id="pasted" name="q" rows="5" spellcheck="false" required></textarea>
                </div>
                <div class="actions"><button class="button primary" type="submit">{locale.search_go()}</button></div>
            </form>
        </div>
    }
    .into_any()
}

fn miss(locale: Locale, found: SearchMiss) -> AnyView {
    let why = match found.why {
        Miss::TooOld { made, days } => view! { {locale.miss_too_old(days)}" "<time title=utc_moment(made.time())>{full_date(locale, made.time())}</time>"." }.into_any(),
        Miss::Near { id, href } => view! { {locale.miss_near()}" "<a href=href><code>{id}</code></a>"?" }.into_any(),
        Miss::OtherKind { id, href } => view! { {locale.miss_other_kind()}" "{id_link(&id, href)}"." }.into_any(),
        Miss::Future => locale.miss_future().into_any(),
        Miss::Malformed => locale.miss_malformed().into_any(),
        Miss::NoPage => locale.miss_no_page().into_any(),
        Miss::Unknown => locale.miss_unknown().into_any(),
    };
    view! { <li>{icon(Icon::Warning)}<div><code>{found.text}</code><p>{why}</p></div></li> }.into_any()
}
