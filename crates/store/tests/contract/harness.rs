//! A fresh, migrated database for each test, with a clock that is set by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use domain::id::ProjectId;
use domain::ladder::RetrySchedule;
use domain::model::RawJson;
use domain::{Clock, Entropy, Timestamp};
use store::{Environment, Keyring, Store, StoreConfig, StoreError};

/// Makes one test of each database out of one body.
#[macro_export]
macro_rules! contract {
    ($($(#[$meta:meta])* async fn $name:ident($store:ident: TestStore) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn body($store: $crate::harness::TestStore) $body

            $(#[$meta])*
            #[tokio::test]
            async fn on_sqlite() {
                body($crate::harness::TestStore::sqlite().await).await;
            }

            $(#[$meta])*
            #[tokio::test]
            async fn on_postgres() {
                match $crate::harness::TestStore::postgres().await {
                    Some(store) => body(store).await,
                    None => eprintln!("left out: BOTIX_TEST_POSTGRES_URL is not set"),
                }
            }
        }
    )*};
}

/// A time that stands still until it is moved.
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    /// Moves the time on.
    pub(crate) fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// Repeatable randomness: the same run makes the same ids.
pub(crate) struct TestEntropy(AtomicU64);

impl Entropy for TestEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            // SplitMix64, by its published constants.
            let mut z = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_be_bytes()[..chunk.len()]);
        }
    }
}

/// A store with everything a test wants to reach behind it.
pub(crate) struct TestStore {
    pub(crate) store: Store,
    config: StoreConfig,
    pub(crate) clock: Arc<TestClock>,
    _folder: Option<Folder>,
}

impl std::ops::Deref for TestStore {
    type Target = Store;
    fn deref(&self) -> &Store {
        &self.store
    }
}

struct Folder(std::path::PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl TestStore {
    pub(crate) async fn sqlite() -> Self {
        let folder = std::env::temp_dir().join(format!("botix-store-{}", unique()));
        std::fs::create_dir_all(&folder).unwrap();
        let config = StoreConfig::Sqlite { path: folder.join("test.sqlite") };
        Self::open(config, Some(Folder(folder))).await
    }

    pub(crate) async fn postgres() -> Option<Self> {
        #[expect(clippy::disallowed_methods, reason = "a test's only configuration")]
        let url = std::env::var("BOTIX_TEST_POSTGRES_URL").ok()?;
        let schema = format!("test_{}", unique());
        let admin = Self::open_store(StoreConfig::Postgres { url: url.clone(), max_connections: 1 }).await.0;
        store::Sql::new(&format!("CREATE SCHEMA {schema}")).execute(&mut admin.reader().await.unwrap()).await.unwrap();
        let sign = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{sign}options=-c%20search_path%3D{schema}");
        Some(Self::open(StoreConfig::Postgres { url, max_connections: 8 }, None).await)
    }

    async fn open(config: StoreConfig, folder: Option<Folder>) -> Self {
        let (store, clock) = Self::open_store(config.clone()).await;
        store.migrate().await.unwrap();
        Self { store, config, clock, _folder: folder }
    }

    async fn open_store(config: StoreConfig) -> (Store, Arc<TestClock>) {
        let clock = Arc::new(TestClock(AtomicI64::new(1_780_000_000_000_000)));
        let env = Environment {
            clock: clock.clone(),
            entropy: Arc::new(TestEntropy(AtomicU64::new(1))),
            keys: Keyring::derive(&[7; 32], None).unwrap(),
            schedule: RetrySchedule::default(),
            auto_disable_after: None,
            spans: None,
        };
        (Store::open(config, env).await.unwrap(), clock)
    }

    /// The same database, opened by a process that disables endpoints which fail for so long.
    pub(crate) async fn auto_disabling(self, after: Duration) -> Self {
        let env = Environment { auto_disable_after: Some(after), ..self.store.environment().clone() };
        let store = Store::open(self.config.clone(), env).await.unwrap();
        Self { store, ..self }
    }

    /// A new project.
    pub(crate) async fn project(&self) -> ProjectId {
        let project = self
            .write(|tx| Box::pin(async move { store::projects::insert(tx, "Test", None).await }))
            .await
            .map_err(|e: StoreError| e)
            .unwrap();
        project.id
    }

    /// A reading connection.
    pub(crate) async fn conn(&self) -> store::Conn {
        self.reader().await.unwrap()
    }
}

/// JSON for an event's data.
pub(crate) fn json(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).unwrap()
}

/// A name that no other test, process or run uses.
fn unique() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::SeqCst);
    #[expect(clippy::disallowed_methods, reason = "only to tell test folders apart")]
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    format!("{}_{now}_{count}", std::process::id())
}
