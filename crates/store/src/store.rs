//! Opening a database and reading from it; `write` writes to it.

use std::sync::Arc;

use domain::{Entropy, Timestamp};
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgPool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};

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
use crate::writer::{self, Writer};

/// An open database. Cheap to clone.
#[derive(Clone)]
pub struct Store(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) env: Environment,
    pub(crate) signals: Signals,
    pub(crate) backend: Backend,
}

pub(crate) enum Backend {
    Sqlite { options: Box<SqliteConnectOptions>, readers: SqlitePool, writer: Writer },
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
                let (writer, queue) = writer::queue();
                let log = Arc::new(Log::default());
                tokio::spawn(checkpoint::run(options.clone(), Arc::downgrade(&log)));
                writer::start(Tx::new(conn, env.clone()), queue, signals.clone(), log)?;
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
