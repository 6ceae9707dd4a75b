//! Connecting, through the address guard.
//!
//! The guard is asked about the very address that is connected to next: a name that resolves to
//! something else between check and connect has nothing to resolve in between, and a literal address
//! passes the same gate. TLS is done here, too, so that its failures are told apart from the others.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use domain::address::AddressGuard;
use domain::status::AttemptError;
use futures::future::BoxFuture;
use http::Uri;
use rustls::pki_types::ServerName;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::stream::Stream;

/// Makes guarded connections.
#[derive(Clone)]
pub(crate) struct Connector {
    guard: Arc<AddressGuard>,
    tls: TlsConnector,
    connect_timeout: Duration,
    handshake_timeout: Duration,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[error("{kind}: {reason}")]
pub(crate) struct ConnectError {
    /// As the contract calls it.
    pub kind: AttemptError,
    reason: String,
}

impl Connector {
    pub(crate) fn new(
        guard: AddressGuard,
        tls: Arc<rustls::ClientConfig>,
        connect_timeout: Duration,
        handshake_timeout: Duration,
    ) -> Self {
        Self { guard: Arc::new(guard), tls: TlsConnector::from(tls), connect_timeout, handshake_timeout }
    }

    async fn connect(self, uri: Uri) -> Result<Stream, ConnectError> {
        let deadline = Instant::now() + self.connect_timeout;
        let host = uri.host().ok_or_else(|| fail(AttemptError::DnsError, "no host"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let is_tls = uri.scheme() == Some(&http::uri::Scheme::HTTPS);
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        let addresses = timeout_at(deadline, resolve(&host, port))
            .await
            .map_err(|_| fail(AttemptError::DnsError, "no answer in time"))??;
        let tcp = timeout_at(deadline, self.connect_any(&addresses))
            .await
            .map_err(|_| fail(AttemptError::ConnectTimeout, "no connection in time"))??;
        // Small requests must not wait for an acknowledgement of the one before.
        let _ = tcp.set_nodelay(true);
        let remote = tcp.peer_addr().map_err(|error| io_failure(&error))?.ip();
        Ok(if is_tls { Stream::tls(self.handshake(&host, tcp).await?, remote) } else { Stream::plain(tcp, remote) })
    }

    /// The first address that is allowed and answers. One private address among public ones is
    /// passed over; when nothing is left, the attempt is blocked.
    async fn connect_any(&self, addresses: &[SocketAddr]) -> Result<TcpStream, ConnectError> {
        let mut failure = fail(AttemptError::BlockedAddress, "no allowed address");
        for address in addresses.iter().filter(|address| self.guard.check(address.ip()).is_ok()) {
            match TcpStream::connect(address).await {
                Ok(tcp) => return Ok(tcp),
                Err(error) => failure = io_failure(&error),
            }
        }
        Err(failure)
    }

    async fn handshake(&self, host: &str, tcp: TcpStream) -> Result<TlsStream<TcpStream>, ConnectError> {
        let name = ServerName::try_from(host.to_owned()).map_err(|error| fail(AttemptError::TlsError, &error))?;
        tokio::time::timeout(self.handshake_timeout, self.tls.connect(name, tcp))
            .await
            .map_err(|_| fail(AttemptError::ReadTimeout, "no TLS handshake in time"))?
            .map_err(|error| fail(AttemptError::TlsError, &error))
    }
}

async fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>, ConnectError> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let found = lookup_host((host, port)).await.map_err(|error| fail(AttemptError::DnsError, &error))?;
    let addresses: Vec<_> = found.collect();
    if addresses.is_empty() { Err(fail(AttemptError::DnsError, "no address")) } else { Ok(addresses) }
}

fn fail(kind: AttemptError, reason: &(impl ToString + ?Sized)) -> ConnectError {
    ConnectError { kind, reason: reason.to_string() }
}

fn io_failure(error: &io::Error) -> ConnectError {
    let kind = match error.kind() {
        io::ErrorKind::TimedOut => AttemptError::ConnectTimeout,
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
            AttemptError::ConnectionReset
        }
        // Refused, unreachable, no route: nobody listens there.
        _ => AttemptError::ConnectionRefused,
    };
    fail(kind, error)
}

impl tower_service::Service<Uri> for Connector {
    type Response = Stream;
    type Error = ConnectError;
    type Future = BoxFuture<'static, Result<Stream, ConnectError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ConnectError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        Box::pin(self.clone().connect(uri))
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;
    use crate::config::Config;

    fn only_this_one() -> Connector {
        let guard = AddressGuard::allowing(vec!["127.0.0.1/32".parse().unwrap()]);
        let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(Config::default().extra_roots.store())
            .with_no_client_auth();
        Connector::new(guard, Arc::new(tls), Duration::from_secs(1), Duration::from_secs(1))
    }

    #[tokio::test]
    async fn of_a_name_s_several_addresses_the_private_ones_are_passed_over() {
        let (connector, port) = (only_this_one(), TcpListener::bind("127.0.0.1:0").await.unwrap());
        let allowed = port.local_addr().unwrap();
        let trap = TcpListener::bind(("127.0.0.2", allowed.port())).await.unwrap();
        let private = ["10.0.0.1", "127.0.0.2", "::1"].map(|ip| SocketAddr::new(ip.parse().unwrap(), allowed.port()));
        let all = [&private[..], &[allowed]].concat();
        assert_eq!(connector.connect_any(&all).await.unwrap().peer_addr().unwrap(), allowed);
        let blocked = connector.connect_any(&private).await.unwrap_err();
        assert_eq!(blocked.kind, AttemptError::BlockedAddress);
        drop(port);
        let refused = connector.connect_any(&all).await.unwrap_err();
        assert_eq!(refused.kind, AttemptError::ConnectionRefused, "the allowed one says why");
        let nobody_came = tokio::time::timeout(Duration::from_millis(50), trap.accept()).await;
        assert!(nobody_came.is_err());
    }
}
