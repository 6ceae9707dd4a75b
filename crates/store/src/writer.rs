//! The one SQLite writer, fed by a queue, with group commit.
//!
//! SQLite has one writer at a time and pays one disk flush for each commit. So writes queue up, and
//! all that wait go into one `BEGIN IMMEDIATE` … `COMMIT`, each behind its own savepoint: one that
//! fails undoes itself alone, and none is answered before the flush. A write that somebody waits for
//! before going to work comes before the others and closes its group: what waits behind it is
//! written while that work is done.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use crate::checkpoint::Log;
use crate::error::StoreError;
use crate::signals::Signals;
use crate::tx::Tx;

/// How many writes share a commit at most: bounds how long the first of them waits.
const GROUP: usize = 128;
/// How many writes may wait; beyond it callers wait for a place.
const QUEUE: usize = 4_096;

/// Undoes what the present write of a group has done so far.
pub(crate) const UNDO: &str = "ROLLBACK TO SAVEPOINT job";

/// Where writes are handed in.
pub(crate) struct Writer {
    first: mpsc::Sender<Box<dyn Job>>,
    others: mpsc::Sender<Box<dyn Job>>,
}

/// Where the writer takes them.
pub(crate) struct Queue {
    first: mpsc::Receiver<Box<dyn Job>>,
    others: mpsc::Receiver<Box<dyn Job>>,
}

/// Both ends.
pub(crate) fn queue() -> (Writer, Queue) {
    let ((first, from_first), (others, from_others)) = (mpsc::channel(QUEUE), mpsc::channel(QUEUE));
    (Writer { first, others }, Queue { first: from_first, others: from_others })
}

impl Writer {
    /// Queues a write; `first` is for those that somebody waits for before going to work.
    pub(crate) async fn send(&self, job: Box<dyn Job>, first: bool) -> Result<(), StoreError> {
        let lane = if first { &self.first } else { &self.others };
        lane.send(job).await.map_err(|_| interrupted())
    }
}

impl Queue {
    /// The next write and whether it closes its group. `None` when nobody can send any more.
    async fn next(&mut self) -> Option<(Box<dyn Job>, bool)> {
        tokio::select! {
            biased;
            Some(job) = self.first.recv() => Some((job, true)),
            Some(job) = self.others.recv() => Some((job, false)),
            else => None,
        }
    }

    /// The next one if it waits already.
    fn waiting(&mut self) -> Option<(Box<dyn Job>, bool)> {
        let first = self.first.try_recv().ok().map(|job| (job, true));
        first.or_else(|| self.others.try_recv().ok().map(|job| (job, false)))
    }
}

/// A write whose result type is forgotten.
pub(crate) trait Job: Send {
    /// Runs it; `false` asks for its changes to be undone.
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool>;
    /// Answers the caller, after the commit or instead of it.
    fn finish(self: Box<Self>, committed: Result<(), StoreError>);
}

/// A write and whoever waits for it.
pub(crate) struct Write<F, T, E> {
    operation: Option<F>,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Write<F, T, E> {
    pub(crate) fn new(operation: F) -> (Box<Self>, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Box::new(Self { operation: Some(operation), outcome: None, reply }), answer)
    }
}

impl<F, T, E> Job for Write<F, T, E>
where
    F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send,
    T: Send,
    E: Send + From<StoreError>,
{
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool> {
        Box::pin(async move {
            let Some(operation) = self.operation.take() else { return false };
            let outcome = AssertUnwindSafe(operation(tx)).catch_unwind().await;
            // The panic's message is already in the log, by the panic hook.
            self.outcome = Some(outcome.unwrap_or_else(|_| Err(interrupted().into())));
            matches!(self.outcome, Some(Ok(_)))
        })
    }

    fn finish(self: Box<Self>, committed: Result<(), StoreError>) {
        let result = match (committed, self.outcome) {
            (Ok(()), Some(outcome)) | (Err(_), Some(outcome @ Err(_))) => outcome,
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(interrupted().into()),
        };
        // Whoever hung up doesn't need the answer; the work is done all the same.
        let _ = self.reply.send(result);
    }
}

pub(crate) fn interrupted() -> StoreError {
    StoreError::Unavailable("the write was interrupted".to_owned())
}

/// Starts the writer on a thread of its own. As a task it would wait behind whatever else is ready each time that
/// SQLite's thread has answered, with the transaction open: under load that was a third of its time.
pub(crate) fn start(tx: Tx, queue: Queue, signals: Signals, log: Arc<Log>) -> Result<(), StoreError> {
    let runtime = Handle::current();
    let writer = thread::Builder::new().name("writer".to_owned());
    let started = writer.spawn(move || runtime.block_on(run(tx, queue, signals, log)));
    started.map(drop).map_err(|error| StoreError::Unavailable(format!("no thread for the writer: {error}")))
}

/// Runs until every sender is gone and the queue is empty.
async fn run(mut tx: Tx, mut queue: Queue, signals: Signals, log: Arc<Log>) {
    let mut group = Vec::with_capacity(GROUP);
    while let Some(next) = queue.next().await {
        let committed = run_group(&mut tx, next, &mut queue, &mut group).await;
        let announced = tx.take_announced();
        match committed {
            Ok(()) => {
                group.drain(..).for_each(|job| job.finish(Ok(())));
                announced.fire(&signals);
                log.written(&mut tx).await;
            }
            Err(error) => {
                let reason = error.to_string();
                tracing::error!(error = %reason, writes = group.len(), "a group of writes was not committed");
                group.drain(..).for_each(|job| job.finish(Err(StoreError::Unavailable(reason.clone()))));
                // Fails when there is nothing to roll back, which is just as good.
                let _ = tx.run("ROLLBACK").await;
            }
        }
    }
}

async fn run_group(
    tx: &mut Tx,
    (first, mut is_last): (Box<dyn Job>, bool),
    queue: &mut Queue,
    group: &mut Vec<Box<dyn Job>>,
) -> Result<(), StoreError> {
    group.push(first);
    tx.run("BEGIN IMMEDIATE; SAVEPOINT job").await?;
    let mut at = 0;
    while let Some(job) = group.get_mut(at) {
        tx.refresh();
        if !job.run(tx).await {
            tx.run(UNDO).await?;
        }
        at += 1;
        if let Some((job, closes)) = (!is_last && at < GROUP).then(|| queue.waiting()).flatten() {
            group.push(job);
            is_last = closes;
            // Both in one call: each is a change of threads.
            tx.run("RELEASE SAVEPOINT job; SAVEPOINT job").await?;
        }
    }
    tx.run("COMMIT").await
}
