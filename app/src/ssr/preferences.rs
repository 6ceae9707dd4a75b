//! Language, theme, keys and time zone: cookies, set by a form, so that they work without JavaScript.

use std::time::Duration;

use axum::extract::{Form, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use super::cookies;
use super::state::AppState;
use super::visit::{Theme, zone};
use crate::i18n::Locale;

const YEAR: Duration = Duration::from_secs(365 * 86_400);

/// One of the switches.
#[derive(Deserialize)]
pub(super) struct Preferences {
    lang: Option<String>,
    theme: Option<String>,
    keys: Option<String>,
    zone: Option<String>,
}

/// Remembers the choice and returns to the page it was made on.
pub(super) async fn set(State(state): State<AppState>, headers: HeaderMap, Form(form): Form<Preferences>) -> Response {
    let mut answer = Redirect::to(&page_before(&headers)).into_response();
    let secure = state.secure();
    let language = form.lang.as_deref().and_then(Locale::from_code).map(Locale::code);
    let theme = form.theme.as_deref().map(Theme::from_word).map(Theme::word);
    let keys = form.keys.as_deref().map(|word| if word == "off" { "off" } else { "on" });
    let zone = form.zone.as_deref().and_then(zone).map(|minutes| minutes.to_string());
    let cookies = [
        (cookies::LANGUAGE, language),
        (cookies::THEME, theme),
        (cookies::KEYS, keys),
        (cookies::ZONE, zone.as_deref()),
    ];
    for (name, value) in cookies.into_iter().filter(|(_, value)| value.is_some()) {
        if let Some(cookie) = cookies::write(name, value, YEAR, secure) {
            answer.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    answer
}

/// The path and query of the page that a form was on. The origin has been checked already; only the
/// part below it is used.
pub(super) fn page_before(headers: &HeaderMap) -> String {
    let referer = headers.get(header::REFERER).and_then(|value| value.to_str().ok());
    let below =
        referer.and_then(|text| text.split_once("://")).and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    below.filter(|path| is_page(path)).unwrap_or("/developers").to_owned()
}

/// Whether this is the address of one of our pages, and of nothing else.
pub(super) fn is_page(path: &str) -> bool {
    let plain = path.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    plain
        && (path == "/developers" || path.starts_with("/developers/") || path.starts_with("/developers?"))
        && !path.contains("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_are_returned_to() {
        for good in ["/developers", "/developers/prj_1/webhooks?status=retrying"] {
            assert!(is_page(good), "{good}");
        }
        for bad in
            ["", "/", "//evil.example", "/developers//evil.example", "/developers\\x", "/inspect/x", "/developers/ x"]
        {
            assert!(!is_page(bad), "{bad}");
        }
    }
}
