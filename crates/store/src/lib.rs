//! The repositories: one face over two databases, SQLite (embedded) and PostgreSQL (many replicas).
//!
//! A repository is a module of free functions that take a [`Conn`] (any read) or a [`Tx`] (any
//! change), so that what must commit together does. The project is in every predicate.

mod checkpoint;
mod config;
mod conn;
mod connect;
mod error;
mod keys;
mod leased;
mod liveness;
mod migrate;
mod paging;
mod partitions;
mod row;
mod signals;
mod sql;
mod store;
mod table;
mod tx;
mod write;
mod writer;

pub mod api_keys;
pub mod attempts;
pub mod audit;
pub mod claim;
pub mod contacts;
pub mod counters;
pub mod dead_letters;
pub mod decisions;
pub mod deliveries;
pub mod endpoints;
pub mod events;
pub mod fail_point;
pub mod find;
pub mod health;
pub mod idempotency;
pub mod imports;
pub mod inbox;
pub mod inspector;
pub mod items;
pub mod ledger;
pub mod maintenance;
pub mod members;
pub mod messages;
pub mod projects;
pub mod record;
pub mod replay;
pub mod requests;
pub mod rescue;
pub mod retry;
pub mod retry_jobs;
pub mod scenarios;
pub mod sealed;
pub mod sessions;
pub mod spans;
pub mod traces;
pub mod users;

pub use config::{Environment, StoreConfig};
pub use conn::{Conn, Dialect};
pub use error::StoreError;
pub use keys::{Keyring, SecretKeyTooShort};
pub use migrate::MigrationState;
pub use row::Row;
pub use signals::Signals;
pub use sql::{Bind, Sql, Value};
pub use store::Store;
pub use tx::Tx;
