//! Which surface a request is for, where each has a host of its own (contract section 1): what the
//! inspector receives never shares an origin with a dashboard session.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, HOST, X_CONTENT_TYPE_OPTIONS};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::config::Surfaces;

/// The host names.
#[derive(Debug)]
pub(crate) struct Hosts {
    api: String,
    app: String,
    inspector: String,
    docs: String,
}

impl Hosts {
    /// `None` when one host serves everything, and then every host is the right one.
    pub(crate) fn of(surfaces: &Surfaces) -> Option<Self> {
        let [api, app, inspector, docs] = surfaces.hosts();
        surfaces.distinct_hosts().then_some(Self { api, app, inspector, docs })
    }

    /// Whether `path` is served on `host`.
    fn serves(&self, host: &str, path: &str) -> bool {
        let under =
            |prefix: &str| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if ["/healthz", "/readyz", "/metrics"].contains(&path) {
            true
        } else if under("/public") {
            host == self.api
        } else if under("/inspect") {
            host == self.inspector
        } else if under("/docs") {
            host == self.docs
        } else if under("/pkg") || path == "/favicon.svg" {
            host == self.app || host == self.docs
        } else {
            host == self.app
        }
    }

    /// What the docs' own host serves also without `/docs`.
    fn docs_path(&self, host: &str, path: &str) -> Option<String> {
        let own = host == self.docs && host != self.app;
        let rooted = !["/docs", "/pkg", "/favicon.svg", "/healthz", "/readyz", "/metrics"]
            .iter()
            .any(|prefix| path.starts_with(prefix));
        (own && rooted).then(|| format!("/docs{}", path.trim_end_matches('/')))
    }
}

/// Sends a request on the wrong host away.
pub(crate) async fn separate(State(hosts): State<Arc<Hosts>>, mut request: Request, next: Next) -> Response {
    let host = host(&request);
    let rewritten = hosts.docs_path(&host, request.uri().path()).and_then(|path| with_path(request.uri(), &path));
    if let Some(uri) = rewritten {
        *request.uri_mut() = uri;
    }
    if hosts.serves(&host, request.uri().path()) {
        next.run(request).await
    } else {
        // As the inspector answers an address that nobody has, with what contains its answers.
        let contained = [(CONTENT_SECURITY_POLICY, "sandbox"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
        (StatusCode::NOT_FOUND, contained, "not found\n").into_response()
    }
}

/// The host's name, in lower case, without a port.
fn host(request: &Request) -> String {
    let header = request.headers().get(HOST).and_then(|value| value.to_str().ok());
    let authority = request.uri().authority().map(axum::http::uri::Authority::as_str).or(header).unwrap_or_default();
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => authority,
    };
    name.trim_end_matches('.').to_ascii_lowercase()
}

fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{path}{query}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> Hosts {
        Hosts {
            api: "api.example.com".to_owned(),
            app: "app.example.com".to_owned(),
            inspector: "hook.example.com".to_owned(),
            docs: "docs.example.com".to_owned(),
        }
    }

    #[test]
    fn each_surface_answers_on_its_own_host_only() {
        for (host, path, served) in [
            ("api.example.com", "/public/v1/contacts", true),
            ("app.example.com", "/public/v1/contacts", false),
            ("hook.example.com", "/inspect/abc", true),
            ("app.example.com", "/inspect/abc", false),
            ("app.example.com", "/developers", true),
            ("hook.example.com", "/developers", false),
            ("hook.example.com", "/pkg/botix.js", false),
            ("docs.example.com", "/pkg/botix.css", true),
            ("docs.example.com", "/favicon.svg", true),
            ("hook.example.com", "/favicon.svg", false),
            ("10.0.0.7", "/developers", false),
            ("10.0.0.7", "/healthz", true),
        ] {
            assert_eq!(hosts().serves(host, path), served, "{host}{path}");
        }
    }

    #[test]
    fn the_docs_host_serves_its_pages_without_the_prefix() {
        assert_eq!(hosts().docs_path("docs.example.com", "/error-codes").as_deref(), Some("/docs/error-codes"));
        assert_eq!(hosts().docs_path("docs.example.com", "/docs/error-codes"), None);
        assert_eq!(hosts().docs_path("app.example.com", "/error-codes"), None);
    }

    #[test]
    fn a_port_and_upper_case_do_not_matter() {
        let request = |host: &str| Request::builder().header(HOST, host).body(axum::body::Body::empty()).unwrap();
        assert_eq!(host(&request("App.Example.com:8443")), "app.example.com");
        assert_eq!(host(&request("[::1]:3000")), "[::1]");
    }
}
