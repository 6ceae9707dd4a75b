//! A connection to either database.

use sqlx::pool::PoolConnection;
use sqlx::postgres::Postgres;
use sqlx::sqlite::{Sqlite, SqliteConnection};
use sqlx::{Connection as _, PgConnection};

/// Which database speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Embedded, one writer.
    Sqlite,
    /// A server, many replicas.
    Postgres,
}

/// A connection: of a reader pool, of the one SQLite writer, or inside a PostgreSQL transaction.
pub enum Conn {
    /// To SQLite.
    Sqlite(SqliteHandle),
    /// To PostgreSQL.
    Postgres(PgHandle),
}

/// A SQLite connection, owned or from the readers' pool.
pub enum SqliteHandle {
    /// The writer's own.
    Owned(Box<SqliteConnection>),
    /// A reader's.
    Pooled(PoolConnection<Sqlite>),
}

/// A PostgreSQL connection, plain or in a transaction that rolls back when dropped.
pub enum PgHandle {
    /// Each statement for itself.
    Pooled(PoolConnection<Postgres>),
    /// All or nothing.
    Transaction(sqlx::Transaction<'static, Postgres>),
}

impl Conn {
    /// Which database this is.
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Whether the server has hung up. A file does not.
    pub(crate) async fn is_broken(&mut self) -> bool {
        match self {
            Self::Sqlite(_) => false,
            Self::Postgres(conn) => conn.as_mut().ping().await.is_err(),
        }
    }
}

impl std::ops::Deref for SqliteHandle {
    type Target = SqliteConnection;
    fn deref(&self) -> &SqliteConnection {
        match self {
            Self::Owned(conn) => conn,
            Self::Pooled(conn) => conn,
        }
    }
}

impl std::ops::DerefMut for SqliteHandle {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        match self {
            Self::Owned(conn) => conn,
            Self::Pooled(conn) => conn,
        }
    }
}

impl AsMut<PgConnection> for PgHandle {
    fn as_mut(&mut self) -> &mut PgConnection {
        match self {
            Self::Pooled(conn) => conn,
            Self::Transaction(tx) => tx,
        }
    }
}
