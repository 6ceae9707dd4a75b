//! One delivery, on a page of its own: search and «sent again as» lead here.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use super::{Problem, load, use_param, use_project, use_query_value};
use crate::api;
use crate::components::{
    RedirectButton, RetryButton, delivery_status, error_box, id_link, id_text, ladder, next_step, retried_notice,
    siblings, when,
};
use crate::i18n::{Locale, use_locale};
use crate::model::DeliveryView;

/// Where it stands, what comes next, what was tried.
#[component]
pub fn DeliveryPage() -> impl IntoView {
    let locale = use_locale();
    let (project, id, retried) = (use_project(), use_param("delivery_id"), use_query_value("retried"));
    let view = load(
        move || (project.get(), id.get(), retried.get()),
        |(project, id, retried)| api::delivery(project, id, retried),
    );
    let path = use_location().pathname;
    view! {
        <Title text=locale.delivery_id()/>
            {Suspend::new(async move {
                let project = project.get_untracked();
                match view.await {
                    Ok(view) => body(locale, &project, path.get_untracked(), view).into_any(),
                    Err(error) => error_box(&error, format!("/developers/{project}/webhooks")).into_any(),
                }
            })}
    }
    .into_any()
}

fn body(locale: Locale, project: &str, page: String, view: DeliveryView) -> AnyView {
    let at = |section: &str, id: &str| format!("/developers/{project}/{section}/{id}");
    let retry = view.retry.map(|form| {
        view! {
            <div class="actions">
                <RetryButton project=project.to_owned() form=form page=page.clone()/>
                <RedirectButton project=project.to_owned() id=view.id.clone() page=page/>
            </div>
        }
    });
    // This one goes on, or the one that Retry has made.
    let touch = view.retried.iter().fold(view.id.clone(), |ids, made| format!("{ids} {}", made.delivery_id));
    let notice = view.retried.map(|made| retried_notice(project, made));
    let parent = view.parent_delivery_id.map(|id| {
        let href = at("deliveries", &id);
        view! { <dt>{locale.parent_delivery()}</dt><dd>{id_link(&id, href)}</dd> }
    });
    let (event, endpoint) = (at("events", &view.event_id), at("endpoints", &view.endpoint_id));
    let trace = format!("/developers/{project}/requests/{}", view.request_id);
    let steps = ladder(project, view.ladder, None, "").into_any();
    let made = siblings(project, view.attempts, None, "").into_any();
    view! {
        <div class="single" data-touch=touch>
            <div class="page-head">
                <h1><code>{view.event_type}</code>" → "{view.endpoint}</h1>
                {delivery_status(view.status, true)}
            </div>
            <Problem/>
            {notice}
            <div class="box">
                <section class="verdict">
                    <h2>{locale.what_next()}</h2>
                    {next_step(project, view.next)}
                    {steps}
                </section>
                {retry}
            </div>
            <section>
                <h2>{locale.siblings()}</h2>
                {made}
            </section>
            <div class="box">
                <dl class="facts">
                    <dt>{locale.delivery_id()}</dt><dd>{id_text(view.id)}</dd>
                    <dt>{locale.event_id()}</dt><dd>{id_link(&view.event_id, event)}</dd>
                    <dt>{locale.endpoint_id()}</dt><dd>{id_link(&view.endpoint_id, endpoint)}</dd>
                    <dt>{locale.request_id()}</dt><dd>{id_link(&view.request_id, trace)}</dd>
                    {parent}
                    <dt>{locale.created()}</dt><dd>{when(view.created_at)}</dd>
                </dl>
            </div>
        </div>
    }
    .into_any()
}
