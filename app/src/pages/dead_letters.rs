//! Dead letters: the inbox of deliveries that were given up.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;
use leptos_router::hooks::use_location;

use super::dead_letters_actions::{Acted, action_bar};
use super::jobs;
use super::{Problem, load, use_list_query, use_open_id, use_project, use_query_value};
use crate::api;
use crate::components::{
    FilterForm, Icon, RetryButton, active_filters, answer_code, error_box, export_links, failing_banner, groups, icon,
    pager, retried_notice, when,
};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::{DeadLetterRow, DeadLettersView, RetryForm};
use crate::query;

/// The inbox; the dead letter that is open stands beside it.
#[component]
pub fn DeadLettersPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query, open) = (use_project(), use_list_query(), use_open_id());
    let retried = use_query_value("retried");
    // A retry pressed in the list leads back to it, and its outcome is shown above; one pressed in
    // the open detail is told there.
    let source = move || {
        let in_list = open.get() == "dead-letters";
        let made = if in_list { retried.get() } else { None };
        (project.get(), query::with(&query.get(), "retried", made.as_deref()), retried.get())
    };
    let page = load(source, |(project, query, _)| api::dead_letters(project, query));
    let search = use_location().search;
    // What a finished action tells changes the list, too.
    // So does the page of a bulk retry: what it has sent by then is not in the list that was kept.
    let pathname = use_location().pathname;
    let job = move || pathname.get().split_once("/jobs/").map(|(_, id)| id.to_owned()).unwrap_or_default();
    let keep = move || format!("dead-letters?{}#{}", search.get(), job());
    view! {
        <Title text=locale.tab_dead_letters()/>
        <h1 class="hidden-text">{locale.tab_dead_letters()}</h1>
        <div class="split">
            <div class="list-side" data-keep=keep data-region="list">
                {Suspend::new(async move {
                    let project = project.get_untracked();
                    let path = format!("/developers/{project}/dead-letters");
                    match page.await {
                        Ok(view) => body(locale, &project, path, &query.get_untracked(), open, view).into_any(),
                        Err(error) => error_box(&error, path).into_any(),
                    }
                })}
            </div>
            <Outlet/>
        </div>
    }
    .into_any()
}

fn body(
    locale: Locale,
    project: &str,
    path: String,
    query: &str,
    open: Memo<String>,
    view: DeadLettersView,
) -> AnyView {
    let filters = query::filters(query);
    let (resolved, filtered, empty) = (view.resolved, view.filtered, view.rows.is_empty());
    let chip = |label: &'static str, on: bool, value: Option<&str>| {
        let href = query::href(&path, &query::with(&filters, "resolved", value));
        view! { <a class="chip" href=href aria-current=on.then_some("true")>{label}</a> }
    };
    let chips = view! {
        <nav class="chips" aria-label=locale.filter_status()>
            {chip(locale.inbox_open(), !resolved, None)}
            {chip(locale.inbox_resolved(), resolved, Some("true"))}
        </nav>
    };
    let on = active_filters(&path, &query::without(&filters, &["resolved"]), &view.endpoints);
    let failing = failing_banner(project, view.failing);
    let running = view.running.map(|job| jobs::running(locale, &path, &job));
    // One group is what the list itself shows.
    let grouped = (view.groups.len() > 1 || view.groups.iter().any(|group| group.changed.is_some()))
        .then(|| groups(project, &path, view.groups, view.may_retry));
    let may_select = view.may_retry && !resolved && !empty;
    let bar = may_select.then(|| action_bar(locale, project, &filters, view.matching));
    let touch = view.retried.as_ref().map(|made| made.delivery_id.clone());
    let notice = view.retried.map(|made| retried_notice(project, made));
    let page = query::href(&path, &query::list(query));
    let rows = view.rows.into_iter().map(|found| {
        let href = query::href(&format!("{path}/{}", found.id), &query::list(query));
        row(locale, project, href, page.clone(), open, found, may_select)
    });
    let rows = rows.collect_view();
    let pages = pager(&path, query, &view.pager).into_any();
    view! {
        <Problem/>
        {notice}
        <Acted project=project.to_owned() filters=filters.clone()/>
        {running}
        {failing}
        {grouped}
        <div class="filters">
            {chips}
            {endpoint_filter(locale, path.clone(), &filters, view.endpoints).into_any()}
        </div>
        {on}
        {bar}
        <div class="sheet" data-touch=touch>
            <table class="list">
                <caption>{locale.dead_letters_caption()}</caption>
                <thead>
                    <tr>
                        {may_select.then(|| view! { <th scope="col" class="c-tick"><span class="hidden-text">{locale.choose()}</span></th> })}
                        <th scope="col">{locale.col_reason()}</th>
                        <th scope="col" class="c-http wide-only">{locale.col_http()}</th>
                        <th scope="col">{locale.col_event()}</th>
                        <th scope="col" class="wide-only">{locale.col_endpoint()}</th>
                        <th scope="col" class="c-when end">{locale.col_when()}</th>
                        <th scope="col" class="c-action end wide-only">{locale.col_action()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {empty.then(|| nothing(locale, path, resolved, filtered))}
            {pages}
        </div>
        {(!empty).then(|| export_links(project, "dead-letters", &filters))}
    }
    .into_any()
}

fn row(
    locale: Locale,
    project: &str,
    href: String,
    page: String,
    open: Memo<String>,
    row: DeadLetterRow,
    may_select: bool,
) -> AnyView {
    let id = row.id.clone();
    let tick = may_select.then(|| {
        let label = format!("{} {}", locale.choose(), row.event_type);
        view! {
            <td class="c-tick"><div class="above">
                <input type="checkbox" form="selection" name="id" value=row.id.clone() aria-label=label/>
            </div></td>
        }
    });
    let action = match (row.retry_token, row.resolution) {
        (Some(token), _) => {
            let form = RetryForm { id: row.id, token };
            view! { <RetryButton project=project.to_owned() form=form page=page/> }.into_any()
        }
        (None, Some(resolution)) => view! { <span class="soft">{resolution.in_words(locale)}</span> }.into_any(),
        (None, None) => ().into_any(),
    };
    view! {
        <tr class:chosen=move || open.get() == id>
            {tick}
            <td><span class="status dead">{icon(Icon::Cross)}<span>{row.reason.in_words(locale)}</span></span></td>
            <td class="wide-only narrow-end">{answer_code(row.response_status_code, row.error_code)}</td>
            <th scope="row"><a class="row-link" href=href data-noscroll>{row.event_type}</a></th>
            <td class="soft wide-only narrow-hide" title=row.endpoint.clone()>{row.endpoint.clone()}</td>
            <td class="end soft">{when(row.at)}</td>
            <td class="end wide-only narrow-row"><div class="above">{action}</div></td>
        </tr>
    }
    .into_any()
}

fn endpoint_filter(locale: Locale, path: String, filters: &str, endpoints: Vec<(String, String)>) -> AnyView {
    let chosen = query::value(filters, "endpoint_id").unwrap_or_default();
    let kept = query::pairs(&query::without(filters, &["endpoint_id"]));
    let kept =
        kept.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> }).collect_view();
    let options = endpoints.into_iter().map(|(id, caption)| {
        let selected = id == chosen;
        view! { <option value=id selected=selected>{caption}</option> }
    });
    let options = options.collect_view();
    view! {
        <FilterForm action=path>
            {kept}
            <select
                class="select"
                name="endpoint_id"
                aria-label=locale.col_endpoint()
            >
                <option value="">{locale.any_endpoint()}</option>
                {options}
            </select>
            <button class="button no-js" type="submit">{locale.filter_apply()}</button>
        </FilterForm>
    }
    .into_any()
}

fn nothing(locale: Locale, path: String, resolved: bool, filtered: bool) -> AnyView {
    if filtered {
        return view! {
            <div class="empty">
                <h2>{locale.empty_match()}</h2>
                <a class="button" href=path>{locale.filter_clear()}</a>
            </div>
        }
        .into_any();
    }
    let text = if resolved { locale.empty_resolved() } else { locale.empty_dead_letters() };
    view! { <div class="empty"><p>{text}</p></div> }.into_any()
}
