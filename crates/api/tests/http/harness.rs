//! A migrated SQLite file, a project, a key, and a way to send requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use api::{ApiConfig, ApiState};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use domain::id::ProjectId;
use domain::ladder::RetrySchedule;
use domain::model::ApiKey;
use domain::status::Scope;
use domain::{Clock, Entropy, Timestamp};
use http_body_util::BodyExt as _;
use serde_json::Value;
use store::api_keys::{self, NewApiKey};
use store::{Environment, Keyring, Store, StoreConfig, StoreError};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// When every test begins: 2026-05-28, before the sunset of the offset mode.
const BEGIN: i64 = 1_780_000_000_000_000;

pub(crate) struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        // Each look is a microsecond later, so that rows have an order.
        Timestamp::from_micros(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

struct TestEntropy(AtomicU64);

impl Entropy for TestEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let mut z = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_be_bytes()[..chunk.len()]);
        }
    }
}

/// The API and everything behind it.
pub(crate) struct Api {
    pub(crate) state: ApiState,
    pub(crate) store: Store,
    pub(crate) project: ProjectId,
    pub(crate) key: String,
    clock: Arc<TestClock>,
    database: StoreConfig,
    router: Router,
    /// Ends what waits, as the process does.
    pub(crate) closing: CancellationToken,
    folder: std::path::PathBuf,
}

impl Drop for Api {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    pub(crate) fn data(&self) -> Value {
        self.json()["data"].clone()
    }

    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn details(&self) -> Value {
        self.json()["details"].clone()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    pub(crate) fn id(&self) -> String {
        self.data()["id"].as_str().unwrap().to_owned()
    }
}

/// A request under construction.
pub(crate) struct Call {
    request: axum::http::request::Builder,
    body: Body,
}

impl Call {
    pub(crate) fn new(method: Method, path: &str) -> Self {
        Self { request: Request::builder().method(method).uri(path), body: Body::empty() }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    pub(crate) fn extension<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.request = self.request.extension(value);
        self
    }

    pub(crate) fn json(self, body: &str) -> Self {
        let mut call = self.header("content-type", "application/json");
        call.body = Body::from(body.to_owned());
        call
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }
}

impl Api {
    pub(crate) async fn start() -> Self {
        Self::with(ApiConfig { rate_limit: 1_000_000, ..ApiConfig::default() }).await
    }

    pub(crate) async fn with(config: ApiConfig) -> Self {
        let clock = Arc::new(TestClock(AtomicI64::new(BEGIN)));
        let env = Environment {
            clock: clock.clone(),
            entropy: Arc::new(TestEntropy(AtomicU64::new(1))),
            keys: Keyring::derive(&[7; 32], None).unwrap(),
            schedule: RetrySchedule::default(),
            auto_disable_after: None,
            spans: None,
        };
        let (database, folder) = database(&env).await;
        let store = Store::open(database.clone(), env).await.unwrap();
        store.migrate().await.unwrap();
        let project = new_project(&store, None).await;
        let (_, key) = new_key(&store, project, vec![Scope::Read, Scope::Write]).await;
        let state = ApiState::new(config, store.clone());
        let closing = CancellationToken::new();
        let router = api::router(state.clone()).merge(api::inspector(state.clone(), closing.clone()));
        Self { state, store, project, key, clock, database, router, closing, folder }
    }

    /// The same database behind another process's API.
    pub(crate) async fn replica(&self) -> Router {
        let store = Store::open(self.database.clone(), self.store.environment().clone()).await.unwrap();
        api::router(ApiState::new(ApiConfig { rate_limit: 1_000_000, ..ApiConfig::default() }, store))
    }

    /// The same database behind another process's API, with these settings and this Redis.
    pub(crate) async fn sharing_replica(&self, config: ApiConfig, redis_url: &str) -> Router {
        let store = Store::open(self.database.clone(), self.store.environment().clone()).await.unwrap();
        api::router(ApiState::new(config, store).sharing(redis_url).unwrap())
    }

    /// Moves the time on.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.0.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }

    /// Sends a request just as it is.
    pub(crate) async fn send_bare(&self, call: Call) -> Reply {
        self.send_to(&self.router, call).await
    }

    pub(crate) async fn send_to(&self, router: &Router, call: Call) -> Reply {
        let response = router.clone().oneshot(call.request.body(call.body).unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Reply { status: head.status, headers: head.headers, bytes }
    }

    /// Sends a request with the test's API key.
    pub(crate) async fn send(&self, call: Call) -> Reply {
        self.send_as(&self.key, call).await
    }

    pub(crate) async fn send_as(&self, key: &str, call: Call) -> Reply {
        self.send_bare(call.header("authorization", &format!("Bearer {key}"))).await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Call::new(Method::GET, &full(path))).await
    }

    /// `POST` under a fresh idempotency key.
    pub(crate) async fn post(&self, path: &str, body: &str) -> Reply {
        self.post_with(&unique(), path, body).await
    }

    pub(crate) async fn post_with(&self, key: &str, path: &str, body: &str) -> Reply {
        self.send(Call::new(Method::POST, &full(path)).header("idempotency-key", key).json(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &str) -> Reply {
        self.send(Call::new(Method::PATCH, &full(path)).json(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.send(Call::new(Method::DELETE, &full(path))).await
    }

    /// How many rows a list of the API has, up to 200.
    pub(crate) async fn count(&self, path: &str) -> usize {
        let sign = if path.contains('?') { '&' } else { '?' };
        self.get(&format!("{path}{sign}cursor_limit=200")).await.data().as_array().unwrap().len()
    }
}

pub(crate) fn full(path: &str) -> String {
    format!("{}{path}", api::PREFIX)
}

pub(crate) async fn new_project(store: &Store, contact_limit: Option<u32>) -> ProjectId {
    let new = store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move { store::projects::insert(tx, "Test", contact_limit).await })
    });
    new.await.unwrap().id
}

pub(crate) async fn new_key(store: &Store, project: ProjectId, scopes: Vec<Scope>) -> (ApiKey, String) {
    let new = NewApiKey { name: "Test".to_owned(), scopes, expires_at: None };
    let made = store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::insert(tx, project, new).await }))
        .await
        .unwrap();
    (made.0, made.1.expose().to_owned())
}

/// A database of the test's own, and the folder to remove after it.
async fn database(env: &Environment) -> (StoreConfig, std::path::PathBuf) {
    let name = format!("api_{}", unique().replace('-', "_"));
    let folder = std::env::temp_dir().join(format!("botix-{name}"));
    #[expect(clippy::disallowed_methods, reason = "a test's only configuration")]
    let url = std::env::var("BOTIX_TEST_POSTGRES_URL").ok().filter(|_| crate::POSTGRES);
    let Some(url) = url else {
        if crate::POSTGRES {
            let note = b"BOTIX_TEST_POSTGRES_URL is not set: running on SQLite instead\n";
            std::io::Write::write_all(&mut std::io::stderr(), note).unwrap();
        }
        std::fs::create_dir_all(&folder).unwrap();
        return (StoreConfig::Sqlite { path: folder.join("test.sqlite") }, folder);
    };
    let admin = StoreConfig::Postgres { url: url.clone(), max_connections: 1 };
    let admin = Store::open(admin, env.clone()).await.unwrap();
    let create = store::Sql::new(&format!("CREATE SCHEMA {name}"));
    create.execute(&mut admin.reader().await.unwrap()).await.unwrap();
    let sign = if url.contains('?') { '&' } else { '?' };
    let url = format!("{url}{sign}options=-c%20search_path%3D{name}");
    (StoreConfig::Postgres { url, max_connections: 8 }, folder)
}

/// A text that nobody else uses.
pub(crate) fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::SeqCst))
}
