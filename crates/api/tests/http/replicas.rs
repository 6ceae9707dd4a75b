//! Several processes on one database: still one key, one effect.

use std::time::Duration;

use axum::http::Method;
use domain::fingerprint::Fingerprint;
use domain::id::RequestId;
use futures::future::join_all;
use store::StoreError;
use store::idempotency::{self, Capture};

use crate::harness::{Api, Call, full};

const ANNA: &str = r#"{"phone":"+79161234567","name":"Anna"}"#;

fn post(api: &Api, body: &str) -> Call {
    let call = Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "k").json(body);
    call.header("authorization", &format!("Bearer {}", api.key))
}

fn is_left_out(api: &Api) -> bool {
    api.store.dialect() == store::Dialect::Sqlite
}

#[tokio::test]
async fn of_many_requests_to_three_replicas_exactly_one_executes() {
    let api = Api::start().await;
    if is_left_out(&api) {
        return;
    }
    let replicas = [api.replica().await, api.replica().await, api.replica().await];
    let replies = join_all((0..90).map(|n| api.send_to(&replicas[n % 3], post(&api, ANNA)))).await;
    let executed = replies.iter().filter(|r| r.status == 201 && r.header("idempotent-replayed").is_empty()).count();
    assert_eq!(executed, 1);
    assert!(replies.iter().all(|r| r.status == 201 || r.code() == "IDEMPOTENCY_KEY_IN_PROGRESS"));
    assert_eq!((api.count("/contacts").await, api.count("/events").await), (1, 1));
    let replay = api.send_to(&replicas[1], post(&api, ANNA)).await;
    assert_eq!(replay.header("idempotent-replayed"), "1");
}

#[tokio::test]
async fn what_a_dead_process_left_behind_is_taken_over_after_its_lease() {
    let api = Api::start().await;
    if is_left_out(&api) {
        return;
    }
    let mut conn = api.store.reader().await.unwrap();
    let keys = store::api_keys::list(&mut conn, api.project, domain::PageRequest::first(1)).await.unwrap();
    let now = api.store.now();
    let dead = Capture {
        api_key_id: keys.data[0].id,
        key: "k".to_owned(),
        project: api.project,
        method: "POST".to_owned(),
        path: full("/contacts"),
        fingerprint: Fingerprint::of("POST", &full("/contacts"), None, ANNA.as_bytes()),
        request_id: RequestId::generate(now, api.store.entropy()),
        first_seen: now,
        leased_until: now.plus(Duration::from_secs(60)),
        expires_at: now.plus(Duration::from_secs(86_400)),
        body: None,
    };
    let captured =
        api.store.write::<_, _, StoreError>(move |tx| Box::pin(async move { idempotency::capture(tx, &dead).await }));
    assert!(captured.await.unwrap());

    let replica = api.replica().await;
    let early = api.send_to(&replica, post(&api, ANNA)).await;
    assert_eq!((early.code().as_str(), early.header("retry-after")), ("IDEMPOTENCY_KEY_IN_PROGRESS", "5"));
    assert_eq!(api.send_to(&replica, post(&api, "{}")).await.code(), "IDEMPOTENCY_KEY_REUSE_CONFLICT");
    api.advance(Duration::from_secs(60));
    let taken_over = api.send_to(&replica, post(&api, ANNA)).await;
    assert_eq!((taken_over.status.as_u16(), taken_over.header("idempotent-replayed")), (201, ""));
    assert_eq!(api.send_to(&replica, post(&api, ANNA)).await.header("idempotent-replayed"), "1");
    assert_eq!((api.count("/contacts").await, api.count("/events").await), (1, 1));
}
