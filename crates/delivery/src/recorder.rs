//! Recording outcomes in batches: one transaction, one flush, for whatever has ended meanwhile.

use std::sync::Arc;
use std::time::Duration;

use store::record::{Finished, record};
use store::{Store, StoreError, fail_point};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use crate::config::Config;
use crate::metrics;
use crate::slots::{Slot, Slots};

/// Outcomes in one transaction at most.
const BATCH: usize = 512;
/// How long outcomes are gathered while more requests are under way than have ended: a transaction for each few
/// would cost many times what it records.
const GATHER: Duration = Duration::from_millis(2);
/// Between two tries while the database is away.
const PAUSE: Duration = Duration::from_millis(250);

/// An outcome, with the place that is held until it is recorded.
pub(crate) struct Ended {
    pub finished: Finished,
    pub slot: Slot,
}

/// Records until every sender is gone. An outcome is tried again for as long as its lease may hold;
/// after that somebody else has logged it as interrupted.
pub(crate) async fn run(store: Store, mut ended: mpsc::Receiver<Ended>, slots: Slots, config: Arc<Config>) {
    let mut batch = Vec::with_capacity(BATCH);
    while ended.recv_many(&mut batch, BATCH).await > 0 {
        if slots.sending() > batch.len() {
            sleep(GATHER).await;
            while let Some(one) = (batch.len() < BATCH).then(|| ended.try_recv().ok()).flatten() {
                batch.push(one);
            }
        }
        fail_point::pass("before-record");
        metrics::recorded(batch.len());
        let (outcomes, places): (Vec<_>, Vec<_>) = batch.drain(..).map(|e| (e.finished, e.slot)).unzip();
        for finished in &outcomes {
            metrics::ended(finished);
        }
        write(&store, outcomes.into(), config.lease()).await;
        fail_point::pass("after-record");
        drop(places);
    }
}

async fn write(store: &Store, outcomes: Arc<[Finished]>, patience: Duration) {
    let given_up = Instant::now() + patience;
    loop {
        match commit(store, Arc::clone(&outcomes)).await {
            Ok(recorded) => {
                let lost = outcomes.len() - recorded;
                if lost > 0 {
                    tracing::warn!(lost, "outcomes came after their leases had ended");
                }
                return;
            }
            Err(error) if error.is_transient() && Instant::now() < given_up => {
                tracing::warn!(%error, outcomes = outcomes.len(), "outcomes are not recorded yet");
                sleep(PAUSE).await;
            }
            Err(error) if outcomes.len() > 1 && !error.is_transient() => {
                tracing::error!(%error, outcomes = outcomes.len(), "a batch was refused; recording one by one");
                return one_by_one(store, &outcomes).await;
            }
            Err(error) => {
                tracing::error!(%error, outcomes = outcomes.len(), "outcomes are lost; their leases will end");
                return;
            }
        }
    }
}

/// So that one outcome that the database refuses does not take its neighbours with it.
async fn one_by_one(store: &Store, outcomes: &[Finished]) {
    for finished in outcomes {
        let delivery = finished.delivery_id;
        if let Err(error) = commit(store, Arc::new([finished.clone()])).await {
            tracing::error!(%error, %delivery, "an outcome is lost; its lease will end");
        }
    }
}

async fn commit(store: &Store, outcomes: Arc<[Finished]>) -> Result<usize, StoreError> {
    store
        .write(move |tx| {
            Box::pin(async move {
                let recorded = record(tx, &outcomes).await;
                fail_point::pass("in-record");
                recorded
            })
        })
        .await
}
