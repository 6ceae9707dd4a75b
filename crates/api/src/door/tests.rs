//! A handler that panics, wherever it does, costs its caller an `INTERNAL_ERROR` and nobody else
//! anything.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::routing::{get, post};
use domain::ladder::RetrySchedule;
use domain::status::Scope;
use domain::{Clock, Entropy, Timestamp};
use http_body_util::BodyExt as _;
use store::api_keys::{self, NewApiKey};
use store::{Conn, Environment, Keyring, Sql, Store, StoreConfig, StoreError, Tx};
use tower::ServiceExt as _;

use crate::body::Wanted;
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::operation::{Call, Mutation, Query, read, write};
use crate::state::{ApiConfig, ApiState};

struct Fixed;
impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        Timestamp::from_secs(1_780_000_000)
    }
}

struct Counting(std::sync::atomic::AtomicU8);
impl Entropy for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        for byte in buffer {
            *byte = self.0.fetch_add(37, std::sync::atomic::Ordering::Relaxed);
        }
    }
}

struct PanicWhileReading;
impl Query for PanicWhileReading {
    fn parse(_: &Call) -> Result<Self, ApiError> {
        Ok(Self)
    }
    async fn run(self, _: &mut Conn, _: &Call) -> Result<Answer, ApiError> {
        panic!("btx_secret_internals");
    }
}

struct PanicWhileParsing;
impl Mutation for PanicWhileParsing {
    const BODY: Wanted = Wanted::Nothing;
    fn parse(_: &Call) -> Result<Self, ApiError> {
        panic!("btx_secret_internals");
    }
    async fn run(self, _: &mut Tx, _: &Call) -> Result<Answer, ApiError> {
        Ok(Answer::no_content())
    }
}

/// Changes something, and panics the first time.
struct PanicWhileWriting;
impl Mutation for PanicWhileWriting {
    const BODY: Wanted = Wanted::Nothing;
    fn parse(_: &Call) -> Result<Self, ApiError> {
        Ok(Self)
    }
    async fn run(self, tx: &mut Tx, _: &Call) -> Result<Answer, ApiError> {
        static PANICKED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
        Sql::new("UPDATE btx_project SET name = name || '!'").execute(tx).await?;
        assert!(PANICKED.swap(true, std::sync::atomic::Ordering::SeqCst), "btx_secret_internals");
        Ok(Answer::no_content())
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_that_undoes_everything_and_releases_the_key() {
    let folder = std::env::temp_dir().join(format!("botix-door-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let env = Environment {
        clock: Arc::new(Fixed),
        entropy: Arc::new(Counting(0.into())),
        keys: Keyring::derive(&[7; 32], None).unwrap(),
        schedule: RetrySchedule::default(),
        auto_disable_after: None,
        spans: None,
    };
    let store = Store::open(StoreConfig::Sqlite { path: folder.join("test.sqlite") }, env).await.unwrap();
    store.migrate().await.unwrap();
    let made = store.write::<_, _, StoreError>(|tx| {
        Box::pin(async move {
            let project = store::projects::insert(tx, "P", None).await?;
            let new = NewApiKey { name: "k".to_owned(), scopes: vec![Scope::Read, Scope::Write], expires_at: None };
            let (_, secret) = api_keys::insert(tx, project.id, new).await?;
            Ok((project, secret))
        })
    });
    let (project, secret) = made.await.unwrap();
    let state = ApiState::new(ApiConfig::default(), store.clone());
    let router = Router::new()
        .route("/reading", get(read::<PanicWhileReading>))
        .route("/parsing", post(write::<PanicWhileParsing>))
        .route("/writing", post(write::<PanicWhileWriting>))
        .route("/handler", get(|| async { panic!("btx_secret_internals") as () }))
        .layer(axum::middleware::from_fn_with_state(state.clone(), super::door))
        .with_state(state);
    let send = async |method: &str, path: &str| {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {}", secret.expose()))
            .header("idempotency-key", "k")
            .body(Body::empty());
        let response = router.clone().oneshot(request.unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        (head, String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap())
    };
    for (method, path) in [("GET", "/reading"), ("POST", "/parsing"), ("GET", "/handler"), ("POST", "/writing")] {
        let (head, body) = send(method, path).await;
        assert_eq!(head.status, 500, "{path}");
        let id = head.headers["x-request-id"].to_str().unwrap();
        assert!(body.contains("INTERNAL_ERROR") && body.contains(id) && !body.contains("btx_"), "{path}: {body}");
    }
    let name =
        async || store::projects::get(&mut store.reader().await.unwrap(), project.id).await.unwrap().unwrap().name;
    assert_eq!(name().await, "P", "undone");
    assert_eq!(send("POST", "/writing").await.0.status, 204, "the key was released");
    assert_eq!(name().await, "P!");
    std::fs::remove_dir_all(&folder).unwrap();
}
