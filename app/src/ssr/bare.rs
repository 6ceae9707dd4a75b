//! The page for when no page can be drawn: one sentence, the request's id, a way back. Drawn without the framework,
//! which may be what has just failed.

use std::panic::AssertUnwindSafe;

use axum::extract::{Extension, Request};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use futures::FutureExt as _;

use super::visit::{Theme, Visitor};

/// A whole document that says `sentence`; ours, so that nothing in it needs escaping.
pub(super) fn page(visitor: &Visitor, status: StatusCode, sentence: &str) -> Response {
    let theme = match visitor.theme {
        Theme::Auto => String::new(),
        chosen => format!(" data-theme=\"{}\"", chosen.word()),
    };
    let Visitor { locale, request_id, .. } = visitor;
    let (code, back) = (locale.code(), locale.to_first_page());
    let document = format!(
        "<!DOCTYPE html>\n<html lang=\"{code}\"{theme}><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\
         <meta name=\"color-scheme\" content=\"light dark\"/><meta name=\"robots\" content=\"noindex\"/>\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\"/>\
         <link rel=\"stylesheet\" href=\"/pkg/botix.css\"/><title>{status} · BOTIX</title></head>\
         <body><div class=\"sign-in\"><main><div class=\"card\"><h1>{sentence}</h1><p><code>{request_id}</code></p>\
         <p><a href=\"/developers\">{back}</a></p></div></main></div></body></html>",
        status = status.as_u16(),
    );
    (status, Html(document)).into_response()
}

/// Turns a panic below into that page. What it was, and where, the panic hook has logged; here is said whose request it was.
pub(super) async fn caught(Extension(visitor): Extension<Visitor>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let ran = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    ran.unwrap_or_else(|_| {
        tracing::error!(request_id = %visitor.request_id, path, "a page panicked");
        page(&visitor, StatusCode::INTERNAL_SERVER_ERROR, visitor.locale.error_internal())
    })
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::middleware::from_fn;
    use axum::routing::get;
    use tower::ServiceExt as _;

    use super::*;
    use crate::i18n::Locale;

    #[tokio::test]
    async fn a_page_that_panics_is_answered_with_the_requests_id_in_the_readers_language() {
        async fn broken() -> String {
            std::future::ready(()).await;
            panic!("a value that has been disposed")
        }
        let visitor = Visitor { locale: Locale::Ru, request_id: "req_1".to_owned(), ..Visitor::default() };
        let routes = Router::new().route("/", get(broken)).layer(from_fn(caught)).layer(Extension(visitor));
        let answer = routes.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(answer.into_body(), 1 << 16).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains(Locale::Ru.error_internal()) && body.contains("req_1"), "{body}");
        assert!(body.contains("lang=\"ru\"") && !body.contains("disposed"), "{body}");
    }
}
