//! Jobs that one worker at a time carries out, under a lease: imports and bulk retries.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use domain::id::{ProjectId, RequestId};

use crate::conn::{Conn, Dialect};
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::{Bind, Sql};
use crate::store::Store;
use crate::tx::Tx;

/// How long a claim holds; far longer than a step takes, and renewed by each.
pub const LEASE: Duration = Duration::from_secs(15);
/// How often a job may be taken up without a step forward before it is given up.
pub(crate) const MOST_TRIES: i64 = 10;

/// A job that somebody works on.
#[derive(Clone, Debug)]
pub struct Claimed<Id> {
    pub(crate) id: Id,
    pub(crate) project: ProjectId,
    pub(crate) tries: i64,
    token: String,
}

/// Where jobs of one kind stand, and in which order they are taken up.
#[derive(Clone, Copy)]
pub(crate) struct Queue {
    pub(crate) table: &'static str,
    pub(crate) order: &'static str,
}

impl Queue {
    /// Takes the next job of those that nobody works on and that are their project's first. A look without a
    /// transaction comes before: most of the time there is nothing to take.
    pub(crate) async fn claim<Id>(self, store: &Store) -> Result<Option<Claimed<Id>>, StoreError>
    where
        Id: Bind + FromStr<Err: Display> + Copy + Send + 'static,
    {
        if self.next(&mut store.reader().await?, store.now(), "").await?.is_none() {
            return Ok(None);
        }
        store.write::<_, _, StoreError>(move |tx| Box::pin(self.take(tx))).await
    }

    async fn next(self, conn: &mut Conn, now: domain::Timestamp, lock: &str) -> Result<Option<Row>, StoreError> {
        let Self { table, order } = self;
        Sql::new(&format!("SELECT id, project_id, tries FROM {table} j WHERE finished_at IS NULL"))
            .push(" AND (leased_until IS NULL OR leased_until <= ")
            .bind(now)
            .push(&format!(
                ") AND NOT EXISTS (SELECT 1 FROM {table} e WHERE e.project_id = j.project_id \
                 AND e.finished_at IS NULL AND (e.created_at, e.id) < (j.created_at, j.id)) ORDER BY {order} LIMIT 1",
            ))
            .push(lock)
            .fetch_optional(conn)
            .await
    }

    async fn take<Id>(self, tx: &mut Tx) -> Result<Option<Claimed<Id>>, StoreError>
    where
        Id: Bind + FromStr<Err: Display> + Copy,
    {
        let now = tx.now();
        let lock = if tx.dialect() == Dialect::Postgres { " FOR UPDATE SKIP LOCKED" } else { "" };
        let Some(row) = self.next(tx, now, lock).await? else { return Ok(None) };
        let claimed = Claimed {
            id: row.parse("id")?,
            project: row.parse("project_id")?,
            tries: row.int("tries")? + 1,
            // Random and unique is all that a token has to be.
            token: RequestId::generate(now, tx.entropy()).to_string(),
        };
        Sql::new(&format!("UPDATE {} SET status = 'running', tries = ", self.table))
            .bind(claimed.tries)
            .push(", claim_token = ")
            .bind(&claimed.token)
            .push(", leased_until = ")
            .bind(now.plus(LEASE))
            .push(", started_at = COALESCE(started_at, ")
            .bind(now)
            .push("), updated_at = ")
            .bind(now)
            .push(" WHERE id = ")
            .bind(claimed.id)
            .execute(tx)
            .await?;
        Ok(Some(claimed))
    }

    /// `columns` of the job's row, if the claim still holds.
    ///
    /// # Errors
    /// [`StoreError::Fenced`] when it doesn't.
    pub(crate) async fn held<Id: Bind + Copy>(
        self,
        tx: &mut Tx,
        claimed: &Claimed<Id>,
        columns: &str,
    ) -> Result<Row, StoreError> {
        let lock = if tx.dialect() == Dialect::Postgres { " FOR UPDATE" } else { "" };
        let query = Sql::new(&format!("SELECT {columns} FROM {} WHERE finished_at IS NULL AND id = ", self.table));
        let query = query.bind(claimed.id).push(" AND claim_token = ").bind(&claimed.token).push(lock);
        query.fetch_optional(tx).await?.ok_or(StoreError::Fenced)
    }

    /// Gives the job back: the next call may take it up at once.
    pub(crate) async fn release<Id: Bind + Copy>(self, tx: &mut Tx, claimed: &Claimed<Id>) -> Result<(), StoreError> {
        let query = format!("UPDATE {} SET claim_token = NULL, leased_until = NULL WHERE id = ", self.table);
        let query = Sql::new(&query).bind(claimed.id).push(" AND claim_token = ").bind(&claimed.token);
        query.execute(tx).await.map(drop)
    }
}
