//! The API over its real store, request by request, without a network.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod harness;

mod contacts;
mod envelope;
mod errors;
mod idempotency;
mod lists;
mod requests;
mod webhooks;
