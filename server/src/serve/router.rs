//! One router out of the surfaces: the API, the dashboard, and the files of the site.

use std::sync::Arc;
use std::time::Duration;

use api::{ApiConfig, ApiState};
use app::ssr::{AppState, SignInGate};
use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{Redirect, Response};
use axum::routing::get;
use domain::address::AddressGuard;
use leptos::config::LeptosOptions;
use store::Store;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::{RequestBodyTimeoutLayer, TimeoutBody, TimeoutLayer};

use super::hosts::{self, Hosts};
use super::{access_log, assets};
use crate::config::{Config, Surfaces};
use crate::failure::Failure;

/// A page that is not drawn by then is not worth waiting for.
const DOCUMENT: Duration = Duration::from_secs(30);
/// Between two pieces of a request's body.
const BODY_PAUSE: Duration = Duration::from_secs(30);

/// What the engine is set up with.
pub(crate) fn engine_config(config: &Config) -> delivery::Config {
    delivery::Config {
        guard: guard(config),
        extra_roots: config.extra_roots.clone(),
        connect_timeout: config.connect_timeout,
        read_timeout: config.read_timeout,
        ..delivery::Config::default()
    }
}

fn guard(config: &Config) -> AddressGuard {
    AddressGuard::allowing(config.allowed_private_networks.clone())
}

/// What the API is set up with.
pub(crate) fn api_config(config: &Config, surfaces: &Surfaces) -> ApiConfig {
    ApiConfig {
        idempotency_ttl: config.idempotency_ttl,
        idempotency_lease: config.idempotency_lease,
        rate_limit: config.rate_limit,
        offset_sunset: config.offset_sunset,
        secret_overlap: config.secret_overlap,
        trusted_proxies: config.trusted_proxies.clone(),
        guard: guard(config),
        api_url: surfaces.api.clone(),
        docs_url: surfaces.docs.clone(),
        inspector_url: surfaces.inspector.clone(),
        app_url: surfaces.app.clone(),
        read_timeout: config.read_timeout,
    }
}

/// What the API's requests share.
pub(crate) fn api_state(config: &Config, store: &Store, surfaces: &Surfaces) -> Result<ApiState, Failure> {
    let state = ApiState::new(api_config(config, surfaces), store.clone());
    let Some(redis_url) = &config.redis_url else { return Ok(state) };
    state.sharing(redis_url.expose()).map_err(|error| Failure::refused(format!("BOTIX_REDIS_URL: {error}")))
}

/// What the dashboard is set up with. Its live streams end with `closing`.
pub(crate) fn app_state(config: &Config, store: &Store, surfaces: &Surfaces, closing: &CancellationToken) -> AppState {
    AppState {
        store: store.clone(),
        leptos_options: LeptosOptions::builder().output_name("botix").site_root("target/site").build(),
        cursors: store.keys().cursor_signer(),
        app_url: surfaces.app.clone(),
        api_url: surfaces.api.clone(),
        attempt_retention: config.attempt_retention,
        secret_overlap: config.secret_overlap,
        read_timeout: config.read_timeout,
        inspector_url: surfaces.inspector.clone(),
        replayer: Arc::new(delivery::Replays::new(engine_config(config))),
        guard: guard(config),
        closing: closing.clone(),
        sign_in_gate: SignInGate::default(),
    }
}

/// The pages: each has a deadline for its head, and for every piece of it. Streams of events, whose
/// head comes at once, may then be silent for as long as nothing happens, and are never compressed.
fn pages(app: AppState) -> Router {
    app::ssr::router(app)
        .layer(map_response(async |response: Response| {
            let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
            let is_document = kind.is_some_and(|kind| kind.starts_with("text/html"));
            if is_document { response.map(|body| Body::new(TimeoutBody::new(DOCUMENT, body))) } else { response }
        }))
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, DOCUMENT))
        .layer(CompressionLayer::new())
}

/// Everything that a process with the role `web` serves, operations aside.
pub(crate) fn build(api: ApiState, app: AppState, surfaces: &Surfaces, closing: &CancellationToken) -> Router {
    let mut router = Router::new()
        .merge(api::router(api.clone()))
        .merge(api::inspector(api, closing.clone()))
        .merge(pages(app))
        .route("/", get(|| async { Redirect::temporary("/developers") }))
        .fallback(assets::serve)
        .layer(RequestBodyTimeoutLayer::new(BODY_PAUSE));
    if let Some(hosts) = Hosts::of(surfaces) {
        router = Router::new().fallback_service(router).layer(from_fn_with_state(Arc::new(hosts), hosts::separate));
    }
    router.layer(from_fn(access_log::log))
}
