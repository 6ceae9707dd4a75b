//! The Retry button: a form, so that it works without JavaScript; its token makes a second press
//! harmless; its outcome is shown on the page that it leads back to.

use leptos::form::ActionForm;
use leptos::prelude::*;

use super::{Icon, icon};
use crate::api::Retry;
use crate::i18n::use_locale;
use crate::model::RetryForm;

/// Sends `form` and returns to `page`.
#[component]
pub fn RetryButton(
    /// The project.
    project: String,
    /// What is sent again.
    form: RetryForm,
    /// Where to return to.
    page: String,
    /// Whether this is the page's main action.
    #[prop(optional)]
    primary: bool,
) -> impl IntoView {
    let locale = use_locale();
    let action = ServerAction::<Retry>::new();
    let busy = action.pending();
    view! {
        <ActionForm action=action>
            <input type="hidden" name="project" value=project/>
            <input type="hidden" name="id" value=form.id/>
            <input type="hidden" name="token" value=form.token/>
            <input type="hidden" name="page" value=page/>
            <button type="submit" class="button" class:primary=primary class:small=!primary disabled=move || busy.get()>
                {icon(Icon::Again)}
                <span>{move || if busy.get() { locale.retrying_now() } else { locale.retry() }}</span>
            </button>
        </ActionForm>
    }
    .into_any()
}
