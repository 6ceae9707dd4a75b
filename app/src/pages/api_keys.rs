//! API keys: what programs call the API with.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Outlet;

use super::{Problem, load, use_list_query, use_project};
use crate::api;
use crate::components::{Icon, error_box, icon, pager, when};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::{ApiKeyRow, ApiKeysView, KeyState};

/// The list; a form stands beside it.
#[component]
pub fn ApiKeysPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query) = (use_project(), use_list_query());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::api_keys(project, query));
    view! {
        <Title text=locale.tab_api_keys()/>
        <h1 class="hidden-text">{locale.tab_api_keys()}</h1>
        <div class="split">
            <div class="list-side">
                {Suspend::new(async move {
                    let path = format!("/developers/{}/api-keys", project.get_untracked());
                    match page.await {
                        Ok(view) => list(locale, &path, &query.get_untracked(), view),
                        Err(error) => error_box(&error, path),
                    }
                })}
            </div>
            <Outlet/>
        </div>
    }
    .into_any()
}

fn list(locale: Locale, path: &str, query: &str, view: ApiKeysView) -> AnyView {
    let may_change = view.may_change;
    let empty = view.rows.is_empty().then(|| {
        view! {
            <div class="empty">
                <h2>{locale.no_api_keys()}</h2>
                <p>{locale.no_api_keys_text()}</p>
            </div>
        }
    });
    let rows = view.rows.into_iter().map(|key| row(locale, path, key, may_change)).collect_view();
    let pages = pager(path, query, &view.pager).into_any();
    let add = may_change.then(|| {
        view! {
            <div class="filters">
                <a class="button primary" href=format!("{path}/new") data-noscroll>{locale.new_key()}</a>
            </div>
        }
    });
    view! {
        <Problem/>
        {add}
        <div class="sheet">
            <table class="list keys">
                <caption>{locale.api_keys_caption()}</caption>
                <thead>
                    <tr>
                        <th scope="col" class="c-status">{locale.col_status()}</th>
                        <th scope="col">{locale.key_name()}</th>
                        <th scope="col" class="wide-only">{locale.key_scopes()}</th>
                        <th scope="col" class="c-when wide-only">{locale.created()}</th>
                        <th scope="col" class="c-when wide-only">{locale.last_used()}</th>
                        <th scope="col" class="c-when wide-only">{locale.col_expiry()}</th>
                        {may_change.then(|| view! { <th scope="col" class="c-revoke end">{locale.col_action()}</th> })}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {empty}
            {pages}
        </div>
    }
    .into_any()
}

fn row(locale: Locale, path: &str, key: ApiKeyRow, may_change: bool) -> AnyView {
    let revoke = (key.state == KeyState::Valid).then(|| {
        let label = format!("{}: {}", locale.revoke_key(), key.name);
        view! {
            <a class="button small" href=format!("{path}/{}/revoke", key.id) aria-label=label data-noscroll>{locale.revoke_key()}</a>
        }
    });
    let used = match key.last_used_at {
        Some(at) => when(at),
        None => locale.key_never_used().into_any(),
    };
    let expires = match key.expires_at {
        Some(at) => when(at),
        None => locale.expiry_never().into_any(),
    };
    let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.in_words(locale)).collect();
    view! {
        <tr>
            <td>{state(locale, key.state)}</td>
            <th scope="row"><b>{key.name}</b>" "<code class="soft">{key.hint}"…"</code></th>
            <td class="soft wide-only narrow-hide">{scopes.join(", ")}</td>
            <td class="soft wide-only narrow-hide">{when(key.created_at)}</td>
            <td class="soft wide-only narrow-hide">{used}</td>
            <td class="soft wide-only narrow-hide">{expires}</td>
            {may_change.then(|| view! { <td class="end">{revoke}</td> })}
        </tr>
    }
    .into_any()
}

fn state(locale: Locale, state: KeyState) -> AnyView {
    let (class, shape, word) = match state {
        KeyState::Valid => ("status delivered", Icon::Check, locale.key_valid()),
        KeyState::Expired => ("status skipped", Icon::Skip, locale.key_out()),
        KeyState::Revoked => ("status dead", Icon::Cross, locale.key_revoked()),
    };
    view! { <span class=class>{icon(shape)}<span>{word}</span></span> }.into_any()
}
