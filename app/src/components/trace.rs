//! A time line: what followed from what, oldest first, each step a link to its page.

use leptos::prelude::*;

use super::{Icon, answer_code, attempt_status, delivery_status, exactly, icon, id_link, until};
use crate::i18n::{Word as _, use_locale};
use crate::model::{TraceFact, TraceStep};

/// The page of an id below a project.
pub fn page_of(project: &str, id: &str) -> Option<String> {
    let section = match id.get(..4)? {
        "att_" => "webhooks",
        "dlq_" => "dead-letters",
        "evt_" => "events",
        "dlv_" => "deliveries",
        "whe_" => "endpoints",
        "req_" => "requests",
        _ => return None,
    };
    Some(format!("/developers/{project}/{section}/{id}"))
}

/// The steps as list items, for an `<ol class="trace">`.
pub fn trace_steps(project: &str, steps: Vec<TraceStep>) -> AnyView {
    steps.into_iter().map(|step| trace_step(project, step)).collect_view().into_any()
}

fn trace_step(project: &str, step: TraceStep) -> AnyView {
    let (level, said) = said(project, step.what);
    let href = page_of(project, &step.id).unwrap_or_default();
    view! {
        <li class=level>
            {exactly(step.at)}
            <div class="said">{said}</div>
            {id_link(&step.id, href)}
        </li>
    }
    .into_any()
}

fn said(project: &str, what: TraceFact) -> (&'static str, AnyView) {
    let locale = use_locale();
    match what {
        TraceFact::Event { event_type, subject } => {
            let subject =
                subject.map(|id| view! { " · "<code class="soft" title=id.clone()>{super::id::shortened(&id)}</code> });
            (
                "of-event",
                view! { {icon(Icon::Mark)}<span>{locale.event_id()}" "<code>{event_type}</code>{subject}</span> }
                    .into_any(),
            )
        }
        TraceFact::Delivery { endpoint, trigger, status, next_at, parent } => {
            let next = next_at.map(|at| view! { <small class="soft">{locale.next_due()}" "{until(at)}</small> });
            let repeats = parent.map(|id| {
                let href = page_of(project, &id).unwrap_or_default();
                view! { <small class="soft">{locale.parent_delivery()}" "{id_link(&id, href)}</small> }
            });
            let what = view! {
                <span>{locale.delivery_id()}" → "<b>{endpoint}</b>" · "<span class="soft">{trigger.in_words(locale)}</span></span>
                {delivery_status(status, false)}
                {next}
                {repeats}
            };
            ("of-delivery", what.into_any())
        }
        TraceFact::Attempt { endpoint, number, status, code, error, duration_ms } => {
            let what = view! {
                <span>"#"{number}" → "<b>{endpoint}</b></span>
                {answer_code(code, error)}
                <small class="soft num">{duration_ms.map(|ms| locale.took(ms))}</small>
                {attempt_status(status, false)}
            };
            ("of-attempt", what.into_any())
        }
        TraceFact::DeadLetter { endpoint, reason, code, resolution, retry_delivery } => {
            let repeated = retry_delivery.map(|id| {
                let href = page_of(project, &id).unwrap_or_default();
                view! { " "{id_link(&id, href)} }
            });
            let resolved = resolution.map(|how| view! { <small class="soft">{how.in_words(locale)}{repeated}</small> });
            let what = view! {
                <span class="status dead">{icon(Icon::Cross)}<span>{locale.dead_letter_label()}</span></span>
                <span>{locale.dead_letter(reason, code)}" · "<b>{endpoint}</b></span>
                {resolved}
            };
            ("of-letter", what.into_any())
        }
    }
}
