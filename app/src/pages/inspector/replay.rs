//! Sending a capture to an address, and what came of it.

use domain::model::ReplayResult;
use leptos::prelude::*;

use super::super::{load, use_param, use_project};
use super::{back, fault, use_place};
use crate::api;
use crate::components::{DetailPanel, code, error_box, fold, header_lines};
use crate::i18n::{Locale, use_locale};
use crate::model::ReplayView;
use crate::query;

/// The form and, once sent, the answer.
#[component]
pub fn ReplayPage() -> impl IntoView {
    let (locale, project) = (use_locale(), use_project());
    let (bin, id, place) = (use_param("bin_id"), use_param("capture_id"), use_place());
    let view = load(move || project.get(), api::replay);
    view! {
        <section class="panel" aria-label=locale.replay_title()>
            {Suspend::new(async move {
                let base = format!("/developers/{}/inspector/{}", project.get_untracked(), bin.get_untracked());
                let here = format!("{base}/{}", id.get_untracked());
                match view.await {
                    Ok(view) => body(locale, &base, &here, &place.get_untracked(), view),
                    Err(error) => error_box(&error, here),
                }
            })}
        </section>
    }
    .into_any()
}

fn body(locale: Locale, base: &str, here: &str, place: &str, view: ReplayView) -> AnyView {
    let refused = view.fault.map(|found| fault("url-fault".to_owned(), locale.url_fault(found).to_owned()));
    let wrong = refused.is_some();
    let title = view! { <span>{locale.replay_title()}</span> };
    let return_link = back(query::href(here, place), locale.back_to_capture());
    let action = format!("{here}/replay");
    view! {
        <DetailPanel close=query::href(base, place) title=title.into_any() subtitle=locale.replay_text().into_any()>
            {return_link}
            <form class="form" method="post" action=action data-swap>
                <div class="field">
                    <label for="url">{locale.col_url()}</label>
                    <input class="input" id="url" name="url" value=view.url inputmode="url" required autocomplete="off"
                        spellcheck="false" placeholder="https://example.com/webhooks"
                        aria-invalid=wrong.then_some("true") aria-describedby=wrong.then_some("url-fault")/>
                    {refused}
                </div>
                <div class="actions">
                    <button class="button primary" type="submit" data-busy=locale.retrying_now()><span>{locale.replay()}</span></button>
                </div>
            </form>
            {view.result.map(|result| outcome(locale, result))}
        </DetailPanel>
    }
    .into_any()
}

fn outcome(locale: Locale, result: ReplayResult) -> AnyView {
    let said = locale.outcome(
        result.response_status_code,
        result.error_code,
        Some(result.duration_ms),
        result.remote_ip.as_deref(),
    );
    let headers = result.response_headers.map(|headers| {
        fold(locale.response_headers(), Some(headers.0.len().to_string()), false, header_lines(headers.0))
    });
    let answer = result.response_body.filter(|body| !body.is_empty());
    view! {
        <section role="status">
            <h3>{locale.response()}</h3>
            <p>{said}</p>
            {answer.map(|body| fold(locale.response_body(), None, true, code(body)))}
            {result.response_body_truncated.then(|| view! { <p class="note">{locale.body_cut()}</p> })}
            {headers}
        </section>
    }
    .into_any()
}
