//! The delivery engine alone, without the rest of the product: what `bench/` profiles.
//!
//! ```sh
//! cargo run --release -p botix-delivery --example engine -- sqlite:///tmp/botix.sqlite SECRET_KEY
//! ```
//!
//! Delivers what is due in a migrated database until it is interrupted. Webhooks may go to loopback.

use std::error::Error;
use std::sync::Arc;
use std::time::SystemTime;

use delivery::{Config, Engine};
use domain::address::AddressGuard;
use domain::ladder::RetrySchedule;
use domain::{Clock, Entropy, Timestamp};
use store::{Environment, Keyring, Store, StoreConfig};
use tokio_util::sync::CancellationToken;

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
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("engine DATABASE_URL SECRET_KEY")?;
    let secret = arguments.next().ok_or("the secret key is missing")?;
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
        None => StoreConfig::Postgres { url, max_connections: 20 },
    };
    let store = Store::open(database, env).await?;
    let guard = AddressGuard::allowing(vec!["127.0.0.0/8".parse()?]);
    let closing = CancellationToken::new();
    let engine = tokio::spawn(Engine::new(store, Config { guard, ..Config::default() }).run(closing.clone()));
    tokio::signal::ctrl_c().await?;
    closing.cancel();
    Ok(engine.await?)
}
