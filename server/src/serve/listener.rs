//! Accepting connections: HTTP/1.1, no delay of small packets, a limit on how long a request's head
//! may take, and an orderly end.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// For the whole head of a request, the wait for it on a kept connection included: longer than the 60
/// seconds for which proxies keep theirs, so that they don't write into one that is closing. A client
/// that sends a byte now and then holds a connection no longer than this.
const HEAD: Duration = Duration::from_secs(75);
/// The largest head of a request.
const MAX_HEAD: usize = 64 * 1_024;
/// As many header lines as are read at all; each surface may refuse fewer, in its own form.
const MAX_HEADERS: usize = 256;
/// After an error of the system (such as too many open files), before accepting again.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `closing`; returns when the last connection has ended.
pub(crate) async fn serve(listener: TcpListener, router: Router, closing: CancellationToken) {
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                connections.spawn(connection(stream, peer, router.clone(), closing.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    // Newcomers hear «refused» from now on, so that a proxy turns to another replica.
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn connection(stream: TcpStream, peer: SocketAddr, router: Router, closing: CancellationToken) {
    // Fails only when the peer is gone already.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {})) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(MAX_HEAD)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // A client that goes away is no fault of ours.
        tracing::debug!(%error, %peer, "a connection ended early");
    }
}
