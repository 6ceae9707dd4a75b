//! Events: what happened, and to whom it was told.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;

use super::attempts_filters::KNOWN_TYPES;
use super::{load, use_list_query, use_open_id, use_param, use_project};
use crate::api;
use crate::components::{
    DetailPanel, FilterForm, active_filters, code, delivery_status, error_box, export_links, fold, id_link, id_text,
    pager, when,
};
use crate::i18n::{Locale, use_locale};
use crate::model::{EventView, EventsView};
use crate::query;

/// The list; the event that is open stands beside it.
#[component]
pub fn EventsPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query, open) = (use_project(), use_list_query(), use_open_id());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::events(project, query));
    view! {
        <Title text=locale.tab_events()/>
        <h1 class="hidden-text">{locale.tab_events()}</h1>
        <div class="split">
            <div class="list-side">
                {Suspend::new(async move {
                    let path = format!("/developers/{}/events", project.get_untracked());
                    match page.await {
                        Ok(view) => list(locale, &project.get_untracked(), &query.get_untracked(), open, view).into_any(),
                        Err(error) => error_box(&error, path).into_any(),
                    }
                })}
            </div>
            <Outlet/>
        </div>
    }
    .into_any()
}

fn list(locale: Locale, project: &str, query: &str, open: Memo<String>, view: EventsView) -> AnyView {
    let path = &format!("/developers/{project}/events");
    let empty = view.rows.is_empty();
    let (filters, kept) = (query::filters(query), query::list(query));
    let rows = view.rows.into_iter().map(|row| {
        let href = query::href(&format!("{path}/{}", row.id), &kept);
        let id = row.id.clone();
        view! {
            <tr class:chosen=move || open.get() == id>
                <th scope="row"><a class="row-link" href=href data-noscroll>{row.event_type}</a></th>
                <td class="soft wide-only narrow-hide"><code>{row.id}</code></td>
                <td class="end soft">{when(row.at)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let exported = (!empty).then(|| export_links(project, "events", &filters));
    view! {
        <div class="filters">{form(locale, path.to_owned(), &filters, view.ranges)}</div>
        {active_filters(path, &filters, &[])}
        <div class="sheet">
            <table class="list">
                <caption>{locale.events_caption()}</caption>
                <thead>
                    <tr>
                        <th scope="col">{locale.col_event()}</th>
                        <th scope="col" class="wide-only">"id"</th>
                        <th scope="col" class="c-when end">{locale.col_when()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {empty.then(|| nothing(locale, path.to_owned(), !filters.is_empty()))}
            {pager(path, query, &view.pager).into_any()}
        </div>
        {exported}
    }
    .into_any()
}

fn form(locale: Locale, path: String, filters: &str, ranges: Vec<(u32, String)>) -> AnyView {
    let value = |name: &str| query::value(filters, name).unwrap_or_default();
    let (event_type, after) = (value("type"), value("created_after"));
    let types = KNOWN_TYPES.iter().map(|word| view! { <option value=*word></option> }).collect_view();
    let ranges = ranges.into_iter().map(|(hours, start)| {
        let selected = start == after;
        view! { <option value=start selected=selected>{locale.hours(hours)}</option> }
    });
    let ranges = ranges.collect_view();
    view! {
        <FilterForm action=path>
            <input class="input small" name="type" list="event-types" value=event_type placeholder=locale.any_event()
                aria-label=locale.col_event() autocomplete="off" spellcheck="false"/>
            <datalist id="event-types">{types}</datalist>
            <select class="select" name="created_after" aria-label=locale.range()>{ranges}</select>
            <button class="button no-js" type="submit">{locale.filter_apply()}</button>
        </FilterForm>
    }
    .into_any()
}

fn nothing(locale: Locale, path: String, filtered: bool) -> AnyView {
    if !filtered {
        return view! { <div class="empty"><p>{locale.empty_events()}</p></div> }.into_any();
    }
    view! {
        <div class="empty">
            <h2>{locale.empty_match()}</h2>
            <p>{locale.empty_match_text()}</p>
            <a class="button" href=path>{locale.filter_clear()}</a>
        </div>
    }
    .into_any()
}

/// The event that is open beside the list.
#[component]
pub fn EventPage() -> impl IntoView {
    let locale = use_locale();
    let (project, id, list) = (use_project(), use_param("event_id"), use_list_query());
    let view = load(move || (project.get(), id.get()), |(project, id)| api::event(project, id));
    view! {
        <section class="panel" aria-label=locale.detail()>
            {Suspend::new(async move {
                let project = project.get_untracked();
                let close = query::href(&format!("/developers/{project}/events"), &list.get_untracked());
                match view.await {
                    Ok(view) => detail(locale, &project, close, view).into_any(),
                    Err(error) => error_box(&error, close).into_any(),
                }
            })}
        </section>
    }
    .into_any()
}

fn detail(locale: Locale, project: &str, close: String, view: EventView) -> AnyView {
    let none = view.deliveries.is_empty();
    let rows = view.deliveries.into_iter().map(|row| {
        let href = format!("/developers/{project}/deliveries/{}", row.id);
        view! {
            <tr>
                <th scope="row"><a class="row-link" href=href>{row.endpoint}</a></th>
                <td>{delivery_status(row.status, false)}</td>
                <td class="num">{locale.attempts(u64::from(row.attempts_count))}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let deliveries = if none {
        view! { <p class="soft">{locale.no_deliveries()}</p> }.into_any()
    } else {
        view! { <table class="siblings"><caption>{locale.deliveries()}</caption><tbody>{rows}</tbody></table> }
            .into_any()
    };
    let attempts = format!("/developers/{project}/webhooks?event_id={}", view.id);
    let cause = view.request_id.map(|id| {
        let href = format!("/developers/{project}/requests/{id}");
        view! { <dt>{locale.request_id()}</dt><dd>{id_link(&id, href)}</dd> }
    });
    let title = view! { <code>{view.event_type}</code> };
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=when(view.at).into_any()>
            <section><h3>{locale.deliveries()}</h3>{deliveries}</section>
            <div class="actions"><a class="button" href=attempts>{locale.show_event_attempts()}</a></div>
            <section>{fold(locale.event_data(), None, true, code(view.data))}</section>
            <section>
                <h3>{locale.facts()}</h3>
                <dl class="facts"><dt>{locale.event_id()}</dt><dd>{id_text(view.id)}</dd>{cause}</dl>
            </section>
        </DetailPanel>
    }
    .into_any()
}
