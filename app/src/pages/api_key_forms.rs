//! Making an API key and revoking one: forms that work without JavaScript.

use domain::status::Scope;
use leptos::prelude::*;

use super::{load, use_param, use_project};
use crate::api;
use crate::components::{DetailPanel, Icon, code, error_box, icon};
use crate::i18n::{Locale, use_locale};
use crate::model::{ApiKeyRow, NewKeyView};

/// The form for a new key, and the key that it made.
#[component]
pub fn NewKeyPage() -> impl IntoView {
    let (locale, project) = (use_locale(), use_project());
    let view = load(move || project.get(), api::new_key);
    view! {
        <section class="panel" aria-label=locale.new_key()>
            {Suspend::new(async move {
                let close = format!("/developers/{}/api-keys", project.get_untracked());
                match view.await {
                    Ok(NewKeyView { made: Some(key), name, .. }) => made(locale, close, name, key),
                    Ok(view) => form(locale, close, view),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}

fn form(locale: Locale, close: String, view: NewKeyView) -> AnyView {
    let action = format!("{close}/new");
    let title = view! { <span>{locale.new_key()}</span> };
    let fault = |id: &'static str, on: bool, text: &'static str| {
        on.then(|| view! { <p class="fault" id=id role="alert">{icon(Icon::Warning)}{text}</p> })
    };
    let name_fault = view.name_fault;
    let scope = |scope: Scope, label: &'static str| {
        view! {
            <label><input type="checkbox" name="scopes" value=scope.as_str() checked=view.scopes.contains(&scope)/>{label}</label>
        }
    };
    let scopes = [scope(Scope::Read, locale.scope_read()), scope(Scope::Write, locale.scope_write())];
    let terms = [
        ("", locale.expiry_never()),
        ("30", locale.expiry_month()),
        ("90", locale.expiry_quarter()),
        ("365", locale.expiry_year()),
    ];
    let chosen = view.days.map(|days| days.to_string()).unwrap_or_default();
    let terms = terms.map(|(days, label)| {
        let selected = chosen == days;
        view! { <option value=days selected=selected>{label}</option> }
    });
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=locale.new_key_text().into_any()>
            <form class="form" method="post" action=action>
                <div class="field">
                    <label for="name">{locale.key_name()}</label>
                    <input class="input" id="name" name="name" value=view.name required maxlength="80" autocomplete="off"
                        placeholder=locale.key_name_hint()
                        aria-invalid=name_fault.then_some("true") aria-describedby=name_fault.then_some("name-fault")/>
                    {fault("name-fault", name_fault, locale.error_name())}
                </div>
                <fieldset class="picker">
                    <legend>{locale.key_scopes()}</legend>
                    {scopes.collect_view()}
                    {fault("scopes-fault", view.scopes_fault, locale.scopes_none())}
                </fieldset>
                <div class="field">
                    <label for="days">{locale.key_expiry()}</label>
                    <select class="select" id="days" name="days">{terms.collect_view()}</select>
                </div>
                <div class="actions"><button class="button primary" type="submit">{locale.create_key()}</button></div>
            </form>
        </DetailPanel>
    }
    .into_any()
}

fn made(locale: Locale, close: String, name: String, key: String) -> AnyView {
    let list = close.clone();
    let title =
        view! { <span class="status delivered badge">{icon(Icon::Check)}<span>{locale.key_made()}</span></span> };
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=name.into_any()>
            <section class="verdict"><p>{locale.key_once()}</p></section>
            <section class="fold">{code(key)}</section>
            <div class="actions"><a class="button primary" href=list>{locale.to_keys()}</a></div>
        </DetailPanel>
    }
    .into_any()
}

/// Asks before a key is revoked.
#[component]
pub fn RevokeKeyPage() -> impl IntoView {
    let (locale, project, id) = (use_locale(), use_project(), use_param("key_id"));
    let view = load(move || (project.get(), id.get()), |(project, id)| api::api_key(project, id));
    view! {
        <section class="panel" aria-label=locale.revoke_key()>
            {Suspend::new(async move {
                let close = format!("/developers/{}/api-keys", project.get_untracked());
                match view.await {
                    Ok(key) => question(locale, close, key),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}

fn question(locale: Locale, close: String, key: ApiKeyRow) -> AnyView {
    let action = format!("{close}/{}/revoke", key.id);
    let back = close.clone();
    let title = view! { <span>{locale.revoke_key()}": "{key.name}</span> };
    let hint = view! { <code>{key.hint}"…"</code> };
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=hint.into_any()>
            <p>{locale.revoke_text()}</p>
            <form class="actions" method="post" action=action data-swap>
                <button class="button primary" type="submit"><span>{locale.revoke_now()}</span></button>
                <a class="button" href=back data-noscroll>{locale.cancel()}</a>
            </form>
        </DetailPanel>
    }
    .into_any()
}
