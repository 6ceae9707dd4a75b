//! The door.

use leptos::prelude::*;
use leptos_meta::Title;

use super::use_query_value;
use crate::components::{Icon, icon, switches};
use crate::i18n::use_locale;

/// A plain form: what is typed travels in a POST only.
#[component]
pub fn SignInPage() -> impl IntoView {
    let locale = use_locale();
    let (next, problem) = (use_query_value("next"), use_query_value("problem"));
    let refusal = move || {
        let text = match problem.get()?.as_str() {
            "wrong" => locale.sign_in_failed(),
            "busy" => locale.sign_in_busy(),
            _ => locale.sign_in_unavailable(),
        };
        Some(view! { <div class="notice bad" role="alert">{icon(Icon::Warning)}<p>{text}</p></div> })
    };
    view! {
        <Title text=locale.sign_in()/>
        <div class="sign-in">
            <header>
                <span class="brand">{icon(Icon::Mark)}"BOTIX "<span>{locale.developers()}</span></span>
                <div class="bar-end">{switches(locale)}</div>
            </header>
            <main>
                <div class="card">
                    <h1>{locale.sign_in_lead()}</h1>
                    {refusal}
                    <form method="post" action="/developers/sign-in">
                        <input type="hidden" name="next" value=move || next.get().unwrap_or_default()/>
                        <div class="field">
                            <label for="email">{locale.email()}</label>
                            <input class="input" id="email" name="email" type="email" autocomplete="username" required autofocus/>
                        </div>
                        <div class="field">
                            <label for="password">{locale.password()}</label>
                            <input class="input" id="password" name="password" type="password" autocomplete="current-password" required/>
                        </div>
                        <button class="button primary" type="submit">{locale.sign_in()}</button>
                    </form>
                </div>
            </main>
        </div>
    }
    .into_any()
}
