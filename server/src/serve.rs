//! `botix serve`: the engine, the listeners and the housekeeping, until a signal ends them.

mod access_log;
mod assets;
mod hosts;
mod housekeeping;
mod imports;
pub(crate) mod listener;
mod ops;
mod retry_jobs;
mod router;
mod shutdown;
mod traces;

pub(crate) use router::api_config;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use store::Store;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::commands;
use crate::config::{Config, Surfaces};
use crate::failure::Failure;
use crate::surroundings::SystemClock;
use shutdown::Signals;
use traces::Traces;

/// Beyond the longest request of the engine: recording what came of it.
const SHUTDOWN_MARGIN: Duration = Duration::from_secs(15);

/// Serves until a signal comes.
pub(crate) async fn run(config: Config, migrate: bool) -> Result<(), Failure> {
    let server = Server::prepare(config, migrate).await?;
    server.run().await
}

/// A process that listens and has its database open, and does nothing yet.
pub(crate) struct Server {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) surfaces: Surfaces,
    listener: TcpListener,
    ops_listener: Option<TcpListener>,
    /// Ends everything that runs beside the requests.
    pub(crate) closing: CancellationToken,
    pub(crate) tasks: TaskTracker,
    traces: Traces,
}

impl Server {
    /// Listens first: a port that is taken should not cost a migration.
    pub(crate) async fn prepare(config: Config, migrate: bool) -> Result<Self, Failure> {
        #[cfg(debug_assertions)]
        arm_fail_point();
        let listener = bind("BOTIX_LISTEN", config.listen).await?;
        let ops_listener = match config.ops_listen {
            Some(address) => Some(bind("BOTIX_OPS_LISTEN", address).await?),
            None => None,
        };
        let traces = Traces::start(&config)?;
        let store = commands::open_with(&config, Arc::new(SystemClock), traces.spans()).await?;
        commands::prepare(&store, &config, migrate).await?;
        let surfaces = config.urls.resolve(listener.local_addr()?);
        let (closing, tasks) = (CancellationToken::new(), TaskTracker::new());
        Ok(Self { config, store, surfaces, listener, ops_listener, closing, tasks, traces })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Runs until a signal comes, and then ends within a deadline.
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let Self { config, store, surfaces, listener, ops_listener, closing, tasks, traces } = self;
        // Before anybody is told that it is ready: who is ready ends orderly.
        let mut signals = Signals::listen()?;
        let recorder = ops::install_recorder();
        let longest = config.connect_timeout + config.read_timeout;
        let mut engine_ended = None;
        if config.roles.worker {
            let engine = delivery::Engine::new(store.clone(), router::engine_config(&config));
            engine_ended = Some(tasks.spawn(engine.run(closing.clone())));
            tasks.spawn(imports::run(store.clone(), closing.clone()));
            tasks.spawn(retry_jobs::run(store.clone(), closing.clone()));
        }
        tasks.spawn(housekeeping::run(store.clone(), config.clone(), closing.clone()));
        let ops = ops::router(store.clone(), recorder, closing.clone());
        let mut served = axum::Router::new();
        let mut api = None;
        if config.roles.web {
            let state = router::api_state(&config, &store, &surfaces)?;
            let app = router::app_state(&config, &store, &surfaces, &closing);
            served = router::build(state.clone(), app, &surfaces, &closing);
            api = Some(state);
        }
        let address = listener.local_addr()?;
        if let Some(ops_listener) = ops_listener {
            tracing::info!(address = %ops_listener.local_addr()?, "operations are served");
            tasks.spawn(listener::serve(ops_listener, ops, closing.clone()));
        } else {
            served = ops.merge(served);
        }
        tracing::info!(%address, api = surfaces.api, app = surfaces.app, "botix is ready");
        tasks.spawn(listener::serve(listener, served, closing.clone()));
        let failed = tokio::select! {
            () = signals.next() => false,
            () = ended(engine_ended) => true,
        };
        tracing::info!("ending: nothing new is accepted, what is under way is finished");
        closing.cancel();
        tasks.close();
        shutdown::within(&mut signals, longest + SHUTDOWN_MARGIN, async {
            tasks.wait().await;
            if let Some(api) = api {
                api.flush().await;
            }
            traces.flush().await;
        })
        .await;
        tracing::info!("ended");
        // Whoever supervises this process starts it again.
        if failed { Err(Failure::refused("the delivery engine broke down")) } else { Ok(()) }
    }
}

/// Waits for a task's end, for ever when there is none.
async fn ended(task: Option<JoinHandle<()>>) {
    match task {
        Some(task) => drop(task.await),
        None => std::future::pending().await,
    }
}

async fn bind(variable: &str, address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address)
        .await
        .map_err(|error| Failure::refused(format!("{variable}={address}: can't listen there ({error})")))
}

/// Not a setting: only tests crash a process on purpose, and only an unoptimised one.
#[cfg(debug_assertions)]
#[expect(clippy::disallowed_methods, reason = "the configuration knows nothing of this variable")]
fn arm_fail_point() {
    if let Ok(spec) = std::env::var("BOTIX_FAIL_POINT") {
        store::fail_point::arm(&spec);
    }
}
