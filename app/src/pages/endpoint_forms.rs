//! Creating an endpoint and replacing its secret: forms that work without JavaScript.

use leptos::prelude::*;

use super::{load, use_param, use_project};
use crate::api;
use crate::components::{DetailPanel, Icon, code, error_box, icon, when};
use crate::i18n::{Locale, use_locale};
use crate::model::{NewEndpointView, RotateView, Secret};

/// Types that every project has, by what they are about.
const TYPES: [(&str, &[&str]); 4] = [
    ("contact.*", &["contact.created", "contact.updated", "contact.deleted"]),
    ("message.*", &["message.accepted"]),
    ("catalog.*", &["catalog.import.completed", "catalog.import.failed"]),
    ("scenario.*", &["scenario.created", "scenario.started"]),
];

/// The form for a new endpoint, and the secret of the one that it made.
#[component]
pub fn NewEndpointPage() -> impl IntoView {
    let (locale, project) = (use_locale(), use_project());
    let view = load(move || project.get(), api::new_endpoint);
    view! {
        <section class="panel" aria-label=locale.new_endpoint()>
            {Suspend::new(async move {
                let close = format!("/developers/{}/endpoints", project.get_untracked());
                match view.await {
                    Ok(NewEndpointView { made: Some(secret), .. }) => {
                        made(locale, close, locale.endpoint_made(), secret)
                    }
                    Ok(view) => form(locale, close, view),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}

fn form(locale: Locale, close: String, view: NewEndpointView) -> AnyView {
    let action = format!("{close}/new");
    let fresh = view.url.is_empty() && view.url_fault.is_none();
    let box_of = |word: &'static str, checked: bool, strong: bool| {
        view! {
            <label class:strong=strong>
                <input type="checkbox" name="event_types" value=word checked=checked/>
                <code>{word}</code>
            </label>
        }
    };
    let on = |word: &str| view.chosen.iter().any(|chosen| chosen == word);
    let groups = TYPES.iter().map(|(prefix, types)| {
        let types = types.iter().map(|word| box_of(word, on(word), false)).collect_view();
        view! { <div>{box_of(prefix, on(prefix), true)}{types}</div> }
    });
    let groups = groups.collect_view();
    let url_fault = view.url_fault.map(|fault| locale.url_fault(fault));
    let type_fault = view.type_fault.map(|word| locale.type_fault(&word));
    let fault = |id: &'static str, text: Option<String>| {
        text.map(|text| view! { <p class="fault" id=id role="alert">{icon(Icon::Warning)}{text}</p> })
    };
    let wrong_url = url_fault.is_some();
    let title = view! { <span>{locale.new_endpoint()}</span> };
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=locale.new_endpoint_text().into_any()>
            <form class="form" method="post" action=action>
                <div class="field">
                    <label for="url">{locale.col_url()}</label>
                    <input class="input" id="url" name="url" type="text" inputmode="url" value=view.url required autocomplete="off"
                        spellcheck="false" placeholder="https://example.com/webhooks"
                        aria-invalid=wrong_url.then_some("true") aria-describedby=wrong_url.then_some("url-fault")/>
                    {fault("url-fault", url_fault.map(str::to_owned))}
                </div>
                <fieldset class="picker">
                    <legend>{locale.which_events()}</legend>
                    {box_of("*", fresh || view.chosen.iter().any(|chosen| chosen == "*"), true)}
                    {groups}
                    <div class="field">
                        <label for="other_types">{locale.other_types()}</label>
                        <input class="input" id="other_types" name="other_types" value=view.other autocomplete="off" spellcheck="false" placeholder="payment.*, order.paid"/>
                    </div>
                    {fault("type-fault", type_fault)}
                </fieldset>
                <div class="field">
                    <label for="description">{locale.description()}</label>
                    <input class="input" id="description" name="description" value=view.description maxlength="500"/>
                    {fault("description-fault", view.long_description.then(|| locale.long_description().to_owned()))}
                </div>
                <div class="actions"><button class="button primary" type="submit">{locale.create_endpoint()}</button></div>
            </form>
        </DetailPanel>
    }
    .into_any()
}

/// Replaces a secret: first what that means, then the new one.
#[component]
pub fn RotatePage() -> impl IntoView {
    let (locale, project, id) = (use_locale(), use_project(), use_param("endpoint_id"));
    let view = load(move || (project.get(), id.get()), |(project, id)| api::rotation(project, id));
    view! {
        <section class="panel" aria-label=locale.rotate_secret()>
            {Suspend::new(async move {
                let close = format!("/developers/{}/endpoints/{}", project.get_untracked(), id.get_untracked());
                match view.await {
                    Ok(RotateView { made: Some(secret), .. }) => made(locale, close, locale.secret_made(), secret),
                    Ok(view) => question(locale, close, view),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}

fn question(locale: Locale, close: String, view: RotateView) -> AnyView {
    let action = format!("{close}/secret");
    let title = view! { <span>{locale.rotate_secret()}</span> };
    let back = close.clone();
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=view.url.into_any()>
            <p>{locale.rotation(view.overlap_hours)}</p>
            <form class="actions" method="post" action=action>
                <button class="button primary" type="submit">{locale.rotate_secret()}</button>
                <a class="button" href=back>{locale.cancel()}</a>
            </form>
        </DetailPanel>
    }
    .into_any()
}

fn made(locale: Locale, close: String, said: &'static str, made: Secret) -> AnyView {
    let base =
        close.rsplit_once("/endpoints").map_or_else(|| close.clone(), |(before, _)| format!("{before}/endpoints"));
    let endpoint = format!("{base}/{}", made.endpoint_id);
    let both = made.previous_until.map(|at| view! { <p>{locale.both_sign_until()}" "{when(at)}"."</p> });
    let title = view! { <span class="status delivered badge">{icon(Icon::Check)}<span>{said}</span></span> };
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=made.url.into_any()>
            <section class="verdict">
                <p>{locale.secret_once()}</p>
                {both}
            </section>
            <section class="fold">{code(made.secret)}</section>
            <div class="actions"><a class="button primary" href=endpoint>{locale.to_endpoint()}</a></div>
        </DetailPanel>
    }
    .into_any()
}
