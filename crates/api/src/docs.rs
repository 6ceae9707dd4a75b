//! The developer docs (contract section 1): pages without scripts, in Russian and English, in both
//! themes, on the house's style sheet.
//!
//! The reference is drawn from the OpenAPI document, the error codes from an exhaustive match on the
//! 16, the guides from Markdown with the very example files that the tests run.

mod changelog;
mod error_codes;
mod fields;
mod guides;
mod html;
mod page;
mod reader;
mod reference;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use crate::openapi::Served;
use crate::state::ApiState;
use page::Page;
use reader::Reader;

/// What every page is drawn from.
#[derive(Clone)]
pub(crate) struct Docs(Arc<Shelf>);

struct Shelf {
    document: Served,
    api: ApiState,
}

/// Everything under `/docs`.
pub(crate) fn router(document: Served, api: ApiState) -> Router {
    let docs = Docs(Arc::new(Shelf { document, api }));
    Router::new()
        .route("/docs", get(index))
        .route("/docs/", get(index))
        .route("/docs/api", get(api_reference))
        .route("/docs/error-codes", get(codes))
        .route("/docs/webhooks", get(webhooks))
        .route("/docs/reliability", get(reliability))
        .route("/docs/migration-1.0-1.1", get(migration))
        .route("/docs/changelog", get(changes))
        .route("/docs/changelog/rss", get(feed))
        .route("/docs/{*path}", get(lost))
        .layer(from_fn_with_state(docs.clone(), read))
        .with_state(docs)
}

/// Finds out who reads, and seals the answer.
async fn read(State(docs): State<Docs>, mut request: Request, next: Next) -> Response {
    let config = &docs.0.api.config;
    let reader = Reader::of(&request);
    request.extensions_mut().insert(reader.clone());
    let mut answer = next.run(request).await;
    reader.seal(answer.headers_mut(), config.docs_url.starts_with("https://"));
    answer
}

type Who = axum::Extension<Reader>;

fn page(reader: &Reader, content: &Page) -> Response {
    let html = [(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))];
    let fresh = [(CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    (html, fresh, content.to_html(reader)).into_response()
}

async fn index(axum::Extension(reader): Who) -> Response {
    page(&reader, &guides::index(&reader))
}

async fn api_reference(State(docs): State<Docs>, axum::Extension(reader): Who) -> Response {
    let Shelf { document, api } = &*docs.0;
    page(&reader, &reference::page(document, api.store.now(), &reader))
}

async fn codes(axum::Extension(reader): Who) -> Response {
    page(&reader, &error_codes::page(&reader))
}

async fn webhooks(State(docs): State<Docs>, axum::Extension(reader): Who) -> Response {
    page(&reader, &guides::webhooks(&docs.0.api.config, &reader))
}

async fn reliability(State(docs): State<Docs>, axum::Extension(reader): Who) -> Response {
    page(&reader, &guides::reliability(&docs.0.api.config, &reader))
}

async fn migration(State(docs): State<Docs>, axum::Extension(reader): Who) -> Response {
    page(&reader, &guides::migration(&docs.0.api.config, &reader))
}

async fn changes(axum::Extension(reader): Who) -> Response {
    page(&reader, &changelog::page(&reader))
}

async fn feed(State(docs): State<Docs>, axum::Extension(reader): Who) -> Response {
    let rss = [(CONTENT_TYPE, HeaderValue::from_static("application/rss+xml; charset=utf-8"))];
    (rss, changelog::feed(&docs.0.api.config.docs_url, &reader)).into_response()
}

async fn lost(axum::Extension(reader): Who) -> Response {
    (StatusCode::NOT_FOUND, page(&reader, &guides::lost(&reader))).into_response()
}

#[cfg(test)]
mod tests;
