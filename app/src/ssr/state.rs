//! What the pages are served with.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use domain::address::AddressGuard;
use domain::cursor::CursorSigner;
use leptos::prelude::LeptosOptions;
use store::Store;
use store::inspector::Addresses;
use store::replay::Replayer;
use tokio_util::sync::CancellationToken;

use super::gate::SignInGate;

/// Handed over by `server`.
#[derive(Clone)]
pub struct AppState {
    /// The repositories.
    pub store: Store,
    /// Names of the site's files.
    pub leptos_options: LeptosOptions,
    /// The signer that the API uses, too.
    pub cursors: CursorSigner,
    /// `BOTIX_APP_URL`: its scheme decides about the cookie, its origin is trusted in forms.
    pub app_url: String,
    /// `BOTIX_API_URL`, for examples.
    pub api_url: String,
    /// `BOTIX_ATTEMPT_RETENTION`: how far back the chart may reach.
    pub attempt_retention: Duration,
    /// `BOTIX_SECRET_OVERLAP`: for how long a replaced secret still signs.
    pub secret_overlap: Duration,
    /// `BOTIX_READ_TIMEOUT`: how long the engine waits for an answer.
    pub read_timeout: Duration,
    /// `BOTIX_INSPECTOR_URL`: below it bins receive.
    pub inspector_url: String,
    /// The guarded way out, for captures that are sent again.
    pub replayer: Arc<dyn Replayer>,
    /// Which addresses events are never sent to.
    pub guard: AddressGuard,
    /// Cancelled when the process shuts down, so that live streams end.
    pub closing: CancellationToken,
    /// Keeps password guessing slow.
    pub sign_in_gate: SignInGate,
}

impl AppState {
    /// Whether browsers reach us over TLS.
    pub fn secure(&self) -> bool {
        self.app_url.starts_with("https://")
    }

    /// What shows the addresses of bins.
    pub(super) fn addresses(&self) -> Addresses {
        Addresses::new(self.store.keys(), &self.inspector_url)
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos_options.clone()
    }
}
