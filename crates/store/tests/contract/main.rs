//! The contract suite: every repository function, on SQLite and on PostgreSQL.
//!
//! Without `BOTIX_TEST_POSTGRES_URL` the PostgreSQL half is left out, loudly.

mod harness;

mod lists;
mod migrations;
mod publishing;
mod transactions;
