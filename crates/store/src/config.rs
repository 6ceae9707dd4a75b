//! What a store is opened with.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::ladder::RetrySchedule;
use domain::{Clock, Entropy};

use crate::keys::Keyring;
use crate::spans::Spans;

/// Where the database is.
#[derive(Clone, Debug)]
pub enum StoreConfig {
    /// One file, made when missing.
    Sqlite {
        /// Its path.
        path: PathBuf,
    },
    /// A server, shared by any number of replicas.
    Postgres {
        /// `postgres://…`
        url: String,
        /// How many connections at most.
        max_connections: u32,
    },
}

/// What everything below `server` is handed instead of taking it from its surroundings.
#[derive(Clone)]
pub struct Environment {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The working keys.
    pub keys: Keyring,
    /// The ladder that deliveries climb.
    pub schedule: RetrySchedule,
    /// After how long of failing without a success an endpoint is disabled; `None` for never.
    pub auto_disable_after: Option<Duration>,
    /// Who is told how long each part of a request's story took; `None` for nobody.
    pub spans: Option<Arc<dyn Spans>>,
}
