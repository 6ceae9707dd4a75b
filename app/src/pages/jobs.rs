//! Sending many dead letters again: first how many, then how far it has come.

use domain::status::RetryJobStatus;
use leptos::prelude::*;

use super::{load, use_list_query, use_param, use_project};
use crate::api;
use crate::components::{DetailPanel, Icon, error_box, icon, id_text, when};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::{JobView, RetryManyView};
use crate::query;

/// What would be sent again, and the button that does it.
#[component]
pub fn RetryManyPage() -> impl IntoView {
    let (locale, project, query) = (use_locale(), use_project(), use_list_query());
    let view = load(move || (project.get(), query.get()), |(project, query)| api::retry_many(project, query));
    view! {
        <section class="panel" aria-label=locale.retry_many_title()>
            {Suspend::new(async move {
                let inbox = format!("/developers/{}/dead-letters", project.get_untracked());
                let close = query::href(&inbox, &query::filters(&query.get_untracked()));
                match view.await {
                    Ok(view) => question(locale, &inbox, close, view),
                    Err(error) => error_box(&error, close),
                }
            })}
        </section>
    }
    .into_any()
}

fn question(locale: Locale, inbox: &str, close: String, view: RetryManyView) -> AnyView {
    let title = view! { <span>{locale.retry_many_title()}</span> };
    let back = close.clone();
    let disabled = view.disabled.then(|| {
        view! { <div class="notice wait">{icon(Icon::Warning)}<p>{locale.retry_many_off()}</p></div> }
    });
    let ask = if view.count == 0 {
        view! { <p>{locale.retry_many_none()}</p> }.into_any()
    } else {
        view! {
            <section class="verdict">
                <p>{locale.retry_many_count(view.count, view.more)}</p>
                <p>{locale.retry_many_how()}</p>
            </section>
            {disabled}
            <form class="actions" method="post" action=format!("{inbox}/retry") data-swap>
                <input type="hidden" name="filters" value=view.filters/>
                <button class="button primary" type="submit" data-busy=locale.job_busy()>
                    {icon(Icon::Again)}<span>{locale.retry_many(view.count)}</span>
                </button>
                <a class="button" href=back data-noscroll>{locale.cancel()}</a>
            </form>
        }
        .into_any()
    };
    let subtitle = view.endpoint.unwrap_or_else(|| locale.any_endpoint().to_owned());
    view! { <DetailPanel close=close title=title.into_any() subtitle=subtitle.into_any()>{ask}</DetailPanel> }
        .into_any()
}

/// One bulk retry; the page keeps itself up to date while it runs.
#[component]
pub fn JobPage() -> impl IntoView {
    let (locale, project, id) = (use_locale(), use_project(), use_param("job_id"));
    let view = load(move || (project.get(), id.get()), |(project, id)| api::job(project, id));
    view! {
        <section class="panel" aria-label=locale.job_title() data-region="job">
            {Suspend::new(async move {
                let project = project.get_untracked();
                let inbox = format!("/developers/{project}/dead-letters");
                match view.await {
                    Ok(view) => progress(locale, &project, &inbox, view),
                    Err(error) => error_box(&error, inbox),
                }
            })}
        </section>
    }
    .into_any()
}

fn progress(locale: Locale, project: &str, inbox: &str, view: JobView) -> AnyView {
    let runs = matches!(view.status, RetryJobStatus::Pending | RetryJobStatus::Running);
    let (class, shape, note) = match view.status {
        RetryJobStatus::Pending | RetryJobStatus::Running => ("pending", Icon::Dots, Some(locale.job_running_note())),
        RetryJobStatus::Completed => ("delivered", Icon::Check, None),
        RetryJobStatus::Cancelled => ("cancelled", Icon::Skip, Some(locale.job_cancel_note())),
        RetryJobStatus::Failed => ("dead_lettered", Icon::Warning, Some(locale.job_failed_note())),
        RetryJobStatus::Stopped => ("dead_lettered", Icon::Warning, Some(locale.job_stopped_note())),
    };
    let class = format!("status badge {class}");
    let title = view! { <span class=class>{icon(shape)}<span>{view.status.in_words(locale)}</span></span> };
    let page = format!("{inbox}/jobs/{}", view.id);
    let cancel = view.may_cancel.then(|| {
        view! {
            <form method="post" action=format!("{page}/cancel") data-swap>
                <button class="button" type="submit">{icon(Icon::Close)}<span>{locale.job_cancel()}</span></button>
            </form>
        }
    });
    // What was left behind is no progress once the job has ended.
    let gone = if runs { view.done.saturating_add(view.failed) } else { view.done };
    let left = (view.failed > 0).then(|| view! { <p>{locale.job_left(view.failed)}</p> });
    let attempts = query::href(&format!("/developers/{project}/webhooks"), &view.attempts);
    let (inbox, close) = (inbox.to_owned(), inbox.to_owned());
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=locale.job_title().into_any()>
            <section class="verdict" role="status" data-refresh=runs.then_some("list")>
                <p>{locale.job_progress(view.done, view.total)}</p>
                {left}
                {note.map(|note| view! { <p>{note}</p> })}
            </section>
            <progress class="progress" max=view.total.max(1).to_string() value=gone.to_string() aria-label=locale.job_title()></progress>
            <div class="actions">
                {cancel}
                {runs.then(|| view! { <a class="button no-js" href=page>{locale.job_refresh()}</a> })}
                <a class="button" href=attempts>{locale.job_attempts()}</a>
                <a class="button" href=inbox>{locale.to_inbox()}</a>
            </div>
            <dl class="facts">
                <dt>"ID"</dt><dd>{id_text(view.id)}</dd>
                <dt>{locale.started()}</dt><dd>{when(view.started_at.unwrap_or(view.created_at))}</dd>
                {view.finished_at.map(|at| view! { <dt>{locale.finished()}</dt><dd>{when(at)}</dd> })}
            </dl>
        </DetailPanel>
    }
    .into_any()
}

/// Above the list, while one runs.
pub(super) fn running(locale: Locale, inbox: &str, view: &JobView) -> AnyView {
    let page = format!("{inbox}/jobs/{}", view.id);
    view! {
        <div class="notice">
            {icon(Icon::Again)}
            <p>{locale.job_banner()}" "{locale.job_progress(view.done, view.total)}". "<a href=page data-noscroll>{locale.job_open()}</a></p>
        </div>
    }
    .into_any()
}
