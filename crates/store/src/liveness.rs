//! Connections to PostgreSQL that may have died in the pool: after an outage each of them has, and none of
//! that may cost a request.
//!
//! A dead one is found by what is asked of it first, if that may be asked again of another; a ping before
//! would cost every request a round trip. Each failure takes one dead connection out of the pool, so the
//! pool's size bounds the tries. One that hangs is found by the time it takes.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, Postgres};
use sqlx::{Connection as _, Transaction};

use crate::conn::{Conn, PgHandle};
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;

/// How long a connection may take to answer a ping or a `BEGIN`, for which it waits for nobody.
const ANSWER: Duration = Duration::from_secs(5);
/// How long a repeatable statement may take: more than PostgreSQL lets it wait for a lock.
const STATEMENT: Duration = Duration::from_secs(15);

/// A connection that has just answered, for statements that must not be repeated.
pub(crate) async fn acquire(pool: &PgPool) -> Result<PoolConnection<Postgres>, StoreError> {
    let tries = async {
        loop {
            let mut conn = pool.acquire().await?;
            if conn.ping().await.is_ok() {
                return Ok(conn);
            }
        }
    };
    within(ANSWER, tries).await
}

/// A transaction that `statement` begins. Nothing is lost when that finds a connection dead.
pub(crate) async fn begin(
    pool: &PgPool,
    statement: &'static str,
) -> Result<Transaction<'static, Postgres>, StoreError> {
    let tries = async {
        let mut left = pool.options().get_max_connections();
        loop {
            match pool.begin_with(statement).await.map_err(StoreError::from) {
                Err(StoreError::Unavailable(_)) if left > 0 && !pool.is_closed() => left -= 1,
                begun => return begun,
            }
        }
    };
    within(ANSWER, tries).await
}

/// A transaction over a connection that is in use.
pub(crate) async fn begin_on(conn: PoolConnection<Postgres>) -> Result<Transaction<'static, Postgres>, StoreError> {
    within(ANSWER, async { Transaction::begin(conn, None).await.map_err(StoreError::from) }).await
}

/// The rows of a statement that may be repeated without harm, and the connection they came by.
pub(crate) async fn fetch(pool: &PgPool, statement: &Sql) -> Result<(Vec<Row>, Conn), StoreError> {
    let tries = async {
        let mut left = pool.options().get_max_connections();
        loop {
            let mut conn = Conn::Postgres(PgHandle::Pooled(pool.acquire().await?));
            match statement.clone().fetch_all(&mut conn).await {
                Err(_) if left > 0 && conn.is_broken().await => left -= 1,
                done => return Ok((done?, conn)),
            }
        }
    };
    within(STATEMENT, tries).await
}

async fn within<T>(limit: Duration, tries: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let late = |_| StoreError::Unavailable(format!("no answer in {} s", limit.as_secs()));
    tokio::time::timeout(limit, tries).await.map_err(late)?
}
