//! One dead letter: why, after which attempts, and what can be done.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::{Problem, load, use_list_query, use_param, use_project, use_query_value};
use crate::api;
use crate::components::{
    DetailPanel, Icon, RedirectButton, RetryButton, code, error_box, fold, icon, id_link, id_text, retried_notice,
    siblings, when,
};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::DeadLetterView;
use crate::query;

/// The dead letter that is open beside the inbox.
#[component]
pub fn DeadLetterPage() -> impl IntoView {
    let locale = use_locale();
    let (project, id, list) = (use_project(), use_param("dead_letter_id"), use_list_query());
    let retried = use_query_value("retried");
    let view = load(
        move || (project.get(), id.get(), retried.get()),
        |(project, id, retried)| api::dead_letter(project, id, retried),
    );
    let location = use_location();
    view! {
        <section class="panel" aria-label=locale.detail() data-region="detail">
            {Suspend::new(async move {
                let project = project.get_untracked();
                let close = query::href(&format!("/developers/{project}/dead-letters"), &list.get_untracked());
                let page = query::href(&location.pathname.get_untracked(), &list.get_untracked());
                match view.await {
                    Ok(view) => body(locale, &project, close, page, view).into_any(),
                    Err(error) => error_box(&error, close).into_any(),
                }
            })}
        </section>
    }
    .into_any()
}

fn body(locale: Locale, project: &str, close: String, page: String, view: DeadLetterView) -> AnyView {
    let at = |section: &str, id: &str| format!("/developers/{project}/{section}/{id}");
    let row = view.row;
    let title = view! {
        <span class="status dead_lettered badge">{icon(Icon::Cross)}<span>{row.reason.in_words(locale)}</span></span>
        {row.response_status_code.map(|code| view! { <code>{code}</code> })}
    };
    let subtitle = view! { <code>{row.event_type.clone()}</code>" → "{row.endpoint.clone()} };
    let explained = view.siblings.last().map(|last| locale.explanation(last.status, last.response_status_code));
    let retry = view.retry.map(|form| {
        view! {
            <div class="actions">
                <RetryButton project=project.to_owned() form=form page=page.clone() primary=true/>
                <RedirectButton project=project.to_owned() id=row.id.clone() page=page/>
            </div>
        }
    });
    let touch = view.retried.as_ref().map(|made| made.delivery_id.clone()).unwrap_or_default();
    let notice = view.retried.map(|made| retried_notice(project, made));
    let others = siblings(project, view.siblings, None, "").into_any();
    let repeated = view.retry_delivery_id.map(|id| {
        let href = at("deliveries", &id);
        view! { <dt>{locale.retried_as()}</dt><dd>{id_link(&id, href)}</dd> }
    });
    let (delivery, event, endpoint) =
        (at("deliveries", &view.delivery_id), at("events", &view.event_id), at("endpoints", &view.endpoint_id));
    let trace = format!("/developers/{project}/requests/{}", view.request_id);
    view! {
        <DetailPanel touch=touch close=close title=title.into_any() subtitle=subtitle.into_any()>
            <Problem/>
            {notice}
            <section class="verdict">
                <p>{locale.dead_letter(row.reason, row.response_status_code)}" · "{when(row.at)}</p>
                {explained.map(|text| view! { <p>{text}</p> })}
                {row.resolution.map(|resolution| view! {
                    <p>{resolution.in_words(locale)}{view.resolved_at.map(|at| view! { " · "{when(at)} })}</p>
                })}
            </section>
            {retry}
            <section>
                <h3>{locale.siblings()}</h3>
                {others}
            </section>
            {view.data.map(|data| view! { <section>{fold(locale.event_data(), None, true, code(data))}</section> })}
            <section>
                <h3>{locale.facts()}</h3>
                <dl class="facts">
                    <dt>{locale.dead_letter_label()}</dt><dd>{id_text(row.id)}</dd>
                    <dt>{locale.delivery_id()}</dt><dd>{id_link(&view.delivery_id, delivery)}</dd>
                    <dt>{locale.event_id()}</dt><dd>{id_link(&view.event_id, event)}</dd>
                    <dt>{locale.endpoint_id()}</dt><dd>{id_link(&view.endpoint_id, endpoint)}</dd>
                    <dt>{locale.request_id()}</dt><dd>{id_link(&view.request_id, trace)}</dd>
                    {repeated}
                </dl>
            </section>
        </DetailPanel>
    }
    .into_any()
}
