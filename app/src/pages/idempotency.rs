//! Idempotency: paste a key, see what became of it.

use domain::status::IdempotencyStatus;
use leptos::prelude::*;
use leptos_meta::Title;

use super::{load, use_list_query, use_project};
use crate::api;
use crate::components::{
    DetailPanel, FilterForm, Icon, code, code_of, difference, error_box, fold, icon, id_link, id_text, pager,
    request_table, trace_steps, until, when,
};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::{ConflictView, KeyRow, KeyView, KeysView};
use crate::query;

/// The keys; the one that was asked for stands beside them.
#[component]
pub fn IdempotencyPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query) = (use_project(), use_list_query());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::idempotency(project, query));
    view! {
        <Title text=locale.tab_idempotency()/>
        <h1 class="hidden-text">{locale.tab_idempotency()}</h1>
            {Suspend::new(async move {
                let project = project.get_untracked();
                match page.await {
                    Ok(view) => body(locale, &project, &query.get_untracked(), view).into_any(),
                    Err(error) => error_box(&error, format!("/developers/{project}/idempotency")).into_any(),
                }
            })}
    }
    .into_any()
}

fn body(locale: Locale, project: &str, query_text: &str, view: KeysView) -> AnyView {
    let path = format!("/developers/{project}/idempotency");
    let asked = query::value(query_text, "key");
    let (typed, filtered) = (asked.clone().unwrap_or_default(), asked.is_some());
    let empty = view.rows.is_empty();
    let opened = view.open.as_ref().map(|open| (open.row.key.clone(), open.row.api_key_id.clone()));
    let rows = view.rows.into_iter().map(|row| key_row(locale, &path, opened.as_ref(), row));
    let rows = rows.collect_view();
    let several = filtered && opened.is_none() && !empty;
    let pages = pager(&path, query_text, &view.pager).into_any();
    view! {
        <div class="split">
            <div class="list-side">
                <div class="filters">
                    <FilterForm action=path.clone()>
                        <input class="input key-field" type="search" name="key" value=typed
                            placeholder=locale.key_hint() aria-label=locale.idempotency_key() autocomplete="off" spellcheck="false"/>
                        <button class="button primary" type="submit">{locale.search_go()}</button>
                    </FilterForm>
                    {filtered.then(|| view! { <a class="button quiet" href=path.clone()>{locale.filter_clear()}</a> })}
                </div>
                {several.then(|| view! { <p class="soft">{locale.key_of_several()}</p> })}
                <div class="sheet">
                    <table class="list">
                        <caption>{locale.keys_caption()}</caption>
                        <thead>
                            <tr>
                                <th scope="col" class="c-status">{locale.col_status()}</th>
                                <th scope="col">{locale.idempotency_key()}</th>
                                <th scope="col" class="wide-only">{locale.request()}</th>
                                <th scope="col" class="c-attempt end wide-only">{locale.replays()}</th>
                                <th scope="col" class="c-when end">{locale.col_when()}</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                    {empty.then(|| nothing(locale, asked))}
                    {pages}
                </div>
            </div>
            {view.open.map(|open| view! {
                <section class="panel" aria-label=locale.detail()>{detail(locale, project, path, open)}</section>
            })}
        </div>
    }
    .into_any()
}

fn key_row(locale: Locale, path: &str, opened: Option<&(String, String)>, row: KeyRow) -> AnyView {
    let link = query::with(&query::with("", "key", Some(&row.key)), "api_key_id", Some(&row.api_key_id));
    let chosen = opened.is_some_and(|(key, by)| *key == row.key && *by == row.api_key_id);
    let title = row.key.clone();
    view! {
        <tr class:chosen=chosen>
            <td>{key_status(locale, row.status)}</td>
            <th scope="row"><a class="row-link" href=query::href(path, &link) title=title data-noscroll>{row.key}</a></th>
            <td class="soft wide-only narrow-hide" title=row.target.clone()>{row.target.clone()}</td>
            <td class="num end wide-only narrow-hide">{locale.number(u64::from(row.replays))}</td>
            <td class="end soft">{when(row.at)}</td>
        </tr>
    }
    .into_any()
}

fn key_status(locale: Locale, status: IdempotencyStatus) -> AnyView {
    let (class, shape) = match status {
        IdempotencyStatus::InProgress => ("status pending", Icon::Dots),
        IdempotencyStatus::Done => ("status delivered", Icon::Check),
        IdempotencyStatus::Expired => ("status skipped", Icon::Skip),
    };
    view! { <span class=class>{icon(shape)}<span>{status.in_words(locale)}</span></span> }.into_any()
}

fn detail(locale: Locale, project: &str, close: String, view: KeyView) -> AnyView {
    let row = view.row;
    let log = format!("/developers/{project}/requests");
    let first = format!("{log}/{}", view.first_request_id);
    let meaning = match row.status {
        IdempotencyStatus::InProgress => locale.key_in_progress(),
        IdempotencyStatus::Done => locale.key_done(),
        IdempotencyStatus::Expired => locale.key_expired(),
    };
    let remaining = (row.status != IdempotencyStatus::Expired).then(|| {
        view! { <p>{locale.key_kept_until()}" "{until(view.expires_at)}"."</p> }
    });
    let answer = match view.answer {
        Some(text) if text.is_empty() => view! { <p class="note">{locale.empty_body()}</p> }.into_any(),
        Some(text) => fold(locale.stored_answer(), row.code.map(|code| code.to_string()), true, code(text)),
        None => view! { <p class="soft">{locale.no_stored_answer()}</p> }.into_any(),
    };
    let conflict = view.conflict.map(|conflict| last_conflict(locale, &log, conflict));
    let nothing_made = view.created.is_empty();
    let made = trace_steps(project, view.created);
    let title = view! { <span class="url">{row.key.clone()}</span> };
    view! {
        <DetailPanel close=close title=title.into_any() subtitle=key_status(locale, row.status)>
            <section class="verdict">
                <p>{meaning}</p>
                {remaining}
            </section>
            <section>
                <h3>{locale.facts()}</h3>
                <dl class="facts">
                    <dt>{locale.request()}</dt><dd><code>{row.target}</code>" "{row.code.map(code_of)}</dd>
                    <dt>{locale.first_request()}</dt><dd>{id_link(&view.first_request_id, first)}" · "{when(row.at)}</dd>
                    <dt>{locale.api_key()}</dt><dd>{id_text(row.api_key_id)}</dd>
                    <dt>{locale.fingerprint()}</dt><dd><code>{view.fingerprint}</code></dd>
                    <dt>{locale.replays()}</dt><dd class="num">{locale.number(u64::from(row.replays))}</dd>
                    <dt>{locale.conflicts()}</dt><dd class="num">{locale.number(u64::from(row.conflicts))}</dd>
                </dl>
            </section>
            {conflict}
            <section><h3>{locale.stored_answer()}</h3>{answer}</section>
            <section>
                <h3>{locale.what_it_made()}</h3>
                <ol class="trace">{made}</ol>
                {nothing_made.then(|| view! { <p class="soft">{locale.made_nothing()}</p> })}
            </section>
            <section>
                <h3>{locale.uses_of_key()}</h3>
                <div class="sheet">{request_table(&log, locale.uses_of_key(), view.uses)}</div>
            </section>
        </DetailPanel>
    }
    .into_any()
}

fn last_conflict(locale: Locale, log: &str, conflict: ConflictView) -> AnyView {
    let href = format!("{log}/{}", conflict.request_id);
    let found = match conflict.difference {
        Some(found) => view! {
            {found.body.is_empty().then(|| view! { <p>{locale.body_verdict(found.differs_at, found.bytes)}</p> })}
            {difference(locale, found)}
        }
        .into_any(),
        None => view! { <p class="note">{locale.conflict_too_long()}</p> }.into_any(),
    };
    view! {
        <section>
            <h3>{locale.last_conflict()}</h3>
            <p>{locale.conflict_text()}" "{id_link(&conflict.request_id, href)}" · "{when(conflict.at)}</p>
            {found}
        </section>
    }
    .into_any()
}

fn nothing(locale: Locale, asked: Option<String>) -> AnyView {
    match asked {
        Some(key) => view! {
            <div class="empty">
                <h2>{locale.key_unknown()}</h2>
                <p><code>{key}</code></p>
                <p>{locale.key_unknown_text()}</p>
            </div>
        }
        .into_any(),
        None => view! { <div class="empty"><h2>{locale.empty_keys()}</h2><p>{locale.empty_keys_text()}</p></div> }
            .into_any(),
    }
}
