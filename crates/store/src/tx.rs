//! One write transaction.

use std::ops::{Deref, DerefMut};

use domain::{Entropy, Timestamp};

use crate::config::Environment;
use crate::conn::{Conn, Dialect};
use crate::error::StoreError;
use crate::keys::Keyring;
use crate::signals::Signals;
use crate::sql::Sql;
use crate::writer;

/// A transaction in progress: a connection, the injected surroundings, and what to announce once it
/// has committed.
pub struct Tx {
    conn: Conn,
    env: Environment,
    announced: Announced,
    /// Nothing has been asked of the database yet, so the transaction's own beginning will do as a savepoint.
    is_fresh: bool,
    /// The savepoints that are open, outermost first.
    open: Vec<Savepoint>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Savepoint {
    /// The beginning of the transaction, which costs no statement.
    Beginning,
    Marked,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Announced {
    due: bool,
    recorded: bool,
    captured: bool,
}

impl Tx {
    pub(crate) fn new(conn: Conn, env: Environment) -> Self {
        Self { conn, env, announced: Announced::default(), is_fresh: true, open: Vec::new() }
    }

    /// Begins another write of the same group.
    pub(crate) fn refresh(&mut self) {
        self.is_fresh = true;
        self.open.clear();
    }

    pub(crate) fn into_parts(self) -> (Conn, Announced) {
        (self.conn, self.announced)
    }

    pub(crate) fn take_announced(&mut self) -> Announced {
        std::mem::take(&mut self.announced)
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.env.clock.now()
    }

    /// Randomness.
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.env.entropy
    }

    /// The working keys.
    pub fn keys(&self) -> &Keyring {
        &self.env.keys
    }

    /// The injected surroundings, for what must outlive a borrow of the transaction.
    pub fn environment(&self) -> Environment {
        self.env.clone()
    }

    /// Wakes the engine when this commits.
    pub fn wake_due(&mut self) {
        self.announced.due = true;
    }

    /// Tells the live pages when this commits.
    pub fn announce_recorded(&mut self) {
        self.announced.recorded = true;
    }

    /// Tells the inspector's live lists when this commits.
    pub fn announce_captured(&mut self) {
        self.announced.captured = true;
    }

    /// Marks a point to go back to; a second call before a release nests. Before the first statement it is free.
    pub async fn savepoint(&mut self) -> Result<(), StoreError> {
        if self.is_fresh {
            self.open.push(Savepoint::Beginning);
            return Ok(());
        }
        self.run("SAVEPOINT operation").await?;
        self.open.push(Savepoint::Marked);
        Ok(())
    }

    /// Undoes everything since the last savepoint, which is gone then.
    pub async fn rollback_to_savepoint(&mut self) -> Result<(), StoreError> {
        if self.open.pop() == Some(Savepoint::Marked) {
            self.run("ROLLBACK TO SAVEPOINT operation").await?;
            return self.run("RELEASE SAVEPOINT operation").await;
        }
        match self.conn.dialect() {
            Dialect::Sqlite => self.run(writer::UNDO).await,
            Dialect::Postgres => {
                self.run("ROLLBACK").await?;
                self.run("BEGIN").await
            }
        }
    }

    /// Keeps everything since the last savepoint.
    pub async fn release_savepoint(&mut self) -> Result<(), StoreError> {
        match self.open.pop() {
            Some(Savepoint::Marked) => self.run("RELEASE SAVEPOINT operation").await,
            Some(Savepoint::Beginning) | None => Ok(()),
        }
    }

    pub(crate) async fn run(&mut self, statement: &str) -> Result<(), StoreError> {
        Sql::new(statement).execute(&mut self.conn).await.map(drop)
    }
}

impl Announced {
    pub(crate) fn fire(self, signals: &Signals) {
        if self.due {
            signals.wake_due();
        }
        if self.recorded {
            signals.announce_recorded();
        }
        if self.captured {
            signals.announce_captured();
        }
    }
}

impl Deref for Tx {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Conn {
        self.is_fresh = false;
        &mut self.conn
    }
}
