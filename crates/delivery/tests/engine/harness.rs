//! An engine on a fresh SQLite file, with a project and one endpoint.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use delivery::{Config, Engine};
use domain::address::AddressGuard;
use domain::filter::{AttemptFilter, DeadLetterFilter};
use domain::id::ProjectId;
use domain::ladder::RetrySchedule;
use domain::model::{Attempt, DeadLetter, Endpoint, RawJson};
use domain::page::PageRequest;
use domain::{Clock, Entropy, Timestamp};
use store::endpoints::NewEndpoint;
use store::events::NewEvent;
use store::{
    Environment, Keyring, Store, StoreConfig, StoreError, attempts, dead_letters, endpoints, events, projects,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// Counts up: ids in the order in which they were made.
struct Counting(AtomicU64);

impl Entropy for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        let count = self.0.fetch_add(1, Ordering::SeqCst).to_be_bytes();
        let len = buffer.len().min(8);
        let at = buffer.len() - len;
        buffer[at..].copy_from_slice(&count[8 - len..]);
    }
}

/// Everything a test needs.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) project: ProjectId,
    pub(crate) secret: String,
    shutdown: CancellationToken,
    engine: Option<JoinHandle<()>>,
    folder: PathBuf,
    schedule: RetrySchedule,
}

impl World {
    /// One endpoint at `url`, loopback allowed, time-outs short.
    pub(crate) async fn with_endpoint(url: &str) -> Self {
        Self::with(url, loopback()).await
    }

    pub(crate) async fn with(url: &str, config: Config) -> Self {
        Self::with_schedule(url, config, RetrySchedule::default()).await
    }

    pub(crate) async fn with_schedule(url: &str, config: Config, schedule: RetrySchedule) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("botix-engine-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let clock = Arc::new(TestClock(AtomicI64::new(1_780_000_000_000_000)));
        let store = open(&folder, &clock, schedule.clone(), 1).await;
        store.migrate().await.unwrap();
        let new = new_endpoint(url);
        let (project, endpoint) = store
            .write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    let project = projects::insert(tx, "Test", None).await?.id;
                    Ok((project, endpoints::insert(tx, project, new).await?))
                })
            })
            .await
            .unwrap();
        let secret = endpoint.secret.unwrap();
        let shutdown = CancellationToken::new();
        let mut world = Self { store, clock, project, secret, shutdown, engine: None, folder, schedule };
        world.start(config);
        world
    }

    /// Starts an engine, as a new process would.
    pub(crate) fn start(&mut self, config: Config) {
        self.shutdown = CancellationToken::new();
        let run = Engine::new(self.store.clone(), config).run(self.shutdown.clone());
        self.engine = Some(tokio::spawn(run));
    }

    /// Stops the engine between two instructions, as a crash does. What it had sent stays sent.
    pub(crate) fn abort(&mut self) {
        self.engine.take().unwrap().abort();
    }

    /// The same database, opened by somebody else.
    pub(crate) async fn another_process(&self) -> Store {
        open(&self.folder, &self.clock, self.schedule.clone(), 1 << 40).await
    }

    /// One more endpoint, for all events.
    pub(crate) async fn add_endpoint(&self, url: &str) {
        let (project, new) = (self.project, new_endpoint(url));
        self.store.write::<_, _, StoreError>(move |tx| Box::pin(endpoints::insert(tx, project, new))).await.unwrap();
    }

    /// Another project with an endpoint of its own.
    pub(crate) async fn add_project(&self, url: &str) -> ProjectId {
        let new = new_endpoint(url);
        self.store
            .write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    let project = projects::insert(tx, "Other", None).await?.id;
                    endpoints::insert(tx, project, new).await?;
                    Ok(project)
                })
            })
            .await
            .unwrap()
    }

    /// The first endpoint as it is now.
    pub(crate) async fn endpoint(&self) -> Endpoint {
        let mut conn = self.store.reader().await.unwrap();
        let page = endpoints::list(&mut conn, self.project, PageRequest::first(200)).await.unwrap();
        page.data.into_iter().last().unwrap()
    }

    /// Publishes an event.
    pub(crate) async fn publish(&self) {
        self.publish_from(&self.store).await;
    }

    /// Publishes an event of another project.
    pub(crate) async fn publish_in(&self, project: ProjectId) {
        publish(&self.store, project).await;
    }

    /// Publishes an event through this store.
    pub(crate) async fn publish_from(&self, store: &Store) {
        publish(store, self.project).await;
    }

    /// The log, oldest first, once it has `count` rows.
    pub(crate) async fn attempts(&self, count: usize) -> Vec<Attempt> {
        self.attempts_in(self.project, count).await
    }

    /// The log of a project, oldest first, once it has `count` rows.
    pub(crate) async fn attempts_in(&self, project: ProjectId, count: usize) -> Vec<Attempt> {
        for _ in 0..2_000 {
            let mut conn = self.store.reader().await.unwrap();
            let page =
                attempts::list(&mut conn, project, &AttemptFilter::default(), PageRequest::first(200)).await.unwrap();
            if page.data.len() >= count {
                let mut data = page.data;
                data.reverse();
                return data;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("fewer than {count} attempts were recorded");
    }

    /// The one attempt of a fresh event, with what was sent and received.
    pub(crate) async fn first_attempt(&self) -> Attempt {
        self.publish().await;
        let id = self.attempts(1).await[0].id;
        let mut conn = self.store.reader().await.unwrap();
        attempts::get_with_payload(&mut conn, self.project, id).await.unwrap().unwrap()
    }

    pub(crate) async fn inbox(&self) -> Vec<DeadLetter> {
        let mut conn = self.store.reader().await.unwrap();
        dead_letters::list(&mut conn, self.project, &DeadLetterFilter::default(), PageRequest::first(200))
            .await
            .unwrap()
            .data
    }

    /// Stops the engine as a shutdown does.
    pub(crate) async fn stop(&mut self) {
        self.shutdown.cancel();
        self.engine.take().unwrap().await.unwrap();
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.shutdown.cancel();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn publish(store: &Store, project: ProjectId) {
    let new = NewEvent {
        event_type: "contact.created".parse().unwrap(),
        data: RawJson::parse(r#"{"id":"con_1","n":1.10}"#.to_owned()).unwrap(),
        request_id: None,
    };
    store.write::<_, _, StoreError>(move |tx| Box::pin(events::publish(tx, project, new))).await.unwrap();
}

async fn open(folder: &Path, clock: &Arc<TestClock>, schedule: RetrySchedule, first_id: u64) -> Store {
    let env = Environment {
        clock: clock.clone(),
        entropy: Arc::new(Counting(AtomicU64::new(first_id))),
        keys: Keyring::derive(&[7; 32], None).unwrap(),
        schedule,
        auto_disable_after: None,
        spans: None,
    };
    Store::open(StoreConfig::Sqlite { path: folder.join("test.sqlite") }, env).await.unwrap()
}

fn new_endpoint(url: &str) -> NewEndpoint {
    NewEndpoint { url: url.to_owned(), event_types: vec!["*".parse().unwrap()], description: None, enabled: true }
}

/// [`quick`], and this machine may be sent to.
pub(crate) fn loopback() -> Config {
    Config { guard: AddressGuard::allowing(vec!["127.0.0.0/8".parse().unwrap()]), ..quick() }
}

/// Limits that let a test end soon.
pub(crate) fn quick() -> Config {
    Config {
        connect_timeout: Duration::from_millis(400),
        read_timeout: Duration::from_millis(400),
        poll: Duration::from_millis(2),
        ..Config::default()
    }
}
