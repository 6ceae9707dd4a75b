//! The server's half: who asks, what they may see, and the pages, forms and streams that answer.

mod access;
mod api_keys;
mod bare;
mod bulk;
mod cookies;
mod endpoints;
mod entry;
mod export;
mod gate;
mod headers;
mod inbox;
pub(crate) mod inspector;
pub(crate) mod live;
mod origin;
mod preferences;
mod redirect;
mod retry;
mod search;
mod settings;
mod sign_in;
mod state;
mod told;
pub(crate) mod views;
mod visit;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use leptos::prelude::{provide_context, use_context};
use leptos_axum::{LeptosRoutes as _, generate_route_list};

pub(crate) use access::{Access, Problem, answer};
pub(crate) use api_keys::new_key;
pub(crate) use endpoints::{new_endpoint, rotation};
pub use gate::SignInGate;
pub(crate) use search::found;
pub use state::AppState;
pub(crate) use visit::{Theme, Visitor};

use crate::routes::App;
use crate::shell::shell;

/// Everything under `/developers`: pages, forms and the live stream.
pub fn router(state: AppState) -> Router {
    // Once, before serving: the list is found by drawing the routes.
    let routes = generate_route_list(App);
    let options = state.leptos_options.clone();
    let context = {
        let state = state.clone();
        move || {
            provide_context(state.clone());
            visit::provide_visitor();
        }
    };
    Router::new()
        .route("/developers", get(entry::home))
        .route("/developers/", get(entry::home))
        .route("/developers/sign-in", post(sign_in::sign_in))
        .route("/developers/sign-out", post(sign_in::sign_out))
        .route("/developers/preferences", post(preferences::set))
        .route("/developers/{project_id}", get(entry::project))
        .route("/developers/{project_id}/search", post(search::search))
        .route("/developers/{project_id}/retry", post(retry::retry))
        .route("/developers/{project_id}/dead-letters/act", post(inbox::act))
        .route("/developers/{project_id}/dead-letters/retry", post(bulk::start))
        .route("/developers/{project_id}/dead-letters/jobs/{job_id}/cancel", post(bulk::cancel))
        .route("/developers/{project_id}/export/{file}", get(export::export))
        .route("/developers/{project_id}/endpoints/new", post(endpoints::create))
        .route("/developers/{project_id}/endpoints/{endpoint_id}/secret", post(endpoints::rotate))
        .route("/developers/{project_id}/endpoints/{endpoint_id}/test", post(endpoints::test))
        .route("/developers/{project_id}/endpoints/{endpoint_id}/enabled", post(endpoints::enable))
        .route("/developers/{project_id}/api-keys/new", post(api_keys::create))
        .route("/developers/{project_id}/api-keys/{key_id}/revoke", post(api_keys::revoke))
        .route("/developers/{project_id}/settings/act", post(settings::act))
        .route("/developers/{project_id}/live", get(live::stream))
        .route("/developers/{project_id}/redirect", post(redirect::redirect))
        .merge(inspector::routes())
        .leptos_routes_with_context(&state, routes, context, move || shell(options.clone()))
        .layer(from_fn(bare::caught))
        .layer(from_fn_with_state(state.clone(), visit::middleware))
        .with_state(state)
}

/// What the middleware found out about this request.
pub(crate) fn use_visitor() -> Visitor {
    use_context().unwrap_or_default()
}
