//! Parts of the inbox: groups, what is about to join them, and what has just been done.

use leptos::prelude::*;

use super::when::at;
use super::{Icon, icon, until};
use crate::i18n::use_locale;
use crate::model::{FailingRow, GroupRow};

/// Endpoints that fail now, each with the time until which nothing is lost.
pub fn failing_banner(project: &str, rows: Vec<FailingRow>) -> AnyView {
    let locale = use_locale();
    let rows = rows.into_iter().map(|row| {
        let href = format!("/developers/{project}/webhooks?delivery_status=retrying&endpoint_id={}", row.endpoint_id);
        let waiting = locale.waiting(row.waiting);
        let back = row
            .lost_at
            .map(|at| view! { <span>{locale.back_before()}" "<b>{until(at)}</b>{locale.and_nothing_is_lost()}</span> });
        let by_hour = row.lost_by.into_iter().map(|(hour, lost)| {
            view! { <tr><td>{at(hour)}</td><td class="end">{locale.number(u64::from(lost))}</td></tr> }
        });
        let by_hour = by_hour.collect_view();
        let hours = row.lost_at.map(|_| view! {
            <details>
                <summary>{locale.lost_by_hour()}</summary>
                <table>
                    <thead><tr><th scope="col">{locale.lost_by()}</th><th scope="col" class="end">{locale.lost_count()}</th></tr></thead>
                    <tbody>{by_hour}</tbody>
                </table>
            </details>
        });
        view! {
            <div class="notice wait failing">
                {icon(Icon::Warning)}
                <div>
                    <p><b>{row.endpoint}</b>" "{locale.fails_since()}" "{at(row.since)}"."</p>
                    <p>{back}" "<a href=href>{waiting}</a></p>
                    {hours}
                </div>
            </div>
        }
    });
    rows.collect_view().into_any()
}

/// Dead letters by endpoint and cause; the whole group at a press.
pub fn groups(project: &str, path: &str, rows: Vec<GroupRow>, may_retry: bool) -> AnyView {
    let locale = use_locale();
    let rows = rows.into_iter().map(|row| {
        let href = crate::query::href(path, &row.query);
        let code = match (row.response_status_code, row.error_code) {
            (_, Some(error)) => Some(error.as_str().to_owned()),
            (Some(code), None) => Some(code.to_string()),
            (None, None) => None,
        };
        let preview = crate::query::href(&format!("/developers/{project}/dead-letters/retry"), &row.query);
        let changed = row.changed.map(|(change, secs)| {
            view! { <p class="changed">{icon(Icon::Warning)}{locale.changed_before(change, secs)}</p> }
        });
        let retry = may_retry.then(|| view! {
            <a class="button small" href=preview data-noscroll>{icon(Icon::Again)}<span>{locale.retry_many(row.count)}</span></a>
        });
        view! {
            <li>
                <div>
                    <p>
                        <a href=href><b>{row.endpoint}</b>" · "{locale.dead_letter(row.reason, None)}{code.map(|code| view! { " · "<code>{code}</code> })}</a>
                        " · "{locale.number(u64::from(row.count))}" "<span class="soft">{locale.since()}" "{at(row.since)}</span>
                    </p>
                    {changed}
                </div>
                {retry}
            </li>
        }
    });
    let rows = rows.collect_view();
    view! {
        <section class="groups">
            <h2>{locale.by_cause()}</h2>
            <ul>{rows}</ul>
        </section>
    }
    .into_any()
}
