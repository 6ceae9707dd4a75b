//! The API over its real store, request by request, without a network.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

/// Which database this suite runs on; `tests/postgres` runs the same on the other.
const POSTGRES: bool = false;

mod harness;

mod catalog;
mod contacts;
mod envelope;
mod errors;
mod idempotency;
mod inspector;
mod lists;
mod messages;
mod redis_shared;
mod replicas;
mod requests;
mod retry_jobs;
mod webhooks;
