//! How an endpoint fares, and its ledger: every event that matched is in one of five places.

use domain::status::DisabledReason;
use leptos::prelude::*;

use super::{Icon, icon, when};
use crate::i18n::use_locale;
use crate::model::{HealthView, LedgerView};

/// Failures in a row, the share of success, the time of answers. `attempts` is the list of its attempts.
pub fn health(attempts: &str, view: &HealthView) -> AnyView {
    let locale = use_locale();
    let disabled = view.disabled.as_ref().map(|&(reason, at)| {
        let why = match reason {
            DisabledReason::Gone => locale.disabled_gone(),
            DisabledReason::Failing => locale.disabled_failing(),
        };
        view! {
            <div class="notice bad">
                {icon(Icon::Warning)}
                <div><p><b>{locale.disabled_by_us()}</b>" "{at.map(when)}</p><p>{why}</p></div>
            </div>
        }
    });
    let unknown = view.last_success.is_none() && view.last_failure.is_none();
    let failing = view.failing_since.map(|at| {
        let href = format!("{attempts}&status=retrying&status=dead_lettered");
        let count = locale.number(u64::from(view.failures_in_a_row));
        view! {
            <dt>{locale.failures_in_a_row()}</dt><dd><a href=href><b>{count}</b></a></dd>
            <dt>{locale.failing_since()}</dt><dd>{when(at)}</dd>
        }
    });
    let success = view.success.as_ref().map(|&(percent, delivered, of)| {
        view! { <dt>{locale.success_rate()}</dt><dd>{locale.success_of(percent, delivered, of)}</dd> }
    });
    let times = view.response_ms.map(|(half, most)| {
        let took = format!("{} / {}", locale.took(half), locale.took(most));
        view! { <dt>{locale.response_time()}</dt><dd class="num">{took}</dd> }
    });
    view! {
        {disabled}
        <section>
            <h3>{locale.health()}</h3>
            {unknown.then(|| view! { <p class="soft">{locale.no_health()}</p> })}
            <dl class="facts">
                {failing}
                {success}
                {times}
                {view.last_success.map(|at| view! { <dt>{locale.last_success()}</dt><dd>{when(at)}</dd> })}
                {view.last_failure.map(|at| view! { <dt>{locale.last_failure()}</dt><dd>{when(at)}</dd> })}
            </dl>
        </section>
    }
    .into_any()
}

/// Where the events went that matched.
pub fn ledger(attempts: &str, letters: &str, view: LedgerView) -> AnyView {
    let locale = use_locale();
    let line = |label: &'static str, count: u64, href: Option<String>| {
        let number = locale.number(count);
        let number = match href.filter(|_| count > 0) {
            Some(href) => view! { <a href=href>{number}</a> }.into_any(),
            None => number.into_any(),
        };
        view! { <tr class:soft=count == 0><th scope="row">{label}</th><td class="num end">{number}</td></tr> }
    };
    let at = |status: &str| Some(format!("{attempts}&delivery_status={status}"));
    view! {
        <section>
            <h3>{locale.ledger()}</h3>
            <table class="siblings ledger">
                <caption>{locale.ledger()}</caption>
                <tbody>
                    {line(locale.ledger_delivered(), view.delivered, at("delivered"))}
                    {line(locale.ledger_waiting(), view.waiting, at("retrying"))}
                    {line(locale.ledger_dead(), view.dead_lettered, Some(letters.to_owned()))}
                    {line(locale.ledger_skipped(), view.skipped, None)}
                    {line(locale.ledger_cancelled(), view.cancelled, None)}
                </tbody>
                <tfoot>{line(locale.ledger_matched(), view.matched, None)}</tfoot>
            </table>
            <p class="soft small-print">
                {locale.ledger_note()}
                {view.since.map(|at| view! { " "{locale.ledger_since()}" "{when(at)}"." })}
            </p>
        </section>
    }
    .into_any()
}
