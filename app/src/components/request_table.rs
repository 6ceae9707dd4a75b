//! Requests as rows, each a link to its trace.

use leptos::prelude::*;

use super::{code_of, when};
use crate::i18n::{Word as _, use_locale};
use crate::model::RequestRow;

/// The table; `path` is that of the log.
pub fn request_table(path: &str, caption: &'static str, rows: Vec<RequestRow>) -> AnyView {
    let locale = use_locale();
    let rows = rows.into_iter().map(|row| {
        let href = format!("{path}/{}", row.id);
        let shown = format!("{} {}", row.method, row.path);
        let text = shown.clone();
        view! {
            <tr>
                <td class="num">{code_of(row.status_code)}" "{row.error_code.map(|code| view! { <small class="soft">{code}</small> })}</td>
                <th scope="row" title=shown><a class="row-link" href=href>{text}</a></th>
                <td class="soft wide-only narrow-hide">{row.outcome.map(|outcome| outcome.in_words(locale))}</td>
                <td class="num end soft wide-only narrow-hide">{locale.took(row.duration_ms)}</td>
                <td class="end soft">{when(row.at)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <table class="list requests">
            <caption>{caption}</caption>
            <thead>
                <tr>
                    <th scope="col" class="c-answer">{locale.col_http()}</th>
                    <th scope="col">{locale.request()}</th>
                    <th scope="col" class="c-outcome wide-only">{locale.col_outcome()}</th>
                    <th scope="col" class="c-duration end wide-only">{locale.col_duration()}</th>
                    <th scope="col" class="c-when end">{locale.col_when()}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}
