//! The loop: claim what is due, send it, sleep until the next is due.

use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use domain::id::EndpointId;
use domain::status::AttemptError;
use store::claim::{self, Claimed, Due};
use store::record::Finished;
use store::{Conn, Store, StoreError, fail_point, rescue};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::client::{self, Client};
use crate::config::Config;
use crate::metrics;
use crate::recorder::{self, Ended};
use crate::send::send;
use crate::slots::Slots;

/// Outcomes that may wait for the recorder.
const OUTCOMES: usize = 512;
/// Pages of endpoints in one look for a free place.
const LOOKS: u32 = 32;
/// No database call of the loop waits longer.
const DATABASE_DEADLINE: Duration = Duration::from_secs(20);
/// Between two tries while the database is away.
const OUTAGE_PAUSE: Duration = Duration::from_secs(1);
/// How long places are gathered for a claim: a delivery of an endpoint with room waits no longer for those without.
const GATHER: Duration = Duration::from_millis(5);
/// How often leases that have run out are looked for; they hold for many times as long.
const RESCUE: Duration = Duration::from_secs(1);

/// A delivery engine.
pub struct Engine {
    store: Store,
    config: Arc<Config>,
    client: Client,
    slots: Slots,
}

impl Engine {
    /// An engine on this store. Nothing happens until [`Self::run`].
    pub fn new(store: Store, config: Config) -> Self {
        let client = client::build(&config);
        Self { store, config: Arc::new(config), client, slots: Slots::default() }
    }

    /// Runs until `shutdown`: then claims nothing more, lets what is under way end within its own
    /// deadline, and records it.
    pub async fn run(self, shutdown: CancellationToken) {
        let (ended, outcomes) = mpsc::channel(OUTCOMES);
        let recorder =
            tokio::spawn(recorder::run(self.store.clone(), outcomes, self.slots.clone(), self.config.clone()));
        let gauges = tokio::spawn(metrics::watch(self.store.clone(), self.slots.clone(), shutdown.clone()));
        let sends = TaskTracker::new();
        let mut round = Round { endpoint: None, rescue_at: Instant::now() };
        let mut is_away = false;
        while !shutdown.is_cancelled() {
            let step = tokio::select! {
                biased;
                () = shutdown.cancelled() => break,
                step = self.step(&mut round) => step,
            };
            match step {
                Ok(Step::Claimed { claimed, wanted }) => {
                    let (count, has_more) = (claimed.len(), claimed.len() >= wanted);
                    for one in claimed {
                        self.spawn(&sends, &ended, one);
                    }
                    if has_more {
                        self.gather(count, &shutdown).await;
                    }
                }
                Ok(Step::Idle(until)) => self.idle(until, &shutdown).await,
                Err(error) => {
                    if !is_away {
                        tracing::error!(%error, "the engine can't claim; it goes on as soon as the database answers");
                    }
                    tokio::select! { () = sleep(OUTAGE_PAUSE) => {}, () = shutdown.cancelled() => {} }
                    is_away = true;
                    continue;
                }
            }
            if std::mem::take(&mut is_away) {
                tracing::info!("the engine claims again");
            }
        }
        sends.close();
        // What does not end in time is logged as interrupted by whoever finds its lease.
        let _ = timeout(self.config.longest_request(), sends.wait()).await;
        drop(ended);
        let _ = timeout(DATABASE_DEADLINE, recorder).await;
        let _ = gauges.await;
    }

    async fn step(&self, round: &mut Round) -> Result<Step, StoreError> {
        let deadline = timeout(DATABASE_DEADLINE, self.claim(round)).await;
        deadline.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())))
    }

    async fn claim(&self, round: &mut Round) -> Result<Step, StoreError> {
        if Instant::now() >= round.rescue_at {
            self.rescue().await?;
            round.rescue_at = Instant::now() + RESCUE;
        }
        let now = self.store.now();
        let mut conn = self.store.reader().await?;
        let next_due = claim::next_due(&mut conn).await?;
        if next_due.is_none_or(|at| at > now) {
            return Ok(Step::Idle(next_due));
        }
        let places = self.places(&mut conn, now, &mut round.endpoint).await?;
        drop(conn);
        if places.is_empty() {
            return Ok(Step::Idle(None));
        }
        let lease = self.config.lease();
        let wanted = places.iter().map(|(_, places)| *places as usize).sum();
        let claimed =
            self.store.write_first(move |tx| Box::pin(async move { claim::claim(tx, &places, lease).await })).await?;
        if !claimed.is_empty() {
            fail_point::pass("after-claim");
        }
        metrics::claimed(claimed.len());
        Ok(if claimed.is_empty() { Step::Idle(None) } else { Step::Claimed { claimed, wanted } })
    }

    /// Which endpoints get how many places now. Looked for outside of the transaction that claims,
    /// which is then as short as can be, or none.
    async fn places(
        &self,
        conn: &mut Conn,
        now: Timestamp,
        round: &mut Option<EndpointId>,
    ) -> Result<Vec<(Due, u32)>, StoreError> {
        for _ in 0..LOOKS {
            let due = claim::due(conn, now, *round).await?;
            let places = self.slots.limits(&self.config, &due).share(&due);
            let last = places.last().map(|(due, _)| due).or(due.last());
            *round = last.map(|due| due.endpoint_id);
            // A full page of endpoints that have all that they may have hides nobody behind them.
            if !places.is_empty() || due.len() < claim::ENDPOINTS {
                return Ok(places);
            }
        }
        Ok(Vec::new())
    }

    /// Logs the attempts of processes that died, page by page.
    async fn rescue(&self) -> Result<(), StoreError> {
        if !rescue::is_needed(&mut self.store.reader().await?, self.store.now()).await? {
            return Ok(());
        }
        loop {
            let rescued = self.store.write(|tx| Box::pin(rescue::rescue(tx))).await?;
            if rescued > 0 {
                tracing::warn!(rescued, "attempts were interrupted; their deliveries are due again");
            }
            if rescued < rescue::BATCH as usize {
                return Ok(());
            }
        }
    }

    fn spawn(&self, sends: &TaskTracker, ended: &mpsc::Sender<Ended>, claimed: Claimed) {
        let mut slot = self.slots.take(claimed.project_id, claimed.endpoint.id);
        let (client, config, store, ended, slots) =
            (self.client.clone(), self.config.clone(), self.store.clone(), ended.clone(), self.slots.clone());
        sends.spawn(async move {
            let schedule = &store.environment().schedule;
            let finished = send(&client, &config, &store, schedule, claimed).await;
            // Before the endpoint's place is given back, so that the next claim knows it.
            if let Some(answers) = answers(&finished) {
                slots.learn(finished.endpoint_id, answers, config.per_endpoint);
            }
            slot.ended();
            // The recorder outlives every send; without it there is nothing to record to.
            let _ = ended.send(Ended { finished, slot }).await;
        });
    }

    /// With more due than may be under way, waits until about half of the places that were just taken are free, but not for long: a claim
    /// for each place that is given back would cost many times what it brings.
    async fn gather(&self, taken: usize, shutdown: &CancellationToken) {
        let enough = u32::try_from(taken).unwrap_or(u32::MAX);
        tokio::select! {
            _ = timeout(GATHER, self.slots.freed(enough)) => {}
            () = shutdown.cancelled() => {}
        }
    }

    /// Sleeps until something is due, a wake-up comes, a place is given back, or it is time to look.
    async fn idle(&self, until: Option<Timestamp>, shutdown: &CancellationToken) {
        let now = self.store.now();
        let wait = until.map_or(self.config.poll, |at| at.since(now).min(self.config.poll));
        tokio::select! {
            () = sleep(wait) => {}
            () = self.store.signals().due() => {}
            () = self.slots.freed(1) => {}
            () = shutdown.cancelled() => {}
        }
    }
}

/// Whether a receiver answers as one that can take more. Whatever refuses a request for what is in
/// it answers; an address that is never sent to says nothing.
fn answers(finished: &Finished) -> Option<bool> {
    match (finished.result.error, finished.result.status) {
        (Some(AttemptError::BlockedAddress), _) => None,
        (Some(_), _) | (None, None | Some(429 | 500..)) => Some(false),
        (None, Some(_)) => Some(true),
    }
}

/// Where the loop goes on.
struct Round {
    /// Endpoints behind this one come first.
    endpoint: Option<EndpointId>,
    rescue_at: Instant,
}

enum Step {
    /// To be sent; as many as were `wanted` when more may be due.
    Claimed { claimed: Vec<Claimed>, wanted: usize },
    /// Nothing to claim; the next is due then, as far as is known.
    Idle(Option<Timestamp>),
}
