//! The ids and times of one attempt, each a link to what it names.

use leptos::prelude::*;

use crate::components::{id_link, id_text, when};
use crate::i18n::{Locale, Word as _};
use crate::model::AttemptView;

pub(super) fn facts(locale: Locale, project: &str, view: AttemptView) -> AnyView {
    let at = |section: &str, id: &str| format!("/developers/{project}/{section}/{id}");
    let delivery = at("deliveries", &view.row.delivery_id);
    let event = at("events", &view.event_id);
    let endpoint = at("endpoints", &view.endpoint_id);
    let trace = format!("/developers/{project}/requests/{}", view.request_id);
    view! {
        <dl class="facts">
            <dt>{locale.attempt_id()}</dt><dd>{id_text(view.row.id)}</dd>
            <dt>{locale.delivery_id()}</dt><dd>{id_link(&view.row.delivery_id, delivery)}</dd>
            <dt>{locale.event_id()}</dt><dd>{id_link(&view.event_id, event)}</dd>
            <dt>{locale.endpoint_id()}</dt><dd>{id_link(&view.endpoint_id, endpoint)}</dd>
            <dt>{locale.request_id()}</dt><dd>{id_link(&view.request_id, trace)}</dd>
            <dt>{locale.sent_to()}</dt><dd><code>{view.url}</code></dd>
            <dt>{locale.started_by()}</dt><dd>{view.trigger.in_words(locale)}</dd>
            {view.remote_ip.map(|ip| view! { <dt>{locale.remote_ip()}</dt><dd><code>{ip}</code></dd> })}
            <dt>{locale.began()}</dt><dd>{when(view.requested_at)}</dd>
            {view.responded_at.map(|at| view! { <dt>{locale.ended()}</dt><dd>{when(at)}</dd> })}
            {view.row.duration_ms.map(|ms| view! { <dt>{locale.took_label()}</dt><dd class="num">{locale.took(ms)}</dd> })}
        </dl>
    }
    .into_any()
}
