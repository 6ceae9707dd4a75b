//! Two captures of one bin beside each other.

use leptos::prelude::*;

use super::super::{load, use_param, use_project, use_query_value};
use super::{back, use_place};
use crate::api;
use crate::components::{DetailPanel, difference, error_box, moment_text, when};
use crate::i18n::{Locale, use_locale};
use crate::model::{CaptureRow, CompareView};
use crate::query;

/// The comparison that is open beside the list.
#[component]
pub fn ComparePage() -> impl IntoView {
    let locale = use_locale();
    let (project, bin, id, place) = (use_project(), use_param("bin_id"), use_param("capture_id"), use_place());
    let with = use_query_value("with");
    let view = load(
        move || (project.get(), bin.get(), id.get(), with.get()),
        |(project, bin, id, with)| api::compare(project, bin, id, with),
    );
    view! {
        <section class="panel" aria-label=locale.compare()>
            {Suspend::new(async move {
                let base = format!("/developers/{}/inspector/{}", project.get_untracked(), bin.get_untracked());
                match view.await {
                    Ok(view) => body(locale, &base, &place.get_untracked(), view),
                    Err(error) => error_box(&error, base),
                }
            })}
        </section>
    }
    .into_any()
}

fn body(locale: Locale, base: &str, place: &str, view: CompareView) -> AnyView {
    let here = format!("{base}/{}", view.this.id);
    let named = |row: &CaptureRow, sign: &'static str| {
        let href = query::href(&format!("{base}/{}", row.id), place);
        let (method, target) = (row.method.clone(), row.target.clone());
        view! { <p><code>{sign}</code>" "<a href=href data-noscroll><code>{method}" "{target}</code></a>" · "{when(row.at)}</p> }
    };
    let chosen = view.other.as_ref().map(|(row, _)| row.id.clone());
    let options = view.others.iter().map(|other| {
        let label = format!("{} {} · {}", other.method, other.target, moment_text(other.at));
        view! { <option value=other.id.clone() selected=chosen.as_ref() == Some(&other.id)>{label}</option> }
    });
    let options = options.collect_view();
    let this = named(&view.this, "+");
    let found = view.other.map(|(other, found)| {
        view! {
            <section class="compared">
                {named(&other, "-")}
                {this}
            </section>
            <section class="verdict">
                <p>{locale.head_verdict(found.same_head())}</p>
                <p>{locale.body_verdict(found.differs_at, found.bytes)}</p>
            </section>
            <section>{difference(locale, found)}</section>
        }
    });
    let title = view! { <span>{locale.compare_title()}</span> };
    let return_link = back(query::href(&here, place), locale.back_to_capture());
    view! {
        <DetailPanel close=query::href(base, place) title=title.into_any() subtitle=locale.compare_text().into_any()>
            {return_link}
            <form class="inline-form" method="get" action=format!("{here}/compare") data-auto>
                <label for="with">{locale.compare_with()}</label>
                <select class="select" id="with" name="with">{options}</select>
                <button class="button no-js" type="submit">{locale.compare()}</button>
            </form>
            {found}
        </DetailPanel>
    }
    .into_any()
}
