//! Webhook Delivery: the list of attempts, its filters, its chart, and what arrives live.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;

use super::attempts_filters::{Filters, status_chips};
use super::{load, use_list_query, use_open_id, use_project, use_query_value};
use crate::api;
use crate::components::{
    active_filters, answer_code, attempt_status, chart, error_box, export_links, failing_banner, pager, when,
};
use crate::i18n::{Locale, use_locale};
use crate::live::Waiting;
use crate::model::{AttemptRow, AttemptsView};
use crate::query;

/// The list; the attempt that is open stands beside it.
#[component]
pub fn AttemptsPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query, open) = (use_project(), use_list_query(), use_open_id());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::attempts(project, query));
    let retried = use_query_value("retried");
    let keep = move || format!("webhooks?{}", query.get());
    view! {
        <Title text=locale.tab_attempts()/>
        <h1 class="hidden-text">{locale.tab_attempts()}</h1>
        <div class="split">
            <div class="list-side" data-keep=keep data-expected=move || retried.get()>
                {Suspend::new(async move {
                    let path = format!("/developers/{}/webhooks", project.get_untracked());
                    match page.await {
                        Ok(view) => body(locale, &project.get_untracked(), &path, &query.get_untracked(), &open.get_untracked(), view),
                        Err(error) => error_box(&error, path).into_any(),
                    }
                })}
            </div>
            <Outlet/>
        </div>
    }
    .into_any()
}

fn body(locale: Locale, project: &str, path: &str, query: &str, open: &str, view: AttemptsView) -> AnyView {
    let newest = view.live_from.is_some();
    let live = view.live_from.as_deref().map(|after| {
        let query = query::with(&query::filters(query), "after", Some(after));
        query::href(&format!("/developers/{project}/live"), &query)
    });
    let empty = view.rows.is_empty();
    let on = active_filters(path, &query::filters(query), &view.endpoints);
    let chart_view = chart(path, query, view.chart).into_any();
    let chips = status_chips(path, query).into_any();
    let pages = pager(path, query, &view.pager).into_any();
    let failing = failing_banner(project, view.failing);
    view! {
        {failing}
        {chart_view}
        <div class="filters">
            {chips}
            <Filters path=path.to_owned() query=query.to_owned() endpoints=view.endpoints live=newest/>
        </div>
        {on}
        <div class="sheet" data-live=live>
            {newest.then(|| view! { <Waiting/> })}
            {rows(locale, path, query, open, view.rows, newest)}
            {empty.then(|| nothing(locale, path, query, &view.api_url))}
            {pages}
        </div>
        {(!empty).then(|| export_links(project, "attempts", &query::filters(query)))}
    }
    .into_any()
}

/// The table. What arrives is put into it by the browser, drawn by [`attempt_row`] as well.
fn rows(locale: Locale, path: &str, query: &str, open: &str, rows: Vec<AttemptRow>, live: bool) -> AnyView {
    let filters = query::list(query);
    let rows = rows.into_iter().map(|row| attempt_row(locale, path, &filters, open, row)).collect_view();
    view! {
        <table class="list">
            <caption>{locale.attempts_caption()}</caption>
            <thead>
                <tr>
                    <th scope="col" class="c-status">{locale.col_status()}</th>
                    <th scope="col" class="c-http">{locale.col_http()}</th>
                    <th scope="col">{locale.col_event()}</th>
                    <th scope="col" class="wide-only">{locale.col_endpoint()}</th>
                    <th scope="col" class="c-attempt end wide-only">{locale.col_attempt()}</th>
                    <th scope="col" class="c-duration end wide-only">{locale.col_duration()}</th>
                    <th scope="col" class="c-when end">{locale.col_when()}</th>
                </tr>
            </thead>
            <tbody data-rows=live.then_some("")>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// One attempt; `open` is the id of the one that stands beside the list.
pub(crate) fn attempt_row(locale: Locale, path: &str, filters: &str, open: &str, row: AttemptRow) -> AnyView {
    let href = query::href(&format!("{path}/{}", row.id), filters);
    view! {
        <tr class:chosen=open == row.id data-id=row.id>
            <td>{attempt_status(row.status, false)}</td>
            <td class="narrow-end">{answer_code(row.response_status_code, row.error_code)}</td>
            <th scope="row"><a class="row-link" href=href data-noscroll>{row.event_type}</a></th>
            <td class="soft wide-only narrow-hide" title=row.endpoint.clone()>{row.endpoint.clone()}</td>
            <td class="num end wide-only narrow-hide">{row.attempt_number}</td>
            <td class="num end soft wide-only narrow-hide">{row.duration_ms.map(|ms| locale.took(ms))}</td>
            <td class="end soft">{when(row.at)}</td>
        </tr>
    }
    .into_any()
}

/// Nothing yet, or nothing that matches: each says what to do.
fn nothing(locale: Locale, path: &str, query: &str, api_url: &str) -> AnyView {
    if query::filters(query).is_empty() {
        let example = format!(
            "curl -X POST {api_url}/public/v1/contacts \\\n  -H \"Authorization: Bearer $BOTIX_API_KEY\" \\\n  \
             -H \"Idempotency-Key: $(openssl rand -hex 16)\" \\\n  -H \"Content-Type: application/json\" \\\n  \
             -d '{{\"phone\": \"+79001234567\", \"name\": \"Anna\"}}'"
        );
        return view! {
            <div class="empty">
                <h2>{locale.empty_attempts()}</h2>
                <p>{locale.empty_attempts_text()}</p>
                <pre tabindex="0">{example}</pre>
            </div>
        }
        .into_any();
    }
    view! {
        <div class="empty">
            <h2>{locale.empty_match()}</h2>
            <p>{locale.empty_match_text()}</p>
            <a class="button" href=path.to_owned()>{locale.filter_clear()}</a>
        </div>
    }
    .into_any()
}
