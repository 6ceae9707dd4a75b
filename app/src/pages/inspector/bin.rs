//! One bin: its address, and what was sent there.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;

use super::super::{Problem, load, use_open_id, use_param, use_project};
use super::use_place;
use crate::api;
use crate::components::{answer_code, code, error_box, fold, pager, when};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::live::Waiting;
use crate::model::{BinView, CaptureRow};
use crate::query;

/// The captures; the one that is open stands beside them.
#[component]
pub fn BinPage() -> impl IntoView {
    let locale = use_locale();
    let (project, bin, place, open) = (use_project(), use_param("bin_id"), use_place(), use_open_id());
    let page =
        load(move || (project.get(), bin.get(), place.get()), |(project, bin, place)| api::bin(project, bin, place));
    view! {
        <Title text=locale.tab_inspector()/>
        <div class="split">
            {Suspend::new(async move {
                let home = format!("/developers/{}/inspector", project.get_untracked());
                let place = place.get_untracked();
                match page.await {
                    Ok(view) => {
                        // A bin that was changed is drawn anew.
                        let keep = format!("inspector/{}?{place} {} {}", view.bin.id, view.bin.answers, view.bin.name);
                        let list = body(locale, &project.get_untracked(), &home, &place, &open.get_untracked(), view);
                        view! { <div class="list-side" data-keep=keep>{list}</div> }.into_any()
                    }
                    Err(error) => view! {
                        <div class="list-side">
                            <h1 class="hidden-text">{locale.tab_inspector()}</h1>
                            {error_box(&error, home)}
                        </div>
                    }
                    .into_any(),
                }
            })}
            <Outlet/>
        </div>
    }
    .into_any()
}

fn body(locale: Locale, project: &str, home: &str, place: &str, open: &str, view: BinView) -> AnyView {
    let path = format!("{home}/{}", view.bin.id);
    let live = view.live_from.as_deref().map(|after| {
        let query = query::with(&query::with("", "bin", Some(&view.bin.id)), "captured_after", Some(after));
        query::href(&format!("/developers/{project}/live"), &query)
    });
    let newest = live.is_some();
    let filters = query::list(place);
    let rows = view.rows.into_iter().map(|row| capture_row(locale, &path, &filters, open, row)).collect_view();
    let example = format!(
        "curl -X POST {} \\\n  -H \"Content-Type: application/json\" \\\n  -d '{{\"hello\": \"BOTIX\"}}'",
        view.url
    );
    let manage = view.may_change.then(|| {
        view! {
            <a class="button small" href=format!("{path}/edit") data-noscroll>{locale.edit_bin()}</a>
            <a class="button small" href=format!("{path}/rehearse") data-noscroll>{locale.rehearse()}</a>
            <a class="button small" href=format!("{path}/delete") data-noscroll>{locale.delete_bin()}</a>
        }
    });
    view! {
        <div class="bin-head">
            {super::back(home.to_owned(), locale.all_bins())}
            <div class="page-head">
                <h1>{view.bin.name}</h1>
                {view.bin.is_default.then(|| view! { <span class="status badge"><span>{locale.default_bin()}</span></span> })}
                <div class="actions">{manage}</div>
            </div>
            <Problem/>
            <div class="fold address" aria-label=locale.bin_address() role="group">{code(view.url)}</div>
            <p class="soft small-print">
                {locale.bin_address_note()}" "{locale.answers_now()}" "<code>{view.bin.answers}</code>"."
            </p>
            {fold(locale.try_it(), None, false, code(example))}
        </div>
        <div class="sheet" data-live=live>
            {newest.then(|| view! { <Waiting/> })}
            <table class="list captures">
                <caption>{locale.captures_caption()}</caption>
                <thead>
                    <tr>
                        <th scope="col" class="c-method">{locale.col_method()}</th>
                        <th scope="col">{locale.col_target()}</th>
                        <th scope="col" class="c-kind wide-only">{locale.col_kind()}</th>
                        <th scope="col" class="c-code wide-only">{locale.col_answered()}</th>
                        <th scope="col" class="c-size end wide-only">{locale.col_body()}</th>
                        <th scope="col" class="c-when end">{locale.col_when()}</th>
                    </tr>
                </thead>
                <tbody data-rows=newest.then_some("") data-at-once="">{rows}</tbody>
            </table>
            <div class="empty">
                <h2>{locale.empty_captures()}</h2>
                <p>{locale.empty_captures_text()}</p>
            </div>
            {pager(&path, place, &view.pager).into_any()}
        </div>
    }
    .into_any()
}

/// One capture; `open` is the id of the one that stands beside the list.
pub(crate) fn capture_row(locale: Locale, path: &str, filters: &str, open: &str, row: CaptureRow) -> AnyView {
    let href = query::href(&format!("{path}/{}", row.id), filters);
    view! {
        <tr class:chosen=open == row.id data-id=row.id>
            <td><code>{row.method}</code></td>
            <th scope="row"><a class="row-link" href=href data-noscroll><code>{row.target}</code></a></th>
            <td class="soft wide-only narrow-hide">{row.kind.in_words(locale)}</td>
            <td class="c-code wide-only">{answer_code(row.answered, None)}</td>
            <td class="num end soft wide-only narrow-hide">{locale.bytes(row.bytes)}</td>
            <td class="end soft">{when(row.at)}</td>
        </tr>
    }
    .into_any()
}
