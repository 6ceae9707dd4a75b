//! A connection to a receiver, plain or TLS.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// The address at the other end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemoteIp(pub IpAddr);

/// A connection that stands.
pub(crate) struct Stream {
    kind: Kind,
    remote: IpAddr,
}

enum Kind {
    Plain(TokioIo<TcpStream>),
    Tls(Box<TokioIo<TlsStream<TcpStream>>>),
}

impl Stream {
    pub(crate) fn plain(tcp: TcpStream, remote: IpAddr) -> Self {
        Self { kind: Kind::Plain(TokioIo::new(tcp)), remote }
    }

    pub(crate) fn tls(tls: TlsStream<TcpStream>, remote: IpAddr) -> Self {
        Self { kind: Kind::Tls(Box::new(TokioIo::new(tls))), remote }
    }

    /// Why writing failed. A receiver that refuses us after the handshake (it wants a certificate of ours) says so and
    /// closes; who writes meanwhile sees the closed connection only, with the reason still unread.
    fn reason(&mut self, error: io::Error, cx: &mut Context<'_>) -> io::Error {
        let Kind::Tls(tls) = &mut self.kind else { return error };
        let (mut unread, mut reason) = ([0; 1_024], error);
        if let Poll::Ready(Err(said)) = Pin::new(tls.inner_mut()).poll_read(cx, &mut ReadBuf::new(&mut unread))
            && said.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<rustls::Error>)
        {
            reason = said;
        }
        reason
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        let connected = Connected::new().extra(RemoteIp(self.remote));
        match &self.kind {
            Kind::Tls(tls) if tls.inner().get_ref().1.alpn_protocol() == Some(b"h2") => connected.negotiated_h2(),
            Kind::Plain(_) | Kind::Tls(_) => connected,
        }
    }
}

macro_rules! delegate {
    ($self:ident, $inner:ident => $call:expr) => {
        match &mut $self.kind {
            Kind::Plain(io) => {
                let $inner = Pin::new(io);
                $call
            }
            Kind::Tls(io) => {
                let $inner = Pin::new(io.as_mut());
                $call
            }
        }
    };
}

impl Read for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        delegate!(self, io => io.poll_read(cx, buf))
    }
}

impl Write for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = delegate!(self, io => io.poll_write(cx, buf));
        written.map_err(|error| self.reason(error, cx))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = delegate!(self, io => io.poll_flush(cx));
        flushed.map_err(|error| self.reason(error, cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, io => io.poll_shutdown(cx))
    }
}
