//! A rehearsal of the retry ladder: a real event against a bin's script, on a clock that need not wait.

use domain::model::Rehearsal;
use leptos::prelude::*;

use super::super::{load, use_param, use_project};
use super::{fault, use_place};
use crate::api;
use crate::components::{DetailPanel, answer_code, attempt_status, error_box, exactly};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::RehearseView;
use crate::pages::use_list_query;
use crate::query;

/// The form and, once played, each rung.
#[component]
pub fn RehearsePage() -> impl IntoView {
    let (locale, project) = (use_locale(), use_project());
    let (bin, query, place) = (use_param("bin_id"), use_list_query(), use_place());
    let view = load(
        move || (project.get(), bin.get(), query.get()),
        |(project, bin, query)| api::rehearsal(project, bin, query),
    );
    view! {
        <section class="panel" aria-label=locale.rehearse()>
            {Suspend::new(async move {
                let base = format!("/developers/{}/inspector/{}", project.get_untracked(), bin.get_untracked());
                match view.await {
                    Ok(view) => body(locale, &base, &place.get_untracked(), view),
                    Err(error) => error_box(&error, base),
                }
            })}
        </section>
    }
    .into_any()
}

fn body(locale: Locale, base: &str, place: &str, view: RehearseView) -> AnyView {
    let options = view.endpoints.iter().map(|(id, label)| {
        view! { <option value=id.clone() selected=*id == view.endpoint>{label.clone()}</option> }
    });
    let options = options.collect_view();
    let title = view! { <span>{locale.rehearse()}</span> };
    let (no_event, no_endpoint) = (view.no_event, view.no_endpoint);
    let action = format!("{base}/rehearse");
    let played = view.result.map(|played| result(locale, base, played));
    view! {
        <DetailPanel close=query::href(base, place) title=title.into_any() subtitle=view.bin.into_any()>
            <p class="soft">{locale.rehearse_text()}</p>
            <form class="form" method="post" action=action data-swap>
                <div class="field">
                    <label for="event_id">{locale.rehearse_event()}</label>
                    <input class="input" id="event_id" name="event_id" value=view.event required autocomplete="off" spellcheck="false"
                        placeholder="evt_…" aria-invalid=no_event.then_some("true") aria-describedby=no_event.then_some("event-fault")/>
                    {no_event.then(|| fault("event-fault".to_owned(), locale.no_such_event().to_owned()))}
                </div>
                <div class="field">
                    <label for="endpoint_id">{locale.rehearse_endpoint()}</label>
                    <select class="select" id="endpoint_id" name="endpoint_id"
                        aria-invalid=no_endpoint.then_some("true") aria-describedby=no_endpoint.then_some("endpoint-fault")>{options}</select>
                    {no_endpoint.then(|| fault("endpoint-fault".to_owned(), locale.no_such_endpoint().to_owned()))}
                </div>
                <div class="actions"><button class="button primary" type="submit">{locale.rehearse_go()}</button></div>
            </form>
            {played}
        </DetailPanel>
    }
    .into_any()
}

fn result(locale: Locale, base: &str, played: Rehearsal) -> AnyView {
    let reason = played.reason.map(|reason| format!(" · {}", reason.in_words(locale)));
    let rungs = played.rungs.into_iter().map(|rung| {
        let href = format!("{base}/{}", rung.capture_id);
        view! {
            <tr>
                <th scope="row"><a class="row-link" href=href data-noscroll>"#"{rung.attempt_number}</a></th>
                <td>{attempt_status(rung.status, false)}</td>
                <td>{answer_code(rung.response_status_code, rung.error_code)}</td>
                <td>
                    {exactly(rung.requested_at.into())}
                    {rung.by_retry_after.then(|| view! { <small class="soft">" "{locale.chosen_by_retry_after()}</small> })}
                </td>
            </tr>
        }
    });
    view! {
        <section role="status">
            <h3>{locale.rehearsed()}</h3>
            <p>{attempt_status(played.status, true)}{reason}</p>
            {played.disables_endpoint.then(|| view! { <p>{locale.would_disable()}</p> })}
            <table class="siblings rungs">
                <caption>{locale.rehearsed()}</caption>
                <tbody>{rungs.collect_view()}</tbody>
            </table>
        </section>
    }
    .into_any()
}
