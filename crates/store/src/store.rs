//! Opening a database, reading from it, and writing to it.

use std::sync::Arc;

use domain::{Entropy, Timestamp};
use futures::future::BoxFuture;
use sqlx::ConnectOptions as _;
use sqlx::Transaction;
use sqlx::postgres::{PgPool, Postgres};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use tokio::sync::mpsc;

use crate::checkpoint::{self, Log};
use crate::config::{Environment, StoreConfig};
use crate::conn::{Conn, Dialect, PgHandle, SqliteHandle};
use crate::connect;
use crate::error::StoreError;
use crate::keys::Keyring;
use crate::liveness;
use crate::migrate::{self, MigrationState};
use crate::row::Row;
use crate::signals::Signals;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::writer::{self, Job, Write};

/// Begins a transaction of PostgreSQL.
const BEGIN: &str = "BEGIN";
/// The same, for one whose commit need not wait for the disk.
const UNFLUSHED: &str = "BEGIN; SET LOCAL synchronous_commit = off";
/// An open database. Cheap to clone.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    env: Environment,
    signals: Signals,
    backend: Backend,
}

enum Backend {
    Sqlite { options: Box<SqliteConnectOptions>, readers: SqlitePool, writer: mpsc::Sender<Box<dyn Job>> },
    Postgres { pool: PgPool },
}

impl Store {
    /// Opens the database. Does not migrate it.
    ///
    /// # Errors
    /// When it can't be reached or opened.
    pub async fn open(config: StoreConfig, env: Environment) -> Result<Self, StoreError> {
        let signals = Signals::new();
        let backend = match config {
            StoreConfig::Sqlite { path } => {
                let options = connect::sqlite(path);
                let conn = Conn::Sqlite(SqliteHandle::Owned(Box::new(options.connect().await?)));
                let readers = connect::sqlite_readers(options.clone());
                let (writer, queue) = mpsc::channel(writer::QUEUE);
                let log = Arc::new(Log::default());
                tokio::spawn(checkpoint::run(options.clone(), Arc::downgrade(&log)));
                tokio::spawn(writer::run(Tx::new(conn, env.clone()), queue, signals.clone(), log));
                Backend::Sqlite { options: Box::new(options), readers, writer }
            }
            StoreConfig::Postgres { url, max_connections } => {
                let pool = connect::postgres(&url, max_connections)?;
                Backend::Postgres { pool }
            }
        };
        Ok(Self(Arc::new(Inner { env, signals, backend })))
    }

    /// Brings the schema up to this version, and makes sure that the coming days have partitions.
    ///
    /// # Errors
    /// When a migration fails or the database is newer than this program.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match &self.0.backend {
            Backend::Sqlite { options, .. } => migrate::sqlite(&mut options.connect().await?).await,
            Backend::Postgres { pool } => {
                migrate::postgres(pool).await?;
                crate::partitions::ensure(self).await
            }
        }
    }

    /// How the schema compares to this version.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn migration_state(&self) -> Result<MigrationState, StoreError> {
        migrate::state(&mut self.reader().await?).await
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// When there is none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        Sql::new("SELECT 1 AS one").fetch_one(&mut self.reader().await?).await.map(drop)
    }

    /// A connection to read with.
    ///
    /// # Errors
    /// When none is to be had in time.
    pub async fn reader(&self) -> Result<Conn, StoreError> {
        Ok(match &self.0.backend {
            Backend::Sqlite { readers, .. } => Conn::Sqlite(SqliteHandle::Pooled(readers.acquire().await?)),
            Backend::Postgres { pool } => Conn::Postgres(PgHandle::Pooled(liveness::acquire(pool).await?)),
        })
    }

    /// Runs `statement`, which may be repeated without harm, on a connection of which nobody knows whether it
    /// still lives: that saves the round trip of asking. The connection comes back with the rows.
    ///
    /// # Errors
    /// The statement's own, or when no connection is to be had in time.
    pub(crate) async fn fetch_repeatable(&self, statement: &Sql) -> Result<(Vec<Row>, Conn), StoreError> {
        match &self.0.backend {
            Backend::Sqlite { .. } => {
                let mut conn = self.reader().await?;
                Ok((statement.clone().fetch_all(&mut conn).await?, conn))
            }
            Backend::Postgres { pool } => liveness::fetch(pool, statement).await,
        }
    }

    /// Runs `operation` in one transaction: all of it commits before this returns `Ok`, or none.
    /// It runs to its end even if the caller stops waiting.
    ///
    /// # Errors
    /// The operation's own, which rolls back; or the database's.
    pub async fn write<F, T, E>(&self, operation: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: Send + From<StoreError> + 'static,
    {
        self.write_on(None, operation).await
    }

    /// As [`Self::write`], for notes that a crash of PostgreSQL itself may forget: the commit returns before the
    /// disk has it. SQLite's commits are shared with others, and stay as they are.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn write_unflushed<F, T, E>(&self, operation: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: Send + From<StoreError> + 'static,
    {
        match &self.0.backend {
            Backend::Sqlite { .. } => self.write(operation).await,
            Backend::Postgres { pool } => {
                let pool = pool.clone();
                self.transact(async move { liveness::begin(&pool, UNFLUSHED).await }, operation).await
            }
        }
    }

    /// As [`Self::write`]; on PostgreSQL over `conn` if there is one, which saves taking another.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn write_on<F, T, E>(&self, conn: Option<Conn>, operation: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: Send + From<StoreError> + 'static,
    {
        match &self.0.backend {
            Backend::Sqlite { writer, .. } => {
                let (job, answer) = Write::new(operation);
                writer.send(job).await.map_err(|_| writer::interrupted())?;
                answer.await.map_err(|_| writer::interrupted())?
            }
            Backend::Postgres { pool } => {
                let pool = pool.clone();
                let begin = async move {
                    match conn {
                        Some(Conn::Postgres(PgHandle::Pooled(conn))) => liveness::begin_on(conn).await,
                        _ => liveness::begin(&pool, BEGIN).await,
                    }
                };
                self.transact(begin, operation).await
            }
        }
    }

    /// Runs `operation` in PostgreSQL's transaction, in a task that nobody can cancel.
    fn transact<F, T, E>(
        &self,
        begin: impl Future<Output = Result<Transaction<'static, Postgres>, StoreError>> + Send + 'static,
        operation: F,
    ) -> BoxFuture<'static, Result<T, E>>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: Send + From<StoreError> + 'static,
    {
        let (env, signals) = (self.0.env.clone(), self.0.signals.clone());
        let work = tokio::spawn(async move {
            let mut tx = Tx::new(Conn::Postgres(PgHandle::Transaction(begin.await?)), env);
            let value = operation(&mut tx).await?;
            let (conn, announced) = tx.into_parts();
            if let Conn::Postgres(PgHandle::Transaction(tx)) = conn {
                tx.commit().await.map_err(StoreError::from)?;
            }
            announced.fire(&signals);
            Ok(value)
        });
        Box::pin(async move { work.await.unwrap_or_else(|_| Err(writer::interrupted().into())) })
    }

    /// Which database this is.
    pub fn dialect(&self) -> Dialect {
        match self.0.backend {
            Backend::Sqlite { .. } => Dialect::Sqlite,
            Backend::Postgres { .. } => Dialect::Postgres,
        }
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.0.env.clock.now()
    }

    /// Randomness.
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.0.env.entropy
    }

    /// The working keys.
    pub fn keys(&self) -> &Keyring {
        &self.0.env.keys
    }

    /// The injected surroundings.
    pub fn environment(&self) -> &Environment {
        &self.0.env
    }

    /// Wake-ups within this process.
    pub fn signals(&self) -> &Signals {
        &self.0.signals
    }
}
