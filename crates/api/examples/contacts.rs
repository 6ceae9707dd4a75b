//! The API alone, with its idempotency layer on or off: what `bench/` compares.
//!
//! ```sh
//! cargo run --release -p botix-api --features bench --example contacts -- \
//!     sqlite:///tmp/botix.sqlite SECRET_KEY 127.0.0.1:3000 on
//! ```
//!
//! Serves a migrated database until it is interrupted. With `off`, a request that has a key is carried
//! out as if it had none: no look-up, no capture, no stored answer; everything else stays.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

use api::{ApiConfig, ApiState};
use axum::serve::ListenerExt as _;
use domain::ladder::RetrySchedule;
use domain::{Clock, Entropy, Timestamp};
use store::{Environment, Keyring, Store, StoreConfig};

type Failure = Box<dyn Error + Send + Sync>;

struct System;

impl Clock for System {
    #[expect(clippy::disallowed_methods, reason = "the clock that everything else is handed")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

impl Entropy for System {
    #[expect(clippy::disallowed_methods, reason = "the source that everything else is handed")]
    #[expect(clippy::expect_used, reason = "there is nothing to measure without it")]
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the system's source of randomness");
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [url, secret, address, layer] = &arguments[..] else {
        return Err("contacts DATABASE_URL SECRET_KEY ADDRESS on|off".into());
    };
    let env = Environment {
        clock: Arc::new(System),
        entropy: Arc::new(System),
        keys: Keyring::derive(secret.as_bytes(), None)?,
        schedule: RetrySchedule::default(),
        auto_disable_after: None,
        spans: None,
    };
    let database = match url.strip_prefix("sqlite://") {
        Some(path) => StoreConfig::Sqlite { path: path.into() },
        None => StoreConfig::Postgres { url: url.clone(), max_connections: 20 },
    };
    let config = ApiConfig { rate_limit: 100_000_000, ..ApiConfig::default() };
    let state = ApiState::new(config, Store::open(database, env).await?);
    let state = if layer == "off" { state.without_idempotency() } else { state };
    let listener = tokio::net::TcpListener::bind(address.parse::<SocketAddr>()?).await?;
    // As the product does: an answer must not wait for an acknowledgement.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let service = api::router(state).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).await?;
    Ok(())
}
