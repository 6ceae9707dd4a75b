//! One request: the time line of everything that followed from it.

use leptos::prelude::*;
use leptos_meta::Title;

use super::{load, use_param, use_project};
use crate::api;
use crate::components::{Icon, code_of, error_box, exactly, icon, id_link, id_text, trace_steps, when};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::{TraceView, TracedRequest};
use crate::query;

/// The trace; an API call's, or a webhook's own side of it.
#[component]
pub fn TracePage() -> impl IntoView {
    let locale = use_locale();
    let (project, id) = (use_project(), use_param("request_id"));
    let view = load(move || (project.get(), id.get()), |(project, id)| api::trace(project, id));
    view! {
        <Title text=move || format!("{} {}", locale.request(), id.get())/>
            {Suspend::new(async move {
                let project = project.get_untracked();
                match view.await {
                    Ok(view) => body(locale, &project, view).into_any(),
                    Err(error) => view! {
                        <h1 class="hidden-text">{locale.request()}</h1>
                        {error_box(&error, format!("/developers/{project}/requests"))}
                    }
                    .into_any(),
                }
            })}
    }
    .into_any()
}

fn body(locale: Locale, project: &str, view: TraceView) -> AnyView {
    let log = format!("/developers/{project}/requests");
    let attempts = format!("/developers/{project}/webhooks?request_id={}", view.id);
    let cause = view.caused_by.map(|id| {
        let href = format!("{log}/{id}");
        view! { <p>{locale.webhook_of()}" "{id_link(&id, href)}"."</p> }
    });
    let nothing = view.steps.is_empty();
    let touch = view.steps.iter().map(|step| step.id.as_str()).collect::<Vec<_>>().join(" ");
    let facts = view.request.clone().map(|request| facts(locale, project, request));
    let first = view.request.map(|request| first_step(locale, project, request));
    view! {
        <div class="single trace-page" data-touch=touch>
            <p class="crumbs"><a href=log>{locale.tab_requests()}</a></p>
            <div class="page-head"><h1>{id_text(view.id)}</h1></div>
            {cause}
            <section>
                <h2>{locale.time_line()}</h2>
                <ol class="trace">
                    {first}
                    {trace_steps(project, view.steps)}
                </ol>
                {nothing.then(|| view! { <p class="soft">{locale.trace_empty()}</p> })}
                {view.waiting.then(|| view! { <p class="soft">{locale.trace_waiting()}</p> })}
            </section>
            {(!nothing).then(|| view! { <div class="actions"><a class="button" href=attempts>{locale.attempts_as_list()}</a></div> })}
            {facts}
        </div>
    }
    .into_any()
}

fn first_step(locale: Locale, project: &str, request: TracedRequest) -> AnyView {
    let row = request.row;
    let key = request.idempotency_key.map(|key| {
        let keys = query::with("", "key", Some(&key));
        let keys = query::with(&keys, "api_key_id", request.api_key_id.as_deref());
        let href = query::href(&format!("/developers/{project}/idempotency"), &keys);
        let first = request.first_request_id.map(|id| {
            let href = format!("/developers/{project}/requests/{id}");
            view! { <small class="soft">{locale.first_request()}" "{id_link(&id, href)}</small> }
        });
        view! {
            <li class="of-key">
                {exactly(row.at)}
                <div class="said">
                    {icon(Icon::Key)}
                    <span>{locale.idempotency_key()}" "<a href=href><code>{key}</code></a></span>
                    {row.outcome.map(|outcome| view! { <span class="soft">{outcome.in_words(locale)}</span> })}
                    {first}
                </div>
            </li>
        }
    });
    view! {
        <li class="of-request">
            {exactly(row.at)}
            <div class="said">
                {icon(Icon::Right)}
                <span><b>{row.method}</b>" "<code>{row.path}</code></span>
                {code_of(row.status_code)}
                {row.error_code.map(|code| view! { <code class="code bad">{code}</code> })}
                <small class="soft num">{locale.took(row.duration_ms)}</small>
            </div>
        </li>
        {key}
    }
    .into_any()
}

fn facts(locale: Locale, project: &str, request: TracedRequest) -> AnyView {
    let _ = project;
    view! {
        <section class="box">
            <dl class="facts">
                <dt>{locale.began()}</dt><dd>{when(request.row.at)}</dd>
                {request.api_key_id.map(|id| view! { <dt>{locale.api_key()}</dt><dd>{id_text(id)}</dd> })}
                {request.remote_ip.map(|ip| view! { <dt>{locale.sender_ip()}</dt><dd><code>{ip}</code></dd> })}
                {request.user_agent.map(|agent| view! { <dt>"User-Agent"</dt><dd><code>{agent}</code></dd> })}
            </dl>
        </section>
    }
    .into_any()
}
