//! Connections to PostgreSQL that may have died in the pool: after an outage each of them has, and none of
//! that may cost a request.
//!
//! A dead one is found by what is asked of it first, if that may be asked again of another; a ping before
//! would cost every request a round trip. Each failure takes one dead connection out of the pool, so the
//! pool's size bounds the tries.

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, Postgres};
use sqlx::{Connection as _, Transaction};

use crate::conn::{Conn, PgHandle};
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;

/// A connection that has just answered, for statements that must not be repeated.
pub(crate) async fn acquire(pool: &PgPool) -> Result<PoolConnection<Postgres>, StoreError> {
    loop {
        let mut conn = pool.acquire().await?;
        if conn.ping().await.is_ok() {
            return Ok(conn);
        }
    }
}

/// A transaction. Nothing is lost when `BEGIN` finds a connection dead.
pub(crate) async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>, StoreError> {
    let mut left = pool.options().get_max_connections();
    loop {
        match pool.begin().await.map_err(StoreError::from) {
            Err(StoreError::Unavailable(_)) if left > 0 && !pool.is_closed() => left -= 1,
            begun => return begun,
        }
    }
}

/// The rows of a statement that may be repeated without harm, and the connection they came by.
pub(crate) async fn fetch(pool: &PgPool, statement: &Sql) -> Result<(Vec<Row>, Conn), StoreError> {
    let mut left = pool.options().get_max_connections();
    loop {
        let mut conn = Conn::Postgres(PgHandle::Pooled(pool.acquire().await?));
        match statement.clone().fetch_all(&mut conn).await {
            Err(_) if left > 0 && conn.is_broken().await => left -= 1,
            done => return Ok((done?, conn)),
        }
    }
}
