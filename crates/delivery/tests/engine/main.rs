//! The engine against real sockets, with a clock that is moved by hand.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod harness;
mod known_kinds;
mod receiver;

mod failures;
mod fairness;
mod ladder;
mod replay;
mod request;
