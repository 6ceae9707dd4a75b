//! The frame around a project's pages: its name, the search box, language and theme, the tabs.

use leptos::prelude::*;
use leptos_router::components::Outlet;
use leptos_router::hooks::use_location;

use super::when::zone_name;
use super::{Icon, help, icon};
use crate::api;
use crate::i18n::{Locale, use_locale};
use crate::live::InboxCount;
use crate::model::FrameView;
use crate::pages::{load, use_project};
use crate::ssr::use_visitor;

/// Everything of a project is drawn inside.
#[component]
pub fn ProjectFrame() -> impl IntoView {
    let locale = use_locale();
    let project = use_project();
    let frame = load(move || project.get(), api::frame);
    view! {
        <a class="skip" href="#content">{locale.skip_to_content()}</a>
        <header class="top" data-live=move || format!("/developers/{}/live", project.get())>
            {Suspend::new(async move {
                let found = frame.await.ok();
                let project = project.get_untracked();
                view! {
                    {bar(locale, &project, found.clone())}
                    <Tabs project=project frame=found/>
                }
            })}
        </header>
        <main class="page" id="content" data-region="page">
            <Outlet/>
        </main>
    }
    .into_any()
}

fn bar(locale: Locale, project: &str, frame: Option<FrameView>) -> AnyView {
    let switcher = frame.as_ref().map(|frame| {
        let links = frame.projects.iter().map(|other| {
            let current = (other.id == project).then_some("true");
            let href = format!("/developers/{}/webhooks", other.id);
            view! { <li><a href=href aria-current=current rel="external">{other.name.clone()}</a></li> }
        });
        view! {
            <span class="bar-slash" aria-hidden="true">"/"</span>
            <details class="menu">
                <summary aria-label=format!("{}: {}", locale.project(), frame.project)>
                    <span>{frame.project.clone()}</span>
                    {icon(Icon::Down)}
                </summary>
                <ul class="menu-list">{links.collect_view()}</ul>
            </details>
        }
    });
    let account = frame.map(|frame| {
        view! {
            <details class="menu menu-end">
                <summary aria-label=locale.account() title=locale.account()>{icon(Icon::Person)}</summary>
                <div class="menu-list">
                    <p class="menu-note">{frame.email}</p>
                    {switches(locale)}
                    {zones(locale)}
                    <form method="post" action="/developers/sign-out"><button type="submit">{locale.sign_out()}</button></form>
                </div>
            </details>
        }
    });
    view! {
        <div class="bar">
            <a class="brand" href="/developers" rel="external">{icon(Icon::Mark)}"BOTIX "<span>{locale.developers()}</span></a>
            {switcher}
            {search_box(locale, project)}
            <div class="bar-end">{help(locale)}{switches(locale)}{account}</div>
        </div>
    }
    .into_any()
}

/// One box for every id. What is pasted travels in the form's POST: it may be a whole e-mail.
fn search_box(locale: Locale, project: &str) -> AnyView {
    view! {
        <form class="search" role="search" method="post" action=format!("/developers/{project}/search")>
            {icon(Icon::Search)}
            <input
                type="search"
                name="q"
                data-search=""
                placeholder=locale.search_hint()
                aria-label=locale.search_label()
                aria-keyshortcuts="/ Control+K"
                autocomplete="off"
                spellcheck="false"
                enterkeyhint="go"
                required
            />
            <kbd aria-hidden="true">"/"</kbd>
        </form>
    }
    .into_any()
}

/// The time zone, for pages without JavaScript; with it the browser's own is shown.
fn zones(locale: Locale) -> AnyView {
    let chosen = use_visitor().zone.unwrap_or(0);
    let offered = (-12 * 60..=14 * 60).step_by(60).chain([330, 345, 570]);
    let options = offered.map(|minutes: i32| {
        let name = zone_name(Some(minutes)).trim().to_owned();
        view! { <option value=minutes.to_string() selected=minutes == chosen>{name}</option> }
    });
    let options = options.collect_view();
    view! {
        <form class="zones no-js" method="post" action="/developers/preferences">
            <select class="select" name="zone" aria-label=locale.time_zone()>{options}</select>
            <button class="button" type="submit">{locale.filter_apply()}</button>
        </form>
    }
    .into_any()
}

/// Language and theme, as forms: cookies remember them.
pub(crate) fn switches(locale: Locale) -> AnyView {
    let language = |code: &'static str, other: Locale| {
        let pressed = if other == locale { "true" } else { "false" };
        view! { <button type="submit" name="lang" value=code lang=code aria-pressed=pressed>{code}</button> }
    };
    let chosen = use_visitor().theme.word();
    let theme = |word: &'static str, shape: Icon, label: &'static str| {
        let pressed = if chosen == word { "true" } else { "false" };
        view! {
            <button type="submit" name="theme" value=word aria-label=label title=label aria-pressed=pressed>
                {icon(shape)}
            </button>
        }
    };
    view! {
        <form class="switch" method="post" action="/developers/preferences" aria-label=locale.language()>
            {language("ru", Locale::Ru)}{language("en", Locale::En)}
        </form>
        <form class="switch themes" method="post" action="/developers/preferences" aria-label=locale.theme()>
            {theme("light", Icon::Sun, locale.theme_light())}
            {theme("auto", Icon::Half, locale.theme_auto())}
            {theme("dark", Icon::Moon, locale.theme_dark())}
        </form>
    }
    .into_any()
}

#[component]
fn Tabs(project: String, frame: Option<FrameView>) -> impl IntoView {
    let locale = use_locale();
    let path = use_location().pathname;
    let (waiting, cap) = frame.map_or((0, 0), |frame| (frame.dead_letters, frame.dead_letters_cap));
    let tab = |section: &'static str, label: &'static str| {
        let base = format!("/developers/{project}/{section}");
        let href = base.clone();
        let current = move || {
            let path = path.get();
            (path == base || path.starts_with(&format!("{base}/"))).then_some("page")
        };
        let inbox = section == "dead-letters";
        view! {
            <a href=href aria-current=current data-inbox=inbox.then(|| waiting.to_string())>
                {label}{inbox.then(|| view! { <InboxCount waiting=waiting cap=cap/> })}
            </a>
        }
    };
    view! {
        <nav class="tabs" aria-label=locale.sections()>
            <ul>
                <li>{tab("webhooks", locale.tab_attempts())}</li>
                <li>{tab("dead-letters", locale.tab_dead_letters())}</li>
                <li>{tab("events", locale.tab_events())}</li>
                <li>{tab("endpoints", locale.tab_endpoints())}</li>
                <li>{tab("idempotency", locale.tab_idempotency())}</li>
                <li>{tab("requests", locale.tab_requests())}</li>
                <li>{tab("inspector", locale.tab_inspector())}</li>
                <li>{tab("api-keys", locale.tab_api_keys())}</li>
                <li>{tab("settings", locale.tab_settings())}</li>
            </ul>
        </nav>
    }
    .into_any()
}
