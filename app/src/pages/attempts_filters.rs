//! The filters of the attempts. All of them live in the address, under the API's names.

use domain::status::{AttemptError, AttemptStatus, DeliveryStatus};
use leptos::prelude::*;

use crate::components::{FilterForm, attempt_status};
use crate::i18n::{Word as _, use_locale};
use crate::live::Line;
use crate::query;

/// Event types that every project has; others can be typed.
pub(super) const KNOWN_TYPES: [&str; 9] = [
    "contact.created",
    "contact.updated",
    "contact.deleted",
    "message.accepted",
    "catalog.import.completed",
    "catalog.import.failed",
    "scenario.created",
    "scenario.started",
    "webhook.test",
];
const CODES: [&str; 10] = ["2xx", "3xx", "4xx", "5xx", "401", "404", "410", "429", "500", "503"];

/// One link for each status: several can be on, each press adds or takes away one.
pub(super) fn status_chips(path: &str, query_text: &str) -> AnyView {
    let locale = use_locale();
    let filters = query::filters(query_text);
    let chosen = query::value(&filters, "status").unwrap_or_default();
    let all = query::href(path, &query::with(&filters, "status", None));
    let chips = AttemptStatus::ALL.iter().map(|status| {
        let word = status.as_str();
        let href = query::href(path, &query::toggled(&filters, "status", word));
        let current = chosen.split(',').any(|on| on == word).then_some("true");
        view! { <a class=format!("chip {word}") href=href aria-current=current data-noscroll>{attempt_status(*status, false)}</a> }
    });
    view! {
        <nav class="chips" aria-label=locale.filter_status()>
            <a class="chip" href=all aria-current=chosen.is_empty().then_some("true") data-noscroll>{locale.filter_all()}</a>
            {chips.collect_view()}
        </nav>
    }
    .into_any()
}

/// The other filters, as a form: with JavaScript a choice applies at once.
#[component]
pub fn Filters(
    /// The list's path.
    path: String,
    /// The page's query.
    query: String,
    /// The endpoints to choose from: id and caption.
    endpoints: Vec<(String, String)>,
    /// Whether new attempts arrive by themselves.
    live: bool,
) -> impl IntoView {
    let locale = use_locale();
    let filters = query::filters(&query);
    drop(query);
    let value = |name: &str| query::value(&filters, name).unwrap_or_default();
    let (endpoint, event_type, code) = (value("endpoint_id"), value("event_type"), value("response_status_code"));
    let (error, now) = (value("error_code"), value("delivery_status"));
    let shown = ["endpoint_id", "event_type", "response_status_code", "error_code", "delivery_status"];
    let kept = query::pairs(&query::without(&filters, &shown));
    let kept =
        kept.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> }).collect_view();
    let options = endpoints.into_iter().map(|(id, caption)| {
        let selected = id == endpoint;
        view! { <option value=id selected=selected>{caption}</option> }
    });
    let options = options.collect_view();
    let codes = CODES.iter().map(|word| view! { <option value=*word></option> }).collect_view();
    let errors = AttemptError::ALL.iter().map(|word| (word.as_str(), word.as_str()));
    let errors = choice(errors, &error);
    let nows = DeliveryStatus::ALL.iter().map(|word| (word.as_str(), word.in_words(locale)));
    let nows = choice(nows, &now);
    let types = KNOWN_TYPES.iter().map(|word| view! { <option value=*word></option> }).collect_view();
    view! {
        <FilterForm action=path>
            {kept}
            <select class="select" name="endpoint_id" aria-label=locale.col_endpoint()>
                <option value="">{locale.any_endpoint()}</option>
                {options}
            </select>
            <input
                class="input small"
                name="event_type"
                list="event-types"
                value=event_type
                placeholder=locale.any_event()
                aria-label=locale.col_event()
                autocomplete="off"
                spellcheck="false"
            />
            <datalist id="event-types">{types}</datalist>
            <input
                class="input small code-field"
                name="response_status_code"
                list="status-codes"
                value=code
                placeholder=locale.http_hint()
                aria-label=locale.col_http()
                autocomplete="off"
                spellcheck="false"
            />
            <datalist id="status-codes">{codes}</datalist>
            <select class="select" name="error_code" aria-label=locale.any_error()>
                <option value="">{locale.any_error()}</option>
                {errors}
            </select>
            <select class="select" name="delivery_status" aria-label=locale.delivery_now()>
                <option value="">{locale.any_now()}</option>
                {nows}
            </select>
            <button class="button no-js" type="submit">{locale.filter_apply()}</button>
        </FilterForm>
        {live.then(|| view! { <div class="filters-end"><Line/></div> })}
    }
    .into_any()
}

/// Options of a closed vocabulary; a list of several words, as a link may hold it, stays as it is.
fn choice(words: impl Iterator<Item = (&'static str, &'static str)>, chosen: &str) -> AnyView {
    let several =
        chosen.contains(',').then(|| view! { <option value=chosen.to_owned() selected>{chosen.to_owned()}</option> });
    let words = words.map(|(word, said)| view! { <option value=word selected=word == chosen>{said}</option> });
    view! { {words.collect_view()}{several} }.into_any()
}
