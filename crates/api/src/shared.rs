//! What replicas share in Redis when there is one (contract sections 4 and 5): the rate limit, and a
//! lock and cache in front of the idempotency table.
//!
//! Redis is never the truth. It may forget, be restarted, or not answer: then each replica counts
//! for itself, and the table alone decides who executes. What that costs is a limit that is as many
//! times as high as there are replicas, and nothing else.

mod keys;
mod rate;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::aio::MultiplexedConnection;
use redis::{Client, Cmd, FromRedisValue, RedisError};
use tokio::time::timeout;

/// Longer than any answer of a healthy Redis, and short enough not to be felt.
const PATIENCE: Duration = Duration::from_millis(150);
/// After a failure nobody asks for so long: a Redis that hangs must not slow down every request.
const PAUSE: Duration = Duration::from_secs(1);

/// The URL is not one of Redis.
#[derive(Debug, thiserror::Error)]
#[error("not a URL of Redis: {0}")]
pub struct InvalidRedisUrl(#[from] RedisError);

/// A Redis, connected when it is first needed and again after it went away.
pub(crate) struct Redis {
    client: Client,
    state: Mutex<State>,
}

#[derive(Clone, Default)]
struct State {
    connection: Option<MultiplexedConnection>,
    failed_at: Option<Instant>,
}

impl Redis {
    pub(crate) fn new(url: &str) -> Result<Self, InvalidRedisUrl> {
        Ok(Self { client: Client::open(url)?, state: Mutex::default() })
    }

    /// The answer to a command; `None` when Redis can't be asked.
    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Option<T> {
        let State { connection, failed_at } = self.state().clone();
        if failed_at.is_some_and(|at| at.elapsed() < PAUSE) {
            return None;
        }
        let asked = timeout(PATIENCE, async {
            let mut connection = match connection {
                Some(connection) => connection,
                None => self.client.get_multiplexed_async_connection().await?,
            };
            let answer = command.query_async::<T>(&mut connection).await?;
            Ok::<_, RedisError>((connection, answer))
        });
        match asked.await {
            Ok(Ok((connection, answer))) => {
                *self.state() = State { connection: Some(connection), failed_at: None };
                return Some(answer);
            }
            Ok(Err(error)) => tracing::warn!(%error, "Redis can't be asked: each replica counts for itself"),
            Err(_) => tracing::warn!("Redis does not answer: each replica counts for itself"),
        }
        metrics::counter!("botix_redis_failures_total").increment(1);
        *self.state() = State { connection: None, failed_at: Some(now()) };
        None
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// For how long something has been so, never what time it is.
fn now() -> Instant {
    Instant::now()
}
