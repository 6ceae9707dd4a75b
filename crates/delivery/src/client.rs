//! The one HTTP client of all sends: pooled, HTTP/1.1 and HTTP/2, no redirects, no proxy, no
//! decompression.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper_util::client::legacy;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::config::Config;
use crate::connector::Connector;

/// Below the shortest keep-alive in common use (Node's 5 seconds), so that a request is seldom
/// written to a connection that its receiver is just closing.
const IDLE: Duration = Duration::from_secs(4);
/// Idle connections kept for one host. A platform that receives for many endpoints is one host; with fewer,
/// each batch to it would connect anew.
const IDLE_PER_HOST: usize = 256;
/// The largest response head that is read.
const MAX_HEAD: usize = 64 * 1_024;
/// The most header lines that are read.
const MAX_HEADERS: usize = 128;

/// A client for webhooks.
pub(crate) type Client = legacy::Client<Connector, Full<Bytes>>;

/// Builds the client.
pub(crate) fn build(config: &Config) -> Client {
    let connector =
        Connector::new(config.guard.clone(), tls_config(config), config.connect_timeout, config.read_timeout);
    legacy::Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(IDLE_PER_HOST)
        .http1_max_buf_size(MAX_HEAD)
        .http1_max_headers(MAX_HEADERS)
        .http2_max_header_list_size(u32::try_from(MAX_HEAD).unwrap_or(u32::MAX))
        .build(connector)
}

fn tls_config(config: &Config) -> Arc<rustls::ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    #[expect(clippy::expect_used, reason = "ring's provider supports the default versions")]
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the default versions");
    let mut config = builder.with_root_certificates(config.extra_roots.store()).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Arc::new(config)
}
