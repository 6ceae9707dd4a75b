//! Whether a state-changing request comes from our own pages (design: every one checks `Origin`).

use axum::http::{HeaderMap, header};

/// `true` when the browser says that the request comes from our own origin: the configured one, or
/// the very host that was asked (an owner on loopback may write `localhost` or `127.0.0.1`).
/// A request without `Origin` is no form of a browser of today and is refused, too.
pub(super) fn is_ours(headers: &HeaderMap, app_url: &str) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if matches!(text(header::HeaderName::from_static("sec-fetch-site")), Some("cross-site" | "same-site")) {
        return false;
    }
    let Some((scheme, authority)) = text(header::ORIGIN).and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    let configured = app_url.split_once("://").map(|(s, rest)| (s, rest.split('/').next().unwrap_or_default()));
    if configured == Some((scheme, authority)) {
        return true;
    }
    let tls = app_url.starts_with("https://");
    scheme == if tls { "https" } else { "http" } && text(header::HOST) == Some(authority)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn asked(origin: Option<&'static str>, host: &'static str, site: Option<&'static str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        }
        if let Some(site) = site {
            headers.insert("sec-fetch-site", HeaderValue::from_static(site));
        }
        is_ours(&headers, "http://127.0.0.1:3000")
    }

    #[test]
    fn our_own_pages_may_change_things() {
        assert!(asked(Some("http://127.0.0.1:3000"), "127.0.0.1:3000", Some("same-origin")));
        assert!(asked(Some("http://localhost:3000"), "localhost:3000", None));
    }

    #[test]
    fn nobody_else_may() {
        assert!(!asked(Some("https://evil.example"), "127.0.0.1:3000", None));
        assert!(!asked(Some("http://127.0.0.1:3001"), "127.0.0.1:3000", None));
        assert!(!asked(Some("null"), "127.0.0.1:3000", None));
        assert!(!asked(None, "127.0.0.1:3000", None));
        assert!(!asked(Some("http://127.0.0.1:3000"), "127.0.0.1:3000", Some("cross-site")));
    }
}
