//! «Redirect to webhook.botix.pro»: a form that makes a copy in the inspector and opens it.

use leptos::prelude::*;

use crate::i18n::use_locale;

/// Copies `id`; `page` is where a refusal is told.
#[component]
pub fn RedirectButton(
    /// The project.
    project: String,
    /// `att_…`, `dlv_…` or `dlq_…`
    id: String,
    /// The page that it stands on.
    page: String,
) -> impl IntoView {
    let locale = use_locale();
    let mut action = project;
    action.insert_str(0, "/developers/");
    action.push_str("/redirect");
    view! {
        <form method="post" action=action data-swap>
            <input type="hidden" name="id" value=id/>
            <input type="hidden" name="page" value=page/>
            <button type="submit" class="button" title=locale.redirect_note() data-busy=locale.redirecting()>
                <span>{locale.redirect()}</span>
            </button>
        </form>
    }
    .into_any()
}
