//! Telling failures apart, by the contract's words.

use std::error::Error;
use std::io;

use domain::status::AttemptError;

use crate::connector::ConnectError;

/// What kind of failure an error of the HTTP client is.
pub(crate) fn classify(error: &(dyn Error + 'static)) -> AttemptError {
    let mut cause = Some(error);
    let mut found = None;
    while let Some(error) = cause {
        if let Some(connect) = error.downcast_ref::<ConnectError>() {
            return connect.kind;
        }
        found = found.or_else(|| of_hyper(error)).or_else(|| of_io(error));
        cause = error.source();
    }
    // A client that fails without a reason it could name has lost its connection.
    found.unwrap_or(AttemptError::ConnectionReset)
}

fn of_hyper(error: &(dyn Error + 'static)) -> Option<AttemptError> {
    let error = error.downcast_ref::<hyper::Error>()?;
    if error.is_parse() || error.is_parse_status() {
        Some(AttemptError::InvalidResponse)
    } else if error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
        Some(AttemptError::ConnectionReset)
    } else {
        None
    }
}

fn of_io(error: &(dyn Error + 'static)) -> Option<AttemptError> {
    let error = error.downcast_ref::<io::Error>()?;
    // After the handshake, too: a server that wants a certificate of ours says so only then.
    if error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<rustls::Error>) {
        return Some(AttemptError::TlsError);
    }
    Some(match error.kind() {
        io::ErrorKind::TimedOut => AttemptError::ReadTimeout,
        io::ErrorKind::InvalidData => AttemptError::InvalidResponse,
        _ => AttemptError::ConnectionReset,
    })
}
