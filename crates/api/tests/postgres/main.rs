//! The same suite as `tests/http`, on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

const POSTGRES: bool = true;

#[path = "../http/harness.rs"]
mod harness;

#[path = "../http/catalog.rs"]
mod catalog;
#[path = "../http/contacts.rs"]
mod contacts;
#[path = "../http/envelope.rs"]
mod envelope;
#[path = "../http/errors.rs"]
mod errors;
#[path = "../http/idempotency.rs"]
mod idempotency;
#[path = "../http/inspector.rs"]
mod inspector;
#[path = "../http/lists.rs"]
mod lists;
#[path = "../http/messages.rs"]
mod messages;
#[path = "../http/redis_shared.rs"]
mod redis_shared;
#[path = "../http/replicas.rs"]
mod replicas;
#[path = "../http/requests.rs"]
mod requests;
#[path = "../http/retry_jobs.rs"]
mod retry_jobs;
#[path = "../http/webhooks.rs"]
mod webhooks;
