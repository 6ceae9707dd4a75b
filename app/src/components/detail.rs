//! The detail beside a list, and the parts that several details share.

use domain::status::Resolution;
use leptos::prelude::*;

use super::{Icon, answer_code, attempt_status, icon, id_link, until, when};
use crate::i18n::{Word as _, use_locale};
use crate::model::{AttemptRow, NextStep};
use crate::query;

/// The frame of a detail: a heading, a way to close it, a body.
#[component]
pub fn DetailPanel(
    /// Where closing leads.
    close: String,
    /// The heading, drawn.
    #[prop(into)]
    title: AnyView,
    /// Below the heading.
    #[prop(into)]
    subtitle: AnyView,
    /// The deliveries whose news are told here.
    #[prop(optional)]
    touch: String,
    /// The body.
    children: Children,
) -> impl IntoView {
    let locale = use_locale();
    view! {
        <div class="panel-head">
            <div>
                <h2>{title}</h2>
                <div class="sub">{subtitle}</div>
            </div>
            <a class="button quiet icon" href=close data-noscroll data-close aria-label=locale.close() title=locale.close()>
                {icon(Icon::Close)}
            </a>
        </div>
        <div class="panel-body" data-touch=touch>{children()}</div>
    }
    .into_any()
}

/// What happens next and when, as sentences.
pub fn next_step(project: &str, next: NextStep) -> impl IntoView + use<> {
    let locale = use_locale();
    let inbox = format!("/developers/{project}/dead-letters");
    match next {
        NextStep::Delivered => view! { <p>{locale.next_delivered()}</p> }.into_any(),
        NextStep::Running => view! { <p>{locale.next_running()}</p> }.into_any(),
        NextStep::Skipped => view! { <p>{locale.next_skipped()}</p> }.into_any(),
        NextStep::Cancelled(reason) => {
            let why = reason.map(|reason| format!(": {}", reason.in_words(locale)));
            view! { <p>{locale.next_cancelled()}{why}"."</p> }.into_any()
        }
        NextStep::Due { at, inbox_at } => view! {
            <p>{locale.next_due()}" "{until(at)}"."</p>
            {inbox_at.map(|at| view! { <p>{locale.next_inbox_at()}" "{until(at)}"."</p> })}
        }
        .into_any(),
        NextStep::Inbox { dead_letter } => {
            let href = dead_letter.map_or_else(|| inbox.clone(), |id| format!("{inbox}/{id}"));
            view! { <p>{locale.next_inbox()}" "<a href=href>{locale.open_dead_letter()}</a></p> }.into_any()
        }
        NextStep::Resolved { dead_letter, resolution, retry_delivery } => {
            let letter = format!("{inbox}/{dead_letter}");
            let repeated = retry_delivery.map(|id| {
                let href = format!("/developers/{project}/deliveries/{id}");
                view! { " "{id_link(&id, href)}"." }
            });
            let said = match resolution {
                Resolution::Retried => locale.retried_as(),
                Resolution::Dismissed => locale.next_dismissed(),
            };
            view! { <p>{said}{repeated}" "<a href=letter>{locale.open_dead_letter()}</a></p> }.into_any()
        }
    }
}

/// All attempts of one delivery, first to last. `here` is the one that is open.
pub fn siblings(project: &str, rows: Vec<AttemptRow>, here: Option<&str>, query_text: &str) -> AnyView {
    let locale = use_locale();
    if rows.is_empty() {
        return view! { <p class="soft">{locale.no_attempts_yet()}</p> }.into_any();
    }
    let rows = rows.into_iter().map(|row| {
        let href = query::href(&format!("/developers/{project}/webhooks/{}", row.id), query_text);
        let current = (here == Some(row.id.as_str())).then_some("true");
        view! {
            <tr aria-current=current>
                <th scope="row"><a class="row-link" href=href data-noscroll>"#"{row.attempt_number}</a></th>
                <td>{attempt_status(row.status, false)}</td>
                <td>{answer_code(row.response_status_code, row.error_code)}</td>
                <td class="num">{row.duration_ms.map(|ms| locale.took(ms))}</td>
                <td>{when(row.at)}</td>
            </tr>
        }
    });
    view! {
        <table class="siblings">
            <caption>{locale.siblings()}</caption>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
    .into_any()
}
