//! Writing down requests whose row is not part of an operation's own transaction.
//!
//! Rows are collected and written together: those that can wait for up to [`PATIENCE`], those that
//! somebody waits for at once, with whatever has gathered. So a flood of refused requests costs a
//! few transactions, not one each.

use std::time::Duration;

use domain::Timestamp;
use domain::id::ApiKeyId;
use store::idempotency::{self, Reuse};
use store::requests::{self, NewRequest};
use store::{Store, StoreError, api_keys};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

/// How long a row that nobody waits for may wait for others.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long an answer waits for its row at most: a refusal is told at once even while the database
/// is busy, and its row follows.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// How long a batch waits for as many as waited together the last time: callers who were answered together come
/// again together, and who is alone waits for nobody.
const GATHERING: Duration = Duration::from_millis(1);
const QUEUE: usize = 16_384;
const BATCH: usize = 512;

enum Entry {
    Row(Box<NewRequest>),
    Waited(Box<NewRequest>, Option<Reuse>, oneshot::Sender<()>),
    KeyUsed(ApiKeyId, Timestamp),
    Flush(oneshot::Sender<()>),
}

/// The way into the log.
#[derive(Clone)]
pub(crate) struct RequestLog(mpsc::Sender<Entry>);

impl RequestLog {
    /// Starts the writer; it ends when the log is dropped and everything is written.
    pub(crate) fn start(store: Store) -> Self {
        let (sender, queue) = mpsc::channel(QUEUE);
        tokio::spawn(write_down(store, queue));
        Self(sender)
    }

    /// Writes the row within a second.
    pub(crate) fn later(&self, row: NewRequest) {
        self.offer(Entry::Row(Box::new(row)));
    }

    /// Writes the row and waits until it can be found, though never for long.
    pub(crate) async fn now(&self, row: NewRequest) {
        self.waited(row, None).await;
    }

    /// As [`Self::now`], and counts the repetition of a key.
    pub(crate) async fn reused(&self, row: NewRequest, reuse: Reuse) {
        self.waited(row, Some(reuse)).await;
    }

    async fn waited(&self, row: NewRequest, reuse: Option<Reuse>) {
        let (done, written) = oneshot::channel();
        self.offer(Entry::Waited(Box::new(row), reuse, done));
        // Late or lost: the answer itself is right all the same.
        let _ = timeout(LONGEST_WAIT, written).await;
    }

    /// Notes that a key was used.
    pub(crate) fn key_used(&self, id: ApiKeyId, at: Timestamp) {
        self.offer(Entry::KeyUsed(id, at));
    }

    /// Waits until everything offered so far is written.
    pub(crate) async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.0.send(Entry::Flush(done)).await.is_ok() {
            let _ = written.await;
        }
    }

    fn offer(&self, entry: Entry) {
        if self.0.try_send(entry).is_err() {
            // Rather a hole in the log than a process that runs out of memory.
            metrics::counter!("botix_request_log_dropped_total").increment(1);
        }
    }
}

#[derive(Default)]
struct Batch {
    rows: Vec<NewRequest>,
    used: Vec<(ApiKeyId, Timestamp)>,
    reuses: Vec<Reuse>,
    waiting: Vec<oneshot::Sender<()>>,
}

impl Batch {
    fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Row(row) => self.rows.push(*row),
            Entry::Waited(row, reuse, done) => {
                self.rows.push(*row);
                self.reuses.extend(reuse);
                self.waiting.push(done);
            }
            Entry::KeyUsed(id, at) => self.used.push((id, at)),
            Entry::Flush(done) => self.waiting.push(done),
        }
    }

    const fn is_ready(&self) -> bool {
        !self.waiting.is_empty() || self.rows.len() >= BATCH
    }

    async fn write(self, store: &Store) {
        let Self { rows, mut used, reuses, waiting } = self;
        used.sort_unstable();
        used.dedup_by_key(|(id, _)| *id);
        let count = rows.len();
        // Nothing here was promised to anybody: what changes something is logged in its own transaction.
        let written = store.write_unflushed::<_, (), StoreError>(move |tx| {
            Box::pin(async move {
                requests::insert_all(tx, &rows).await?;
                idempotency::count_reuses(tx, reuses).await?;
                for (id, at) in used {
                    api_keys::touch(tx, id, at).await?;
                }
                Ok(())
            })
        });
        if let Err(error) = written.await {
            tracing::error!(%error, rows = count, "requests could not be logged");
        }
        for done in waiting {
            let _ = done.send(());
        }
    }
}

async fn write_down(store: Store, mut queue: mpsc::Receiver<Entry>) {
    let mut waited_last = 0;
    while let Some(first) = queue.recv().await {
        let mut batch = Batch::default();
        batch.add(first);
        let deadline = Instant::now() + PATIENCE;
        while !batch.is_ready() {
            match timeout_at(deadline, queue.recv()).await {
                Ok(Some(entry)) => batch.add(entry),
                Ok(None) | Err(_) => break,
            }
        }
        let deadline = Instant::now() + GATHERING;
        while batch.rows.len() < BATCH {
            match queue.try_recv() {
                Ok(entry) => batch.add(entry),
                Err(_) if batch.waiting.len() >= waited_last => break,
                Err(_) => match timeout_at(deadline, queue.recv()).await {
                    Ok(Some(entry)) => batch.add(entry),
                    Ok(None) | Err(_) => break,
                },
            }
        }
        waited_last = batch.waiting.len();
        batch.write(&store).await;
    }
}
