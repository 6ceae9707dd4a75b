//! Events: what happened, and to whom it was told.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;

use super::{loading, use_list_query, use_open_id, use_param, use_project};
use crate::api;
use crate::components::{DetailPanel, code, delivery_status, error_box, fold, id_link, id_text, pager, when};
use crate::i18n::{Locale, use_locale};
use crate::model::{EventView, EventsView};
use crate::query;

/// The list; the event that is open stands beside it.
#[component]
pub fn EventsPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query, open) = (use_project(), use_list_query(), use_open_id());
    let page = Resource::new(move || (project.get(), query.get()), |(project, query)| api::events(project, query));
    view! {
        <Title text=locale.tab_events()/>
        <h1 class="hidden-text">{locale.tab_events()}</h1>
        <div class="split">
            <div class="list-side">
                <Transition fallback=loading>
                    {move || Suspend::new(async move {
                        let path = format!("/developers/{}/events", project.get_untracked());
                        match page.await {
                            Ok(view) => list(locale, &path, &query.get_untracked(), open, view).into_any(),
                            Err(error) => error_box(&error, path).into_any(),
                        }
                    })}
                </Transition>
            </div>
            <Outlet/>
        </div>
    }
    .into_any()
}

fn list(locale: Locale, path: &str, query: &str, open: Memo<String>, view: EventsView) -> AnyView {
    let empty = view.rows.is_empty();
    let filters = query::list(query);
    let rows = view.rows.into_iter().map(|row| {
        let href = query::href(&format!("{path}/{}", row.id), &filters);
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
    let clear = view.filtered.then(|| {
        view! { <div class="filters"><a class="button quiet" href=path.to_owned()>{locale.filter_clear()}</a></div> }
    });
    view! {
        {clear}
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
            {empty.then(|| view! { <div class="empty"><p>{locale.empty_events()}</p></div> })}
            {pager(path, query, &view.pager).into_any()}
        </div>
    }
    .into_any()
}

/// The event that is open beside the list.
#[component]
pub fn EventPage() -> impl IntoView {
    let locale = use_locale();
    let (project, id, list) = (use_project(), use_param("event_id"), use_list_query());
    let view = Resource::new(move || (project.get(), id.get()), |(project, id)| api::event(project, id));
    view! {
        <section class="panel" aria-label=locale.detail()>
            <Transition fallback=loading>
                {move || Suspend::new(async move {
                    let project = project.get_untracked();
                    let close = query::href(&format!("/developers/{project}/events"), &list.get_untracked());
                    match view.await {
                        Ok(view) => detail(locale, &project, close, view).into_any(),
                        Err(error) => error_box(&error, close).into_any(),
                    }
                })}
            </Transition>
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
