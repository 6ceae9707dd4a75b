//! Making, changing and deleting a bin: forms whose buttons work without JavaScript.

use domain::script::MAX_STEPS;
use leptos::prelude::*;

use super::super::{load, use_param, use_project};
use super::{fault, use_place};
use crate::api;
use crate::components::{DetailPanel, error_box};
use crate::i18n::{Locale, use_locale};
use crate::model::{BinForm, StepForm};
use crate::query;

/// The form for a new bin.
#[component]
pub fn NewBinPage() -> impl IntoView {
    let (locale, project) = (use_locale(), use_project());
    let view = load(move || project.get(), |project| api::bin_form(project, None));
    view! {
        <section class="panel" aria-label=locale.new_bin()>
            {Suspend::new(async move {
                let close = format!("/developers/{}/inspector", project.get_untracked());
                let action = format!("{close}/new");
                match view.await {
                    Ok(form) => drawn(locale, close, action, locale.new_bin(), locale.create_bin(), form),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}

/// The form of a bin.
#[component]
pub fn EditBinPage() -> impl IntoView {
    let (locale, project, bin, place) = (use_locale(), use_project(), use_param("bin_id"), use_place());
    let view = load(move || (project.get(), bin.get()), |(project, bin)| api::bin_form(project, Some(bin)));
    view! {
        <section class="panel" aria-label=locale.edit_bin()>
            {Suspend::new(async move {
                let path = format!("/developers/{}/inspector/{}", project.get_untracked(), bin.get_untracked());
                let action = format!("{path}/edit");
                let close = query::href(&path, &place.get_untracked());
                match view.await {
                    Ok(form) => drawn(locale, close, action, locale.edit_bin(), locale.save(), form),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}

fn drawn(
    locale: Locale,
    close: String,
    action: String,
    title: &'static str,
    save: &'static str,
    form: BinForm,
) -> AnyView {
    let many = form.steps.len();
    let faults = form.steps.iter().any(|step| !step.faults.is_empty());
    let steps = form.steps.into_iter().enumerate().map(|(index, form)| step(locale, index, many, form)).collect_view();
    let preset = |word: &'static str, label: &'static str| {
        view! { <button class="button small" type="submit" name="do" value=format!("preset:{word}")>{label}</button> }
    };
    let bad = form.bad_name;
    view! {
        <DetailPanel close=close.clone() title=view! { <span>{title}</span> }.into_any() subtitle=locale.bin_form_text().into_any()>
            <form class="form" method="post" action=action data-swap novalidate>
                // What Enter presses.
                <button type="submit" name="do" value="save" hidden></button>
                <div class="field">
                    <label for="name">{locale.bin_name()}</label>
                    <input class="input" id="name" name="name" value=form.name maxlength="100" autocomplete="off"
                        aria-invalid=bad.then_some("true") aria-describedby=bad.then_some("name-fault")/>
                    {bad.then(|| fault("name-fault".to_owned(), locale.bad_bin_name().to_owned()))}
                </div>
                <fieldset class="presets">
                    <legend>{locale.presets()}</legend>
                    <div class="actions">
                        {preset("fine", "200")}
                        {preset("recovers", "503, 503, 429 Retry-After, 200")}
                        {preset("down", "503")}
                        {preset("refuses", "401")}
                        {preset("slow", locale.preset_slow())}
                    </div>
                </fieldset>
                <ol class="steps">{steps}</ol>
                {faults.then(|| view! { <p class="soft small-print">{locale.not_saved()}</p> })}
                <div class="actions">
                    <button class="button primary" type="submit" name="do" value="save">{save}</button>
                    {(many < MAX_STEPS).then(|| view! {
                        <button class="button" type="submit" name="do" value="add">{locale.add_step()}</button>
                    })}
                    <a class="button quiet" href=close data-noscroll>{locale.cancel()}</a>
                </div>
            </form>
        </DetailPanel>
    }
    .into_any()
}

fn step(locale: Locale, index: usize, many: usize, form: StepForm) -> AnyView {
    let id = |name: &str| format!("{name}-{index}");
    let faults = id("faults");
    let wrong = !form.faults.is_empty();
    let described = wrong.then(|| faults.clone());
    let said: Vec<String> = form.faults.iter().map(|found| locale.script_fault(found)).collect();
    let last = index + 1 == many && many > 1;
    // A line break at the beginning of a text area is not part of it.
    let text = |text: String| format!("\n{text}");
    view! {
        <li>
            <div class="picker" role="group" aria-label=locale.step_number(index + 1)>
                <div class="step-head">
                    <b>{locale.step_number(index + 1)}</b>
                    {last.then(|| view! { <span class="soft">{locale.last_repeats()}</span> })}
                    {(many > 1).then(|| view! {
                        <button class="button small quiet" type="submit" name="do" value=format!("remove:{index}")
                            aria-label=locale.remove_step(index + 1)>{locale.remove()}</button>
                    })}
                </div>
                <div class="step-line">
                    <div class="field">
                        <label for=id("status")>{locale.step_status()}</label>
                        <input class="input" id=id("status") name="status" value=form.status inputmode="numeric" autocomplete="off"
                            aria-describedby=described.clone()/>
                    </div>
                    <div class="field">
                        <label for=id("delay")>{locale.step_delay()}</label>
                        <input class="input" id=id("delay") name="delay" value=form.delay inputmode="numeric" autocomplete="off"
                            placeholder="0" aria-describedby=described.clone()/>
                    </div>
                </div>
                <div class="field">
                    <label for=id("headers")>{locale.step_headers()}</label>
                    <textarea class="input" id=id("headers") name="headers" rows="2" spellcheck="false" placeholder="Retry-After: 2"
                        aria-describedby=described.clone()>{text(form.headers)}</textarea>
                </div>
                <div class="field">
                    <label for=id("body")>{locale.step_body()}</label>
                    <textarea class="input" id=id("body") name="body" rows="2" spellcheck="false"
                        aria-describedby=described>{text(form.body)}</textarea>
                </div>
                {wrong.then(|| view! { <div id=faults>{said.into_iter().enumerate().map(|(n, text)| fault(format!("fault-{index}-{n}"), text)).collect_view()}</div> })}
            </div>
        </li>
    }
    .into_any()
}

/// Deleting a bin: first what goes with it.
#[component]
pub fn DeleteBinPage() -> impl IntoView {
    let (locale, project, bin, place) = (use_locale(), use_project(), use_param("bin_id"), use_place());
    let view = load(move || (project.get(), bin.get()), |(project, bin)| api::bin_form(project, Some(bin)));
    view! {
        <section class="panel" aria-label=locale.delete_bin()>
            {Suspend::new(async move {
                let path = format!("/developers/{}/inspector/{}", project.get_untracked(), bin.get_untracked());
                let close = query::href(&path, &place.get_untracked());
                match view.await {
                    Ok(form) => view! {
                        <DetailPanel close=close.clone() title=view! { <span>{locale.delete_bin()}</span> }.into_any() subtitle=form.name.into_any()>
                            <p>{locale.delete_bin_text()}</p>
                            <form class="actions" method="post" action=format!("{path}/delete")>
                                <button class="button primary" type="submit">{locale.delete_for_good()}</button>
                                <a class="button" href=close data-noscroll>{locale.cancel()}</a>
                            </form>
                        </DetailPanel>
                    }
                    .into_any(),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}
