//! Who reads: the language and the theme, by the query, else a cookie, else what the browser says.

use axum::extract::Request;
use axum::http::header::{
    ACCEPT_LANGUAGE, CONTENT_SECURITY_POLICY, COOKIE, HeaderName, REFERRER_POLICY, SET_COOKIE, VARY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use domain::visitor::{LANGUAGE_COOKIE, LANGUAGES, THEME_COOKIE, cookie, preferred_language};
use url::form_urlencoded;

use crate::describe::Words;

const THEMES: [&str; 3] = ["light", "auto", "dark"];
const YEAR: u32 = 365 * 86_400;
/// No script, nothing from elsewhere, nothing inline.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// The reader of a page.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// `ru` or `en`.
    pub(super) language: &'static str,
    /// `light`, `auto` or `dark`.
    pub(super) theme: &'static str,
    /// The page's path, for links to itself.
    pub(super) path: String,
    /// What was chosen on this very page, to be remembered.
    chosen: Vec<(&'static str, &'static str)>,
}

impl Reader {
    pub(super) fn of(request: &Request) -> Self {
        let query = request.uri().query().unwrap_or_default();
        let asked = |name: &str| {
            form_urlencoded::parse(query.as_bytes()).find(|(given, _)| given == name).map(|(_, value)| value)
        };
        let known = |value: &str, words: &[&'static str]| words.iter().copied().find(|word| *word == value);
        let lines = |name: HeaderName| {
            request.headers().get_all(name).iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>()
        };
        let remembered = |name: &str, words: &[&'static str]| {
            lines(COOKIE).into_iter().find_map(|line| cookie(line, name)).and_then(|value| known(value, words))
        };
        let language = asked("lang").and_then(|value| known(&value, &LANGUAGES));
        let theme = asked("theme").and_then(|value| known(&value, &THEMES));
        let chosen = [(LANGUAGE_COOKIE, language), (THEME_COOKIE, theme)];
        Self {
            chosen: chosen.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),
            language: language
                .or_else(|| remembered(LANGUAGE_COOKIE, &LANGUAGES))
                .or_else(|| lines(ACCEPT_LANGUAGE).into_iter().find_map(preferred_language))
                .unwrap_or(LANGUAGES[0]),
            theme: theme.or_else(|| remembered(THEME_COOKIE, &THEMES)).unwrap_or("auto"),
            path: request.uri().path().to_owned(),
        }
    }

    /// The text in the reader's language.
    pub(super) fn say(&self, words: Words) -> &'static str {
        self.pick(words.en, words.ru)
    }

    pub(super) fn pick(&self, en: &'static str, ru: &'static str) -> &'static str {
        if self.language == "ru" { ru } else { en }
    }

    /// The headers of every page.
    pub(super) fn seal(&self, headers: &mut HeaderMap, tls: bool) {
        for (name, value) in [
            (CONTENT_SECURITY_POLICY, POLICY),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (X_FRAME_OPTIONS, "DENY"),
            (REFERRER_POLICY, "same-origin"),
            (VARY, "cookie, accept-language"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let secure = if tls { "; Secure" } else { "" };
        for (name, value) in &self.chosen {
            let cookie = format!("{name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}");
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                headers.append(SET_COOKIE, cookie);
            }
        }
    }
}
