//! One capture: what came, byte for byte, and what can be done with it. All of it is text.

use leptos::prelude::*;

use super::super::{load, use_param, use_project};
use super::check::check;
use super::use_place;
use crate::api;
use crate::components::{
    DetailPanel, Icon, code, difference, error_box, exactly, fold, header_lines, icon, id_link, id_text, moment_text,
};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::{BodyView, CaptureView, Production};
use crate::query;

/// The capture that is open beside the list.
#[component]
pub fn CapturePage() -> impl IntoView {
    let locale = use_locale();
    let (project, bin, id, place) = (use_project(), use_param("bin_id"), use_param("capture_id"), use_place());
    let view = load(move || (project.get(), bin.get(), id.get()), |(project, bin, id)| api::capture(project, bin, id));
    view! {
        <section class="panel" aria-label=locale.detail()>
            {Suspend::new(async move {
                let base = format!("/developers/{}/inspector/{}", project.get_untracked(), bin.get_untracked());
                let place = place.get_untracked();
                match view.await {
                    Ok(view) => body(locale, &project.get_untracked(), &base, &place, view),
                    Err(error) => error_box(&error, query::href(&base, &place)),
                }
            })}
        </section>
    }
    .into_any()
}

fn body(locale: Locale, project: &str, base: &str, place: &str, view: CaptureView) -> AnyView {
    let here = format!("{base}/{}", view.row.id);
    let file = format!("{here}/body");
    let title = view! { <code>{view.row.method.clone()}</code><code class="target">{view.row.target.clone()}</code> };
    let answered = view.row.answered.map(|status| format!("{} {status}", locale.answered_with()));
    let subtitle = view! { {view.row.kind.in_words(locale)}{answered.map(|text| format!(" · {text}"))}" · "{exactly(view.row.at)} };
    let step = |id: Option<String>, label: &'static str| {
        id.map(|id| view! { <a class="button small" href=query::href(&format!("{base}/{id}"), place) data-noscroll>{label}</a> })
    };
    let (newer, older) = (step(view.newer.clone(), locale.newer()), step(view.older.clone(), locale.older()));
    let rehearse = view.source.as_ref().filter(|_| view.may_replay).and_then(|source| {
        let (event, endpoint) = (source.event_id?, source.endpoint_id?);
        let href = format!("{base}/rehearse?event_id={event}&endpoint_id={endpoint}");
        Some(view! { <a class="button small" href=href data-noscroll>{locale.rehearse()}</a> })
    });
    let signing = check(locale, &view.headers, view.exact.clone(), &file);
    let beside = view.production.clone().map(|found| production(locale, project, &view, found));
    let count = Some(view.headers.len().to_string());
    let asked = (!view.query.is_empty()).then(|| {
        fold(locale.query_parameters(), Some(view.query.len().to_string()), true, header_lines(view.query.clone()))
    });
    let bytes = locale.bytes(view.body.bytes);
    let bodies = bodies(locale, view.body.clone());
    let tools = tools(locale, &here, &view);
    let headers = fold(locale.headers_title(), count, true, header_lines(view.headers.clone()));
    let as_curl = fold(locale.as_curl(), None, false, code(view.curl.clone()));
    let facts = facts(locale, project, view);
    view! {
        <DetailPanel close=query::href(base, place) title=title.into_any() subtitle=subtitle.into_any()>
            <div class="actions">
                <a class="button small" href=file download="">{locale.download()}</a>
                {newer}
                {older}
                {rehearse}
            </div>
            {beside}
            <section>
                <h3>{locale.body_title()}" · "<b class="num">{bytes}</b></h3>
                {bodies}
            </section>
            <section>
                <h3>{locale.request()}</h3>
                {asked}
                {headers}
                {as_curl}
            </section>
            {signing}
            {tools}
            <section>
                <h3>{locale.facts()}</h3>
                {facts}
            </section>
        </DetailPanel>
    }
    .into_any()
}

/// The body in each of its forms; the one that reads best is open.
fn bodies(locale: Locale, body: BodyView) -> AnyView {
    if body.bytes == 0 {
        return view! { <p class="soft">{locale.empty_body()}</p> }.into_any();
    }
    let best = body.json.is_some() || !body.fields.is_empty();
    let is_text = body.text.is_some();
    let fields = (!body.fields.is_empty()).then(|| {
        let count = Some(body.fields.len().to_string());
        fold(locale.body_form(), count, true, header_lines(body.fields))
    });
    view! {
        {body.json.map(|text| fold(locale.body_json(), None, true, code(text)))}
        {fields}
        {body.text.map(|text| fold(locale.body_text(), None, !best, code(text)))}
        {fold(locale.body_hex(), None, !is_text, view! { <div class="hex">{code(body.hex)}</div> })}
        {body.cut.then(|| view! { <p class="soft small-print">{locale.body_beginning()}</p> })}
    }
    .into_any()
}

/// The copy beside what production was sent.
fn production(locale: Locale, project: &str, view: &CaptureView, found: Production) -> AnyView {
    let attempt = view.source.as_ref().and_then(|source| source.attempt_id).map(|id| {
        let href = format!("/developers/{project}/webhooks/{id}");
        view! { <p><a href=href>{locale.to_the_attempt()}</a></p> }
    });
    match found {
        Production::Gone => view! {
            <div class="notice">{icon(Icon::Dots)}<div><p>{locale.production_gone()}</p></div></div>
        }
        .into_any(),
        Production::Compared(found) => {
            let same = found.same_head() && found.differs_at.is_none();
            let (class, shape) = if same { ("notice good", Icon::Check) } else { ("notice bad", Icon::Cross) };
            let details = (!same).then(|| difference(locale, found.clone()));
            view! {
                <section>
                    <h3>{locale.beside_production()}</h3>
                    <div class=class>
                        {icon(shape)}
                        <div>
                            <p>{locale.head_verdict(found.same_head())}</p>
                            <p>{locale.body_verdict(found.differs_at, found.bytes)}</p>
                            {attempt}
                        </div>
                    </div>
                    {details}
                </section>
            }
            .into_any()
        }
    }
}

/// Comparing with another capture, and sending this one somewhere.
fn tools(locale: Locale, here: &str, view: &CaptureView) -> AnyView {
    let choices = view.others.iter().map(|other| {
        let label = format!("{} {} · {}", other.method, other.target, moment_text(other.at));
        view! { <option value=other.id.clone()>{label}</option> }
    });
    let choices = choices.collect_view();
    let compare = (!view.others.is_empty()).then(|| {
        view! {
            <form class="inline-form" method="get" action=format!("{here}/compare")>
                <label for="with">{locale.compare_with()}</label>
                <select class="select" id="with" name="with">{choices}</select>
                <button class="button" type="submit">{locale.compare()}</button>
            </form>
        }
    });
    let replay = view.may_replay.then(|| {
        view! {
            <form class="inline-form" method="post" action=format!("{here}/replay") data-swap>
                <label for="replay-url">{locale.replay_to()}</label>
                <input class="input" id="replay-url" name="url" inputmode="url" required autocomplete="off"
                    spellcheck="false" placeholder="https://example.com/webhooks"/>
                <button class="button" type="submit" data-busy=locale.retrying_now()><span>{locale.replay()}</span></button>
            </form>
        }
    });
    view! { <section class="tools">{compare}{replay}</section> }.into_any()
}

fn facts(locale: Locale, project: &str, view: CaptureView) -> AnyView {
    let at = |section: &str, id: &str| format!("/developers/{project}/{section}/{id}");
    let source = view.source.unwrap_or_default();
    let link = |label: &'static str, section: &str, id: Option<String>| {
        id.map(|id| {
            let href = at(section, &id);
            view! { <dt>{label}</dt><dd>{id_link(&id, href)}</dd> }
        })
    };
    view! {
        <dl class="facts">
            <dt>{locale.capture_id()}</dt><dd>{id_text(view.row.id)}</dd>
            <dt>{locale.captured_at()}</dt><dd>{exactly(view.row.at)}</dd>
            {view.remote_ip.map(|ip| view! { <dt>{locale.sender_ip()}</dt><dd><code>{ip}</code></dd> })}
            {view.row.answered.map(|status| view! { <dt>{locale.col_answered()}</dt><dd><code>{status}</code></dd> })}
            {source.simulated_at.map(|time| view! { <dt>{locale.simulated_at()}</dt><dd>{exactly(time.into())}</dd> })}
            {link(locale.attempt_id(), "webhooks", source.attempt_id.map(|id| id.to_string()))}
            {link(locale.delivery_id(), "deliveries", source.delivery_id.map(|id| id.to_string()))}
            {link(locale.event_id(), "events", source.event_id.map(|id| id.to_string()))}
            {link(locale.endpoint_id(), "endpoints", source.endpoint_id.map(|id| id.to_string()))}
        </dl>
    }
    .into_any()
}
