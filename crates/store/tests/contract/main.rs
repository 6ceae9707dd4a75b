//! The contract suite: every repository function, on SQLite and on PostgreSQL.
//!
//! Without `BOTIX_TEST_POSTGRES_URL` the PostgreSQL half is left out, loudly.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod harness;

mod audit;
mod careful_retries;
mod catalog;
mod decisions;
mod endpoint_changes;
mod engine;
mod find;
mod health;
mod idempotency;
mod inbox;
mod inspector;
mod keys_and_contacts;
mod known_kinds;
mod ledger;
mod lists;
mod lives;
mod messages;
mod migrations;
mod people;
mod publishing;
mod requests;
mod retention;
mod retry_jobs;
mod transactions;
