//! One attempt: how it ended and why, what happens next, what was sent and received.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::attempt_facts::facts;
use super::{Problem, load, use_list_query, use_param, use_project, use_query_value};
use crate::api;
use crate::components::{
    DetailPanel, RedirectButton, RetryButton, attempt_status, code, error_box, fold, header_lines, ladder, next_step,
    retried_notice, siblings,
};
use crate::i18n::{Locale, use_locale};
use crate::model::{AttemptView, Body};
use crate::query;

/// The attempt that is open beside the list.
#[component]
pub fn AttemptPage() -> impl IntoView {
    let locale = use_locale();
    let (project, id, list) = (use_project(), use_param("attempt_id"), use_list_query());
    let retried = use_query_value("retried");
    let view = load(
        move || (project.get(), id.get(), retried.get()),
        |(project, id, retried)| api::attempt(project, id, retried),
    );
    let location = use_location();
    view! {
        <section class="panel" aria-label=locale.detail() data-region="detail">
            {Suspend::new(async move {
                let project = project.get_untracked();
                let close = query::href(&format!("/developers/{project}/webhooks"), &list.get_untracked());
                let page = query::href(&location.pathname.get_untracked(), &list.get_untracked());
                match view.await {
                    Ok(view) => body(locale, project, close, page, &list.get_untracked(), view).into_any(),
                    Err(error) => error_box(&error, close).into_any(),
                }
            })}
        </section>
    }
    .into_any()
}

fn body(locale: Locale, project: String, close: String, page: String, list: &str, view: AttemptView) -> AnyView {
    let row = view.row.clone();
    let outcome = locale.outcome(row.response_status_code, row.error_code, row.duration_ms, view.remote_ip.as_deref());
    let title = view! {
        {attempt_status(row.status, true)}
        <span>{locale.attempt_of(row.attempt_number, view.rungs.max(row.attempt_number))}</span>
    };
    let subtitle = view! { <code>{row.event_type.clone()}</code>" → "{row.endpoint.clone()} };
    let notice = view.retried.clone().map(|made| retried_notice(&project, made));
    let retry = view.retry.clone().map(|form| {
        view! {
            <RetryButton project=project.clone() form=form page=page.clone() primary=true/>
            <RedirectButton project=project.clone() id=row.id.clone() page=page/>
        }
    });
    let steps = ladder(&project, view.ladder.clone(), Some(&row.id), list).into_any();
    let others = siblings(&project, view.siblings.clone(), Some(&row.id), list).into_any();
    // Its delivery goes on, or the one that Retry has made: both are told on this page.
    let touch = view.retried.iter().fold(row.delivery_id.clone(), |ids, made| format!("{ids} {}", made.delivery_id));
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=subtitle.into_any() touch=touch>
            <Problem/>
            {notice}
            <section class="verdict">
                <p>{outcome}</p>
                <p>{locale.explanation(row.status, row.response_status_code)}</p>
            </section>
            <section class="verdict">
                <h3>{locale.what_next()}</h3>
                {next_step(&project, view.next.clone())}
                {steps}
            </section>
            <div class="actions">{retry}</div>
            <section>
                <h3>{locale.siblings()}</h3>
                {others}
            </section>
            {payloads(locale, view.clone()).into_any()}
            <section>
                <h3>{locale.facts()}</h3>
                {facts(locale, &project, view)}
            </section>
        </DetailPanel>
    }
    .into_any()
}

fn payloads(locale: Locale, view: AttemptView) -> AnyView {
    let count = |headers: &Vec<(String, String)>| Some(headers.len().to_string());
    let signed = signatures(locale, &view.request_headers);
    let sent = fold(locale.request_headers(), count(&view.request_headers), false, header_lines(view.request_headers));
    let answer_headers = view
        .response_headers
        .map(|headers| fold(locale.response_headers(), count(&headers), false, header_lines(headers)));
    let cut = view.response_body_truncated;
    let answer = match view.response_body {
        Some(body) if !body.raw.is_empty() => {
            let note = cut.then(|| view! { <p class="note">{locale.body_cut()}</p> });
            view! { {body_view(locale, locale.response_body(), body, cut)}{note} }.into_any()
        }
        Some(_) => view! { <p class="soft">{locale.empty_body()}</p> }.into_any(),
        None => view! { <p class="soft">{locale.no_response()}</p> }.into_any(),
    };
    view! {
        <section>
            <h3>{locale.response()}</h3>
            {answer}
            {answer_headers}
        </section>
        <section>
            <h3>{locale.request()}</h3>
            {body_view(locale, locale.request_body(), view.request_body, false)}
            {sent}
            {signed}
            {fold(locale.as_curl(), None, false, view! { {code(view.curl)}<p class="note">{locale.curl_note()}</p> })}
        </section>
    }
    .into_any()
}

/// The body as it reads best, and beside it the bytes as they were.
fn body_view(locale: Locale, title: &'static str, body: Body, cut: bool) -> AnyView {
    let size = if cut { format!("{}+", locale.bytes(body.bytes)) } else { locale.bytes(body.bytes) };
    match body.pretty {
        Some(pretty) => view! {
            {fold(title, Some(size), true, code(pretty))}
            {fold(locale.body_raw(), None, false, code(body.raw))}
        }
        .into_any(),
        None => fold(title, Some(size), true, code(body.raw)),
    }
}

/// Both families of signature headers, with how each is checked.
fn signatures(locale: Locale, headers: &[(String, String)]) -> AnyView {
    let family = |own: bool| {
        let lines = headers.iter().filter(|(name, _)| {
            let name = name.to_ascii_lowercase();
            if own { name.starts_with("x-botix-signature") } else { name.starts_with("webhook-") }
        });
        header_lines(lines.cloned().collect())
    };
    let body = view! {
        {family(true)}
        <p class="note">{locale.signature_own()}" "<code>"openssl dgst -sha256 -hmac \"$SECRET\" body"</code></p>
        {family(false)}
        <p class="note">{locale.signature_standard()}</p>
    };
    fold(locale.signature(), None, false, body)
}
