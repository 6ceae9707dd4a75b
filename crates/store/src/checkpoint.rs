//! Copying SQLite's write-ahead log back into its file, beside the writer instead of in it.
//!
//! By itself SQLite does that in the commit that makes the log long, which waits for thousands of pages and two
//! flushes. Here another connection copies while writes go on. It never catches up with a busy writer, and only
//! a log that is copied whole starts anew; so once the log is long, the writer copies the short rest, between
//! two groups.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use crate::conn::{Conn, SqliteHandle};
use crate::error::StoreError;
use crate::sql::Sql;

/// How often the log's length is looked at while there are writes.
const EVERY: Duration = Duration::from_millis(250);
/// Pages that are worth a copy: one that many commits change is copied once for all of them.
const WORTH: i64 = 4_000;
/// Pages after which the log is to start anew: 64 MB.
const LONG: i64 = 16_000;
/// Pages after which the writer copies them itself, should nobody else do so.
pub(crate) const TOO_LONG: &str = "64000";

/// What the writer and the one who copies tell each other.
#[derive(Default)]
pub(crate) struct Log {
    is_written: AtomicBool,
    is_to_be_finished: AtomicBool,
}

/// How many pages the log has, and how many of them are in the file already.
struct Length {
    pages: i64,
    copied: i64,
}

impl Log {
    /// To be told after each commit, outside of any transaction.
    pub(crate) async fn written(&self, conn: &mut Conn) {
        self.is_written.store(true, Ordering::Relaxed);
        if self.is_to_be_finished.swap(false, Ordering::Relaxed) {
            report(copy(conn).await);
        }
    }
}

/// Copies until the writer is gone.
pub(crate) async fn run(options: SqliteConnectOptions, log: Weak<Log>) {
    let mut conn = None;
    while let Some(log) = next(&log).await {
        if log.is_written.swap(false, Ordering::Relaxed) {
            report(round(&options, &mut conn, &log).await);
        }
    }
}

async fn next(log: &Weak<Log>) -> Option<Arc<Log>> {
    tokio::time::sleep(EVERY).await;
    log.upgrade()
}

async fn round(options: &SqliteConnectOptions, conn: &mut Option<Conn>, log: &Log) -> Result<(), StoreError> {
    let conn = match conn {
        Some(conn) => conn,
        None => conn.insert(Conn::Sqlite(SqliteHandle::Owned(Box::new(options.connect().await?)))),
    };
    let now = length(conn, "PRAGMA wal_checkpoint(NOOP)").await?;
    if now.pages - now.copied >= WORTH {
        let after = copy(conn).await?;
        log.is_to_be_finished.store(after.pages >= LONG, Ordering::Relaxed);
    }
    Ok(())
}

async fn copy(conn: &mut Conn) -> Result<Length, StoreError> {
    length(conn, "PRAGMA wal_checkpoint(PASSIVE)").await
}

async fn length(conn: &mut Conn, pragma: &str) -> Result<Length, StoreError> {
    let row = Sql::new(pragma).fetch_one(conn).await?;
    Ok(Length { pages: row.int("log")?, copied: row.int("checkpointed")? })
}

fn report<T>(copied: Result<T, StoreError>) {
    if let Err(error) = copied {
        tracing::warn!(%error, "the log was not copied into the database's file");
    }
}
