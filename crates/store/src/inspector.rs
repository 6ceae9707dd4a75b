//! The inspector: bins with secret addresses, and what is captured in them (contract sections 1 and 7).
//!
//! A bin's address is a secret: its token is found by a hash, sealed for its owner to see again, and
//! never logged. A capture keeps the exact bytes, and is committed before its sender hears a 2xx.

mod bins;
mod captures;
mod receive;
mod redirect;
mod rehearse;
mod retention;
mod token;

pub use bins::{BinChange, DEFAULT_NAME, NewBin, default_bin, delete, get, insert, list, update};
pub use captures::{Neighbours, body, capture, captures, neighbours};
pub use receive::{Found, Received, find, receive};
pub use redirect::{Copied, RedirectError, redirect_attempt, redirect_dead_letter, redirect_delivery};
pub use rehearse::{Rehearse, RehearseError, rehearse};
pub(crate) use retention::run as retain;
pub use token::{Addresses, BinToken};

/// Captures that a bin keeps; the oldest make room.
pub const MAX_CAPTURES: u32 = 500;
/// How long a capture is kept.
pub const RETENTION: std::time::Duration = std::time::Duration::from_secs(14 * 86_400);
