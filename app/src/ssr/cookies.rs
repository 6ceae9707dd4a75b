//! Cookies, read and written by hand: three short ones.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};

/// The language, `ru` or `en`; the docs read it, too.
pub(super) const LANGUAGE: &str = domain::visitor::LANGUAGE_COOKIE;
/// The theme, `light` or `dark`; the docs read it, too.
pub(super) const THEME: &str = domain::visitor::THEME_COOKIE;
/// The viewer's time zone, as minutes east of UTC.
pub(super) const ZONE: &str = "botix_zone";
/// Whether single keys do something: `off`, or nothing.
pub(super) const KEYS: &str = "botix_keys";
/// The project that was last looked at.
pub(super) const PROJECT: &str = "botix_project";

/// The session's cookie: bound to the host and to TLS by its name where the app's URL is https.
pub(super) const fn session(secure: bool) -> &'static str {
    if secure { "__Host-botix_session" } else { "botix_session" }
}

/// The first value under `name`.
pub(super) fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .find_map(|line| domain::visitor::cookie(line, name))
}

/// `Set-Cookie`. `value` must be made of characters that a cookie may hold; `None` erases it.
pub(super) fn write(name: &str, value: Option<&str>, age: Duration, secure: bool) -> Option<HeaderValue> {
    let age = if value.is_some() { age.as_secs() } else { 0 };
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}", value.unwrap_or_default());
    HeaderValue::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others_and_not_by_a_part_of_its_name() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("xbotix_lang=de; botix_lang=ru; a=b=c"));
        assert_eq!(read(&headers, LANGUAGE), Some("ru"));
        assert_eq!(read(&headers, "a"), Some("b=c"));
        assert_eq!(read(&headers, THEME), None);
    }

    #[test]
    fn over_tls_the_session_is_bound_to_the_host() {
        assert_eq!(session(true), "__Host-botix_session");
        let cookie = write(session(true), Some("t"), Duration::from_secs(60), true).unwrap();
        let expected = "__Host-botix_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure";
        assert_eq!(cookie.to_str().unwrap(), expected);
        assert!(write("a", None, Duration::from_secs(60), false).unwrap().to_str().unwrap().contains("Max-Age=0"));
    }
}
