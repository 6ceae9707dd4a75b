//! Writing: one transaction for each operation, on either database.

use futures::future::BoxFuture;
use sqlx::Transaction;
use sqlx::postgres::Postgres;

use crate::conn::{Conn, PgHandle};
use crate::error::StoreError;
use crate::liveness;
use crate::store::{Backend, Store};
use crate::tx::Tx;
use crate::writer::{self, Write, Writer};

/// Begins a transaction of PostgreSQL.
const BEGIN: &str = "BEGIN";
/// The same, for one whose commit need not wait for the disk.
const UNFLUSHED: &str = "BEGIN; SET LOCAL synchronous_commit = off";

impl Store {
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

    /// As [`Self::write`], for what the caller begins its work with: on SQLite it comes before the writes that wait,
    /// and is answered without waiting for them.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn write_first<F, T, E>(&self, operation: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: Send + From<StoreError> + 'static,
    {
        match &self.0.backend {
            Backend::Sqlite { writer, .. } => queued(writer, true, operation).await,
            Backend::Postgres { .. } => self.write(operation).await,
        }
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
            Backend::Sqlite { writer, .. } => queued(writer, false, operation).await,
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
}

async fn queued<F, T, E>(writer: &Writer, first: bool, operation: F) -> Result<T, E>
where
    F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    T: Send + 'static,
    E: Send + From<StoreError> + 'static,
{
    let (job, answer) = Write::new(operation);
    writer.send(job, first).await?;
    answer.await.map_err(|_| writer::interrupted())?
}
