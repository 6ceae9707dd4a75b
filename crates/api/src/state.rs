//! What the API is set up with, and what its requests share.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use domain::address::AddressGuard;
use domain::cursor::CursorSigner;
use ipnet::IpNet;
use store::Store;
use store::inspector::Addresses;

use crate::idempotency::{Recent, Running};
use crate::rate_limit::{Rate, RateLimiter, Who};
use crate::request_log::RequestLog;
use crate::shared::{InvalidRedisUrl, Redis};

/// Settings (contract section 10).
#[derive(Clone, Debug)]
pub struct ApiConfig {
    /// How long a stored answer is kept.
    pub idempotency_ttl: Duration,
    /// How long a capture holds when its process dies; longer than any request may run.
    pub idempotency_lease: Duration,
    /// Requests a minute for a key whose project says nothing else, and for an address without one.
    pub rate_limit: u32,
    /// From when on `pagination=offset` is refused.
    pub offset_sunset: Timestamp,
    /// How long a replaced secret still signs.
    pub secret_overlap: Duration,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Which addresses events are never sent to.
    pub guard: AddressGuard,
    /// The public origin of the API, e.g. `https://api.botix.pro`.
    pub api_url: String,
    /// The absolute URL of the inspector, below which bins receive.
    pub inspector_url: String,
    /// The absolute URL of the dashboard.
    pub app_url: String,
    /// How long the engine waits for an answer.
    pub read_timeout: Duration,
    /// Where the developer docs are, e.g. `https://developers.botix.pro` or `http://127.0.0.1:3000/docs`.
    pub docs_url: String,
}

impl Default for ApiConfig {
    fn default() -> Self {
        Self {
            idempotency_ttl: Duration::from_secs(24 * 3_600),
            idempotency_lease: Duration::from_secs(60),
            rate_limit: 600,
            // 2026-11-01T00:00:00Z
            offset_sunset: Timestamp::from_secs(1_793_491_200),
            secret_overlap: Duration::from_secs(24 * 3_600),
            trusted_proxies: Vec::new(),
            guard: AddressGuard::default(),
            api_url: String::new(),
            inspector_url: String::new(),
            app_url: String::new(),
            read_timeout: Duration::from_secs(30),
            docs_url: "/docs".to_owned(),
        }
    }
}

/// What every request shares. Cheap to clone.
#[derive(Clone)]
pub struct ApiState {
    pub(crate) config: Arc<ApiConfig>,
    pub(crate) store: Store,
    pub(crate) cursors: Arc<CursorSigner>,
    /// Of the inspector's bins.
    pub(crate) addresses: Addresses,
    pub(crate) limiter: Arc<RateLimiter>,
    pub(crate) running: Arc<Running>,
    pub(crate) recent: Arc<Recent>,
    pub(crate) log: RequestLog,
    /// What replicas share beside the database.
    pub(crate) shared: Option<Arc<Redis>>,
    #[cfg(feature = "bench")]
    pub(crate) is_without_idempotency: bool,
}

impl ApiState {
    /// Starts the request log's writer, which lives as long as the state does. Needs a Tokio runtime.
    pub fn new(config: ApiConfig, store: Store) -> Self {
        Self {
            addresses: Addresses::new(store.keys(), &config.inspector_url),
            config: Arc::new(config),
            cursors: Arc::new(store.keys().cursor_signer()),
            limiter: Arc::default(),
            running: Arc::default(),
            recent: Arc::default(),
            log: RequestLog::start(store.clone()),
            shared: None,
            #[cfg(feature = "bench")]
            is_without_idempotency: false,
            store,
        }
    }

    /// Counts requests and locks idempotency keys in this Redis, together with the other replicas.
    ///
    /// # Errors
    /// When this is no URL of a Redis. Whether one is there shows when it is asked.
    pub fn sharing(self, redis_url: &str) -> Result<Self, InvalidRedisUrl> {
        Ok(Self { shared: Some(Arc::new(Redis::new(redis_url)?)), ..self })
    }

    /// Carries every request out as if it had no idempotency key, for the comparison in `bench/`.
    #[cfg(feature = "bench")]
    #[must_use]
    pub fn without_idempotency(self) -> Self {
        Self { is_without_idempotency: true, ..self }
    }

    /// Counts a request: in Redis where there is one that answers, else in memory.
    pub(crate) async fn count(&self, who: Who, limit: u32, now: Timestamp) -> Rate {
        if let Some(redis) = &self.shared
            && let Some(rate) = redis.take(who, limit, now, self.store.entropy()).await
        {
            return rate;
        }
        self.limiter.take(who, limit, now)
    }

    /// Writes down every request that has been answered: the last step before the process ends.
    pub async fn flush(&self) {
        self.log.flush().await;
    }

    pub(crate) fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.config.trusted_proxies.iter().any(|network| network.contains(&address))
    }
}
