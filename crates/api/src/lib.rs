//! The public REST API (contract sections 2 to 7).
//!
//! Every request goes through one door ([`door`]): it gets an id, its caller is identified and
//! counted, and whatever comes back leaves in the contract's envelope. Behind the door, each
//! resource is a set of [`operation`]s: a [`Query`](operation::Query) reads, a
//! [`Mutation`](operation::Mutation) changes, and every mutation runs in the one transaction that
//! [`idempotency`] makes of it.

mod auth;
mod body;
mod client_address;
mod describe;
mod docs;
mod door;
mod envelope;
mod error;
mod exchange;
mod idempotency;
mod inspect;
mod list;
mod openapi;
mod operation;
mod query;
mod rate_limit;
mod request_log;
mod resources;
mod routes;
mod shared;
mod span;
mod state;

use axum::Router;
use domain::Timestamp;
use tower::Layer as _;

pub use shared::InvalidRedisUrl;
pub use state::{ApiConfig, ApiState};
use tokio_util::sync::CancellationToken;

/// Where the API lives.
pub const PREFIX: &str = "/public/v1";
const DOCUMENT: &str = "/public/v1/openapi.json";

/// Everything below [`PREFIX`], and the docs below `/docs`. Serve it with `into_make_service_with_connect_info::<SocketAddr>()`,
/// so that callers without a key can be told apart by their address.
pub fn router(state: ApiState) -> Router {
    // Around the router, not inside it: only there is the `Allow` of a 405 known.
    let door = axum::middleware::from_fn_with_state(state.clone(), door::door);
    let (routes, operations) = resources::routes().into_parts();
    let document = openapi::Served::new(operations, state.config.clone());
    let pages = docs::router(document.clone(), state.clone());
    let routes = routes.route(DOCUMENT, document.route()).fallback(operation::unknown_route);
    let service = door.layer(routes.with_state(state));
    [PREFIX.to_owned(), format!("{PREFIX}/"), format!("{PREFIX}/{{*path}}")]
        .iter()
        .fold(pages, |router, path| router.route_service(path, service.clone()))
}

/// What the inspector receives: everything below `/inspect`. Serve it as [`router`]; delayed answers are given at once
/// when `closing` is cancelled.
pub fn inspector(state: ApiState, closing: CancellationToken) -> Router {
    inspect::router(state, closing)
}

/// The OpenAPI document as it stands at `now`.
pub fn openapi(config: ApiConfig, now: Timestamp) -> serde_json::Value {
    let (_, operations) = resources::routes().into_parts();
    openapi::Served::new(operations, config.into()).json(now).clone()
}
