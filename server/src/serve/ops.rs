//! For operators: `/healthz` (alive), `/readyz` (database reachable, migrations applied, not ending)
//! and `/metrics` (Prometheus).

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use store::{MigrationState, Store};
use tokio_util::sync::CancellationToken;

/// The database has this long to show that it is there.
const PATIENCE: Duration = Duration::from_secs(3);
/// Buckets of every histogram in seconds.
const SECONDS: &[f64] =
    &[0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3_600.0];
/// Buckets of every histogram of sizes.
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1_024.0];

#[derive(Clone)]
struct Ops {
    store: Store,
    recorder: Option<PrometheusHandle>,
    closing: CancellationToken,
}

/// The three paths.
pub(crate) fn router(store: Store, recorder: Option<PrometheusHandle>, closing: CancellationToken) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(Ops { store, recorder, closing })
}

/// Starts counting. `None` when somebody else in this process counts already.
pub(crate) fn install_recorder() -> Option<PrometheusHandle> {
    use metrics_exporter_prometheus::Matcher::Suffix;
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Suffix("_seconds".to_owned()), SECONDS)
        .and_then(|builder| builder.set_buckets_for_metric(Suffix("_size".to_owned()), SIZES));
    let recorder = builder.and_then(PrometheusBuilder::install_recorder);
    recorder.inspect_err(|error| tracing::warn!(%error, "there will be no metrics")).ok()
}

async fn ready(State(ops): State<Ops>) -> Response {
    let state = tokio::time::timeout(PATIENCE, async {
        ops.store.ping().await?;
        ops.store.migration_state().await
    });
    let reason = match state.await {
        _ if ops.closing.is_cancelled() => "ending",
        Ok(Ok(MigrationState::Current)) => return fresh(StatusCode::OK, "ready\n".to_owned()),
        Ok(Ok(MigrationState::Behind)) => "the database is not migrated",
        Ok(Ok(MigrationState::Ahead)) => "the database is newer than this program",
        Ok(Err(error)) => {
            tracing::warn!(%error, "not ready");
            "the database is unreachable"
        }
        Err(_) => "the database does not answer",
    };
    fresh(StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {reason}\n"))
}

async fn metrics(State(ops): State<Ops>) -> Response {
    let text = ops.recorder.map(|recorder| {
        recorder.run_upkeep();
        recorder.render()
    });
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text.unwrap_or_default()).into_response()
}

fn fresh(status: StatusCode, text: String) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], text).into_response()
}
