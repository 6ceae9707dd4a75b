//! How either database is connected to.

use std::path::PathBuf;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};

use crate::checkpoint;
use crate::error::StoreError;

/// How long a caller waits for a connection before it hears «unavailable».
const ACQUIRE: Duration = Duration::from_secs(5);
/// How long SQLite waits for another process (the command line) to finish its write.
const BUSY: Duration = Duration::from_secs(10);
/// How many statements a connection keeps prepared; on SQLite batches come in seven lengths each (`table`).
const STATEMENTS: usize = 256;
/// How many SQLite readers there are; they don't block the writer.
const READERS: u32 = 4;

/// A file whose commits are on the disk when they return.
pub(crate) fn sqlite(path: PathBuf) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .statement_cache_capacity(STATEMENTS)
        .pragma("temp_store", "memory")
        .pragma("cache_size", "-32000")
        .pragma("wal_autocheckpoint", checkpoint::TOO_LONG)
        .pragma("journal_size_limit", "67108864")
        .disable_statement_logging()
}

/// Connections that can't change anything.
pub(crate) fn sqlite_readers(options: SqliteConnectOptions) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(ACQUIRE)
        // A file does not hang up.
        .test_before_acquire(false)
        .connect_lazy_with(options.pragma("query_only", "ON"))
}

/// Connections to a server, made when they are needed.
///
/// # Errors
/// When the URL is none.
pub(crate) fn postgres(url: &str, max_connections: u32) -> Result<PgPool, StoreError> {
    let options: PgConnectOptions = url.parse()?;
    let options = options
        .application_name("botix")
        .statement_cache_capacity(STATEMENTS)
        .options([("statement_timeout", "30s"), ("lock_timeout", "10s")])
        .disable_statement_logging();
    Ok(PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(ACQUIRE)
        // Whoever takes one does (`liveness`).
        .test_before_acquire(false)
        .connect_lazy_with(options))
}
