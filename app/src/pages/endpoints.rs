//! Endpoints: where events are sent.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;

use super::{Problem, load, use_list_query, use_open_id, use_param, use_project};
use crate::api;
use crate::components::{DetailPanel, Icon, attempt_status, error_box, health, icon, id_text, ledger, pager, when};
use crate::i18n::{Locale, use_locale};
use crate::model::{EndpointView, EndpointsView};
use crate::query;

/// The list; the endpoint that is open stands beside it.
#[component]
pub fn EndpointsPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query, open) = (use_project(), use_list_query(), use_open_id());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::endpoints(project, query));
    view! {
        <Title text=locale.tab_endpoints()/>
        <h1 class="hidden-text">{locale.tab_endpoints()}</h1>
        <div class="split">
            <div class="list-side">
                {Suspend::new(async move {
                    let path = format!("/developers/{}/endpoints", project.get_untracked());
                    match page.await {
                        Ok(view) => list(locale, &path, &query.get_untracked(), open, view).into_any(),
                        Err(error) => error_box(&error, path).into_any(),
                    }
                })}
            </div>
            <Outlet/>
        </div>
    }
    .into_any()
}

/// In a list, what needs somebody comes before what is set.
fn state(locale: Locale, on: bool, is_failing: bool) -> AnyView {
    if !(on && is_failing) {
        return enabled(locale, on);
    }
    view! { <span class="status dead">{icon(Icon::Warning)}<span>{locale.failing()}</span></span> }.into_any()
}

fn enabled(locale: Locale, on: bool) -> AnyView {
    let (class, shape, word) = if on {
        ("status delivered", Icon::Check, locale.enabled())
    } else {
        ("status skipped", Icon::Skip, locale.disabled())
    };
    view! { <span class=class>{icon(shape)}<span>{word}</span></span> }.into_any()
}

fn list(locale: Locale, path: &str, query: &str, open: Memo<String>, view: EndpointsView) -> AnyView {
    let empty = view.rows.is_empty().then(|| {
        let example = format!(
            "curl -X POST {}/public/v1/webhooks/endpoints \\\n  -H \"Authorization: Bearer $BOTIX_API_KEY\" \\\n  \
             -H \"Idempotency-Key: $(openssl rand -hex 16)\" \\\n  -H \"Content-Type: application/json\" \\\n  \
             -d '{{\"url\": \"https://example.com/webhooks\", \"event_types\": [\"*\"]}}'",
            view.api_url
        );
        view! {
            <div class="empty">
                <h2>{locale.empty_endpoints()}</h2>
                <p>{locale.empty_endpoints_text()}</p>
                <pre tabindex="0">{example}</pre>
            </div>
        }
    });
    let rows = view.rows.into_iter().map(|row| {
        let href = query::href(&format!("{path}/{}", row.id), &query::list(query));
        let id = row.id;
        view! {
            <tr class:chosen=move || open.get() == id>
                <td>{state(locale, row.enabled, row.is_failing)}</td>
                <th scope="row"><a class="row-link" href=href data-noscroll>{row.url}</a></th>
                <td class="soft wide-only"><code>{row.event_types}</code></td>
                <td class="end soft wide-only narrow-hide">{when(row.at)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let add = view.may_change.then(|| {
        view! {
            <div class="filters">
                <a class="button primary" href=format!("{path}/new") data-noscroll>{locale.new_endpoint()}</a>
            </div>
        }
    });
    view! {
        {add}
        <div class="sheet">
            <table class="list">
                <caption>{locale.endpoints_caption()}</caption>
                <thead>
                    <tr>
                        <th scope="col" class="c-status">{locale.col_status()}</th>
                        <th scope="col">{locale.col_url()}</th>
                        <th scope="col" class="wide-only">{locale.col_event_types()}</th>
                        <th scope="col" class="c-when end wide-only">{locale.created()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {empty}
            {pager(path, query, &view.pager).into_any()}
        </div>
    }
    .into_any()
}

/// The endpoint that is open beside the list.
#[component]
pub fn EndpointPage() -> impl IntoView {
    let locale = use_locale();
    let (project, id, list) = (use_project(), use_param("endpoint_id"), use_list_query());
    let view = load(move || (project.get(), id.get()), |(project, id)| api::endpoint(project, id));
    view! {
        <section class="panel" aria-label=locale.detail()>
            {Suspend::new(async move {
                let project = project.get_untracked();
                let close = query::href(&format!("/developers/{project}/endpoints"), &list.get_untracked());
                match view.await {
                    Ok(view) => detail(locale, &project, close, view).into_any(),
                    Err(error) => error_box(&error, close).into_any(),
                }
            })}
        </section>
    }
    .into_any()
}

fn detail(locale: Locale, project: &str, close: String, view: EndpointView) -> AnyView {
    let attempts = format!("/developers/{project}/webhooks?endpoint_id={}", view.id);
    let letters = format!("/developers/{project}/dead-letters?endpoint_id={}", view.id);
    let title = view! { <span class="url">{view.url}</span> };
    let here = format!("/developers/{project}/endpoints/{}", view.id);
    let manage = view.may_change.then(|| manage(locale, &here, view.enabled));
    let counts: Vec<_> = view.last_day.into_iter().filter(|(_, count)| *count > 0).collect();
    let quiet = counts.is_empty();
    let counts = counts.into_iter().map(|(status, count)| {
        let href = format!("{attempts}&status={status}");
        view! { <li>{attempt_status(status, false)}" "<a href=href>{locale.number(u64::from(count))}</a></li> }
    });
    let counts = counts.collect_view();
    let both = view.previous_until.map(|at| view! { <dt>{locale.both_sign_until()}</dt><dd>{when(at)}</dd> });
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=enabled(locale, view.enabled).into_any()>
            <Problem/>
            {health(&attempts, &view.health)}
            <section>
                <h3>{locale.last_day()}</h3>
                <ul class="counts">{counts}</ul>
                {quiet.then(|| view! { <p class="soft">{locale.quiet_day()}</p> })}
            </section>
            {ledger(&attempts, &letters, view.ledger)}
            <div class="actions">
                <a class="button" href=attempts>{locale.show_attempts()}</a>
                <a class="button" href=letters>{locale.tab_dead_letters()}</a>
            </div>
            <section>
                <h3>{locale.facts()}</h3>
                <dl class="facts">
                    <dt>{locale.endpoint_id()}</dt><dd>{id_text(view.id)}</dd>
                    <dt>{locale.col_event_types()}</dt><dd><code>{view.event_types}</code></dd>
                    {view.description.map(|text| view! { <dt>{locale.description()}</dt><dd>{text}</dd> })}
                    {view.secret_rotated_at.map(|at| view! { <dt>{locale.secret_rotated()}</dt><dd>{when(at)}</dd> })}
                    {both}
                    <dt>{locale.created()}</dt><dd>{when(view.created_at)}</dd>
                    <dt>{locale.updated()}</dt><dd>{when(view.updated_at)}</dd>
                </dl>
            </section>
            {manage}
        </DetailPanel>
    }
    .into_any()
}

fn manage(locale: Locale, here: &str, enabled: bool) -> AnyView {
    let (word, label) = if enabled { ("false", locale.disable_endpoint()) } else { ("true", locale.enable_endpoint()) };
    view! {
        <section>
            <div class="actions">
                <form method="post" action=format!("{here}/test")>
                    <button class="button" type="submit">{locale.send_test()}</button>
                </form>
                <a class="button" href=format!("{here}/secret")>{locale.rotate_secret()}</a>
                <form method="post" action=format!("{here}/enabled")>
                    <input type="hidden" name="enabled" value=word/>
                    <button class="button" type="submit">{label}</button>
                </form>
            </div>
            {enabled.then(|| view! { <p class="soft small-print">{locale.disable_note()}</p> })}
        </section>
    }
    .into_any()
}
