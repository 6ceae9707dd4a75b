//! The Retry button: a form, so that it works without JavaScript; its token makes a second press
//! harmless; its outcome is shown on the page that it leads back to.

use leptos::prelude::*;

use super::{Icon, icon};
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
    let mut action = project;
    action.insert_str(0, "/developers/");
    action.push_str("/retry");
    view! {
        <form method="post" action=action data-swap>
            <input type="hidden" name="id" value=form.id/>
            <input type="hidden" name="token" value=form.token/>
            <input type="hidden" name="page" value=page/>
            <button type="submit" class="button" class:primary=primary class:small=!primary data-busy=locale.retrying_now()>
                {icon(Icon::Again)}
                <span>{locale.retry()}</span>
            </button>
        </form>
    }
    .into_any()
}
