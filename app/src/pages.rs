//! The pages, one for each address of contract section 9.

pub mod api_key_forms;
pub mod api_keys;
pub mod attempt;
pub mod attempt_facts;
pub mod attempts;
pub mod attempts_filters;
pub mod dead_letter;
pub mod dead_letters;
pub mod dead_letters_actions;
pub mod delivery;
pub mod endpoint_forms;
pub mod endpoints;
pub mod events;
pub mod idempotency;
pub mod inspector;
pub mod jobs;
pub mod lost;
pub mod requests;
pub mod search;
pub mod settings;
pub mod settings_audit;
pub mod sign_in;
pub mod trace;

pub use api_key_forms::{NewKeyPage, RevokeKeyPage};
pub use api_keys::ApiKeysPage;
pub use attempt::AttemptPage;
pub use attempts::AttemptsPage;
pub use dead_letter::DeadLetterPage;
pub use dead_letters::DeadLettersPage;
pub use delivery::DeliveryPage;
pub use endpoint_forms::{NewEndpointPage, RotatePage};
pub use endpoints::{EndpointPage, EndpointsPage};
pub use events::{EventPage, EventsPage};
pub use idempotency::IdempotencyPage;
pub use jobs::{JobPage, RetryManyPage};
pub use lost::{LostPage, NoProjectPage};
pub use requests::RequestsPage;
pub use search::SearchPage;
pub use settings::SettingsPage;
pub use sign_in::SignInPage;
pub use trace::TracePage;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};

use crate::query;

/// The project of the page's address.
pub fn use_project() -> Memo<String> {
    use_param("project_id")
}

/// A part of the page's address.
fn use_param(name: &'static str) -> Memo<String> {
    let params = use_params_map();
    Memo::new(move |_| params.read().get(name).unwrap_or_default())
}

/// The page's query as far as its list depends on it.
fn use_list_query() -> Memo<String> {
    let search = use_location().search;
    Memo::new(move |_| query::list(&search.get()))
}

/// One parameter of the page's query.
fn use_query_value(name: &'static str) -> Memo<Option<String>> {
    let search = use_location().search;
    Memo::new(move |_| query::value(&search.get(), name))
}

/// The last part of the page's path: what is open beside the list.
fn use_open_id() -> Memo<String> {
    let path = use_location().pathname;
    Memo::new(move |_| path.get().rsplit('/').next().unwrap_or_default().to_owned())
}

/// What a page is drawn from. Pages are drawn on the server alone, once and in one go: nothing has to be looked up anew
/// when its address changes, nor shown while it is not there yet, so none of the machinery for that is set going.
pub(crate) fn load<S, F: Future>(address: impl FnOnce() -> S, look_up: impl FnOnce(S) -> F) -> F {
    look_up(untrack(address))
}

/// The reason why a form that led here was refused.
#[component]
fn Problem() -> impl IntoView {
    let locale = crate::i18n::use_locale();
    let problem = use_query_value("problem");
    move || {
        problem.get().map(|word| {
            let error = crate::error::UiError::from_word(&word);
            view! {
                <div class="notice bad" role="alert">
                    {crate::components::icon(crate::components::Icon::Warning)}
                    <p>{error.message(locale)}</p>
                </div>
            }
        })
    }
}
