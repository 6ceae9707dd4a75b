//! Addresses that lead nowhere, each with a way on.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::i18n::use_locale;

/// No such page.
#[component]
pub fn LostPage() -> impl IntoView {
    let locale = use_locale();
    #[cfg(feature = "ssr")]
    if let Some(options) = use_context::<leptos_axum::ResponseOptions>() {
        options.set_status(axum::http::StatusCode::NOT_FOUND);
    }
    view! {
        <Title text=locale.not_found_title()/>
        <section class="lost">
            <h1>{locale.not_found_title()}</h1>
            <p>{locale.error_not_found()}</p>
            <p><a href="/developers" rel="external">{locale.to_attempts()}</a></p>
        </section>
    }
    .into_any()
}

/// Signed in, but in no project.
#[component]
pub fn NoProjectPage() -> impl IntoView {
    let locale = use_locale();
    view! {
        <Title text=locale.no_project_title()/>
        <main class="lost">
            <h1>{locale.no_project_title()}</h1>
            <p>{locale.no_project_text()}</p>
            <pre tabindex="0">"botix project create --name Demo\nbotix user create --email you@example.com --project prj_… --role owner"</pre>
            <form method="post" action="/developers/sign-out"><button class="button" type="submit">{locale.sign_out()}</button></form>
        </main>
    }
    .into_any()
}
