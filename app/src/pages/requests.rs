//! Requests: the log of API calls.

use leptos::prelude::*;
use leptos_meta::Title;

use super::{load, use_list_query, use_project};
use crate::api;
use crate::components::{FilterForm, active_filters, error_box, export_links, pager, request_table};
use crate::i18n::{Locale, use_locale};
use crate::model::RequestsView;
use crate::query;

const METHODS: [&str; 4] = ["GET", "POST", "PATCH", "DELETE"];
const CLASSES: [&str; 3] = ["2xx", "4xx", "5xx"];

/// The log, newest first.
#[component]
pub fn RequestsPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query) = (use_project(), use_list_query());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::requests(project, query));
    view! {
        <Title text=locale.tab_requests()/>
        <h1 class="hidden-text">{locale.tab_requests()}</h1>
            {Suspend::new(async move {
                let path = format!("/developers/{}/requests", project.get_untracked());
                match page.await {
                    Ok(view) => body(locale, &project.get_untracked(), path, &query.get_untracked(), view).into_any(),
                    Err(error) => error_box(&error, path).into_any(),
                }
            })}
    }
    .into_any()
}

fn body(locale: Locale, project: &str, path: String, query: &str, view: RequestsView) -> AnyView {
    let filters = query::filters(query);
    let empty = view.rows.is_empty();
    let pages = pager(&path, query, &view.pager).into_any();
    let table = request_table(&path, locale.requests_caption(), view.rows);
    view! {
        <div class="filters">{form(locale, path.clone(), &filters, view.ranges)}</div>
        {active_filters(&path, &filters, &[])}
        <div class="sheet">
            {table}
            {empty.then(|| nothing(locale, path, !filters.is_empty(), &view.api_url))}
            {pages}
        </div>
        {(!empty).then(|| export_links(project, "requests", &filters))}
    }
    .into_any()
}

fn form(locale: Locale, path: String, filters: &str, ranges: Vec<(u32, String)>) -> AnyView {
    let value = |name: &str| query::value(filters, name).unwrap_or_default();
    let (method, code, key, after) =
        (value("method"), value("status_code"), value("idempotency_key"), value("created_after"));
    let options = |words: &[&'static str], chosen: &str| {
        let known = words.contains(&chosen) || chosen.is_empty();
        let other = (!known).then(|| view! { <option value=chosen.to_owned() selected>{chosen.to_owned()}</option> });
        let words = words.iter().map(|word| view! { <option value=*word selected=*word == chosen>{*word}</option> });
        view! { {words.collect_view()}{other} }.into_any()
    };
    let ranges = ranges.into_iter().map(|(hours, start)| {
        let selected = start == after;
        view! { <option value=start selected=selected>{locale.hours(hours)}</option> }
    });
    let ranges = ranges.collect_view();
    view! {
        <FilterForm action=path>
            <select class="select" name="method" aria-label=locale.col_method()>
                <option value="">{locale.any_method()}</option>
                {options(&METHODS, &method)}
            </select>
            <select class="select" name="status_code" aria-label=locale.col_http()>
                <option value="">{locale.any_http()}</option>
                {options(&CLASSES, &code)}
            </select>
            <input class="input small" name="idempotency_key" value=key placeholder="Idempotency-Key" aria-label="Idempotency-Key"
                autocomplete="off" spellcheck="false"/>
            <select class="select" name="created_after" aria-label=locale.range()>{ranges}</select>
            <button class="button no-js" type="submit">{locale.filter_apply()}</button>
        </FilterForm>
    }
    .into_any()
}

fn nothing(locale: Locale, path: String, filtered: bool, api_url: &str) -> AnyView {
    if filtered {
        return view! {
            <div class="empty">
                <h2>{locale.empty_match()}</h2>
                <p>{locale.empty_match_text()}</p>
                <a class="button" href=path>{locale.filter_clear()}</a>
            </div>
        }
        .into_any();
    }
    let example = format!("curl {api_url}/public/v1/contacts \\\n  -H \"Authorization: Bearer $BOTIX_API_KEY\"");
    view! {
        <div class="empty">
            <h2>{locale.empty_requests()}</h2>
            <p>{locale.empty_requests_text()}</p>
            <pre tabindex="0">{example}</pre>
        </div>
    }
    .into_any()
}
