//! One key, one effect (contract section 5).

use std::time::Duration;

use api::ApiConfig;
use axum::http::Method;
use domain::status::Scope;
use futures::future::join_all;
use store::{Sql, StoreError};
use tokio::sync::oneshot;

use crate::harness::{Api, Call, full, new_key, new_project};

const ANNA: &str = r#"{"phone":"+79161234567","name":"Anna"}"#;

/// Keeps whoever writes contacts waiting until the answer is dropped: on SQLite the one writer, on
/// PostgreSQL the table.
async fn occupy(api: &Api) -> oneshot::Sender<()> {
    let (begun, has_begun) = oneshot::channel();
    let (release, released) = oneshot::channel::<()>();
    let store = api.store.clone();
    tokio::spawn(async move {
        let busy = store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                if tx.dialect() == store::Dialect::Postgres {
                    Sql::new("LOCK TABLE btx_contact IN ACCESS EXCLUSIVE MODE").execute(tx).await?;
                }
                let _ = begun.send(());
                let _ = released.await;
                Ok(())
            })
        });
        busy.await.unwrap();
    });
    has_begun.await.unwrap();
    release
}

#[tokio::test]
async fn a_replay_is_the_same_bytes_under_the_first_id() {
    let api = Api::start().await;
    let first = api.post_with("k", "/contacts", ANNA).await;
    let again = api.post_with("\"k\"", "/contacts", ANNA).await;
    assert_eq!(first.status, 201);
    assert_eq!((again.status, &again.bytes), (first.status, &first.bytes));
    assert_eq!(again.header("idempotent-replayed"), "1");
    assert_eq!(first.header("idempotent-replayed"), "");
    assert_eq!(again.header("x-request-id"), first.header("x-request-id"));
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(again.header("content-type"), first.header("content-type"));
    let own = again.header("x-replay-request-id").to_owned();
    assert!(own.starts_with("req_") && own != first.header("x-request-id"));
    let remaining = |reply: &crate::harness::Reply| reply.header("x-ratelimit-remaining").parse::<u32>().unwrap();
    assert!(remaining(&again) < remaining(&first), "rate headers are fresh");
    assert_eq!((api.count("/contacts").await, api.count("/events").await), (1, 1));

    let looked_up = api.get(&format!("/requests/{own}")).await.data();
    assert_eq!((&looked_up["idempotency_outcome"], &looked_up["idempotency_key"]), (&"replayed".into(), &"k".into()));
    let first = api.get(&format!("/requests/{}", first.header("x-request-id"))).await.data();
    assert_eq!(first["idempotency_outcome"], "executed");
    assert_eq!(first["trace"]["events"].as_array().unwrap().len(), 1);
    let key = api.get("/idempotency-keys/k").await.data();
    assert_eq!((&key["status"], &key["replays"], &key["conflicts"]), (&"done".into(), &1.into(), &0.into()));
    assert_eq!(key["response_status_code"], 201);
}

#[tokio::test]
async fn another_request_under_the_key_is_a_conflict() {
    let api = Api::start().await;
    let first = api.post_with("k", "/contacts", ANNA).await;
    for (path, body) in
        [("/contacts", r#"{"phone":"+79161234567","name":"Anna" }"#), ("/contacts?a=b", ANNA), ("/events", ANNA)]
    {
        let reply = api.post_with("k", path, body).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (409, "IDEMPOTENCY_KEY_REUSE_CONFLICT"));
        assert_eq!(reply.details()["first_request_id"], first.header("x-request-id"));
        assert!(reply.details()["first_seen_at"].as_str().unwrap().ends_with('Z'));
        let logged = api.get(&format!("/requests/{}", reply.header("x-request-id"))).await.data();
        assert_eq!((&logged["idempotency_outcome"], &logged["status_code"]), (&"conflict".into(), &409.into()));
    }
    assert_eq!(api.get("/idempotency-keys/k").await.data()["conflicts"], 3);
    assert_eq!(api.post_with("k", "/contacts", ANNA).await.bytes, first.bytes, "the key still replays");
}

#[tokio::test]
async fn of_two_hundred_at_once_exactly_one_executes() {
    let api = Api::start().await;
    let replies = join_all((0..200).map(|_| api.post_with("k", "/contacts", ANNA))).await;
    let executed: Vec<_> =
        replies.iter().filter(|r| r.status == 201 && r.header("idempotent-replayed").is_empty()).collect();
    assert_eq!(executed.len(), 1);
    for reply in &replies {
        match reply.status.as_u16() {
            201 => assert_eq!(reply.bytes, executed[0].bytes),
            409 => {
                assert_eq!(reply.code(), "IDEMPOTENCY_KEY_IN_PROGRESS");
                assert_eq!(reply.header("retry-after"), "5");
                assert_eq!(reply.details(), serde_json::json!({"retry_after_seconds": 5}));
            }
            other => panic!("{other}: {}", reply.json()),
        }
    }
    assert_eq!((api.count("/contacts").await, api.count("/events").await), (1, 1));
}

#[tokio::test]
async fn while_the_first_runs_others_hear_so_at_once() {
    let api = Api::start().await;
    let release = occupy(&api).await;
    let mut first = Box::pin(api.post_with("k", "/contacts", ANNA));
    let soon = tokio::time::timeout(Duration::from_millis(200), &mut first).await;
    assert!(soon.is_err(), "the first waits for the writer");
    // None of these can be waiting for the first: its writer is occupied until we say so.
    let same = api.post_with("k", "/contacts", ANNA).await;
    assert_eq!(same.code(), "IDEMPOTENCY_KEY_IN_PROGRESS");
    let other = api.post_with("k", "/contacts", "{}").await;
    assert_eq!(other.code(), "IDEMPOTENCY_KEY_REUSE_CONFLICT");
    let key = api.get("/idempotency-keys/k").await.data();
    assert_eq!((&key["status"], &key["conflicts"]), (&"in_progress".into(), &1.into()));
    drop(release);
    let first = first.await;
    assert_eq!(first.status, 201);
    assert_eq!(key["first_request_id"], first.header("x-request-id"));
    api.state.flush().await;
    let key = api.get("/idempotency-keys/k").await.data();
    assert_eq!((&key["status"], &key["conflicts"]), (&"done".into(), &1.into()));
    for (reply, outcome) in [(same, "in_progress"), (other, "conflict")] {
        let logged = api.get(&format!("/requests/{}", reply.header("x-request-id"))).await.data();
        assert_eq!(logged["idempotency_outcome"], outcome);
    }
}

#[tokio::test]
async fn a_caller_that_hangs_up_changes_nothing_about_the_outcome() {
    let api = Api::start().await;
    let release = occupy(&api).await;
    let call = tokio::time::timeout(Duration::from_millis(200), api.post_with("k", "/contacts", ANNA)).await;
    assert!(call.is_err(), "given up by the caller");
    drop(release);
    let mut retry = api.post_with("k", "/contacts", ANNA).await;
    while retry.code() == "IDEMPOTENCY_KEY_IN_PROGRESS" {
        tokio::time::sleep(Duration::from_millis(5)).await;
        retry = api.post_with("k", "/contacts", ANNA).await;
    }
    assert_eq!((retry.status.as_u16(), retry.header("idempotent-replayed")), (201, "1"));
    assert_eq!((api.count("/contacts").await, api.count("/events").await), (1, 1));
}

#[tokio::test]
async fn refusals_of_the_operation_are_stored_and_leave_no_trace_of_their_change() {
    let api = Api::start().await;
    api.post("/contacts", ANNA).await;
    for (key, body, status) in [("taken", ANNA, 409), ("invalid", "{}", 422), ("junk", "{", 400)] {
        let first = api.post_with(key, "/contacts", body).await;
        let again = api.post_with(key, "/contacts", body).await;
        assert_eq!(first.status.as_u16(), status);
        assert_eq!((again.header("idempotent-replayed"), &again.bytes), ("1", &first.bytes), "{key}");
        let logged = api.get(&format!("/requests/{}", again.header("x-replay-request-id"))).await.data();
        assert_eq!(logged["error_code"], first.code());
    }
    let missing = "/webhooks/deliveries/dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV/retry";
    let first = api.post_with("missing", missing, "").await;
    assert_eq!(first.status, 404);
    assert_eq!(api.post_with("missing", missing, "").await.header("idempotent-replayed"), "1");
    assert_eq!((api.count("/contacts").await, api.count("/events").await), (1, 1));
}

#[tokio::test]
async fn a_stored_problem_is_replayed_as_it_was() {
    let api = Api::start().await;
    let call = || Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "k").json("{}");
    let first = api.send(call().header("accept", "application/problem+json")).await;
    let again = api.send(call()).await;
    assert_eq!(again.header("content-type"), "application/problem+json");
    assert_eq!(first.bytes, again.bytes);
}

#[tokio::test]
async fn what_comes_before_the_operation_does_not_use_the_key_up() {
    let api = Api::start().await;
    let (_, reader) = new_key(&api.store, api.project, vec![Scope::Read]).await;
    let post = || Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "k");
    assert_eq!(api.send_as(&reader, post().json(ANNA)).await.status, 403);
    assert_eq!(api.send_bare(post().json(ANNA)).await.status, 401);
    assert_eq!(api.send(post().body("x".repeat(2_000_000))).await.status, 413);
    assert_eq!(api.send(post().body(ANNA)).await.status, 415);
    assert_eq!(api.post_with("k", "/contacts", ANNA).await.status, 201);
}

#[tokio::test]
async fn a_failure_of_ours_releases_the_key() {
    let api = Api::start().await;
    rename(&api, "btx_event", "btx_event_away").await;
    let failed = api.post_with("k", "/contacts", ANNA).await;
    assert_eq!((failed.status.as_u16(), failed.code().as_str()), (500, "INTERNAL_ERROR"));
    assert_eq!(failed.details(), serde_json::json!({}));
    let told = String::from_utf8(failed.bytes.clone()).unwrap();
    assert!(!told.contains("btx_") && !told.contains("SQL"), "{told}");
    let logged = api.get(&format!("/requests/{}", failed.header("x-request-id"))).await;
    assert_eq!(logged.status, 500, "the trace needs that table, too");
    rename(&api, "btx_event_away", "btx_event").await;
    let logged = api.get(&format!("/requests/{}", failed.header("x-request-id"))).await.data();
    assert_eq!((&logged["status_code"], &logged["error_code"]), (&500.into(), &"INTERNAL_ERROR".into()));

    let retried = api.post_with("k", "/contacts", ANNA).await;
    assert_eq!((retried.status.as_u16(), retried.header("idempotent-replayed")), (201, ""));
    assert_eq!((api.count("/contacts").await, api.count("/events").await), (1, 1));
}

async fn rename(api: &Api, from: &'static str, to: &'static str) {
    let renamed = api.store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move { Sql::new(&format!("ALTER TABLE {from} RENAME TO {to}")).execute(tx).await })
    });
    renamed.await.unwrap();
}

#[tokio::test]
async fn after_its_time_a_key_executes_afresh() {
    let api = Api::with(ApiConfig { rate_limit: 1_000_000, ..ApiConfig::default() }).await;
    let body = r#"{"type":"a.b","data":{}}"#;
    let first = api.post_with("k", "/events", body).await;
    api.advance(Duration::from_secs(24 * 3_600 - 60));
    assert_eq!(api.post_with("k", "/events", body).await.bytes, first.bytes);
    api.advance(Duration::from_secs(61));
    assert_eq!(api.get("/idempotency-keys/k").await.data()["status"], "expired");
    let fresh = api.post_with("k", "/events", body).await;
    assert_eq!((fresh.status.as_u16(), fresh.header("idempotent-replayed")), (201, ""));
    assert_ne!(fresh.id(), first.id());
    assert_eq!(api.count("/events").await, 2);
    // Even for another request: the key is nobody's after its time.
    api.advance(Duration::from_secs(24 * 3_600 + 1));
    assert_eq!(api.post_with("k", "/contacts", ANNA).await.status, 201);
}

#[tokio::test]
async fn keys_belong_to_the_api_key_that_sent_them() {
    let api = Api::start().await;
    let other_project = new_project(&api.store, None).await;
    let (_, foreign) = new_key(&api.store, other_project, vec![Scope::Write]).await;
    let (_, sibling) = new_key(&api.store, api.project, vec![Scope::Read, Scope::Write]).await;
    let body = r#"{"type":"a.b","data":{}}"#;
    let post = || Call::new(Method::POST, &full("/events")).header("idempotency-key", "k").json(body);
    for key in [&api.key, &foreign, &sibling] {
        assert_eq!(api.send_as(key, post()).await.header("idempotent-replayed"), "");
    }
    assert_eq!(api.count("/events").await, 2);
    assert_eq!(api.count("/idempotency-keys?key=k").await, 2, "the list shows those of the project's other keys");
}

#[tokio::test]
async fn malformed_keys_execute_nothing() {
    let api = Api::start().await;
    let post = || Call::new(Method::POST, &full("/contacts")).json(ANNA);
    let long = "k".repeat(256);
    for (call, code) in [
        (post(), "IDEMPOTENCY_KEY_REQUIRED"),
        (post().header("idempotency-key", "  "), "IDEMPOTENCY_KEY_REQUIRED"),
        (post().header("idempotency-key", "\"\""), "IDEMPOTENCY_KEY_REQUIRED"),
        (post().header("idempotency-key", "a b"), "MALFORMED_REQUEST"),
        (post().header("idempotency-key", &long), "MALFORMED_REQUEST"),
        (post().header("idempotency-key", "a").header("idempotency-key", "a"), "MALFORMED_REQUEST"),
    ] {
        let reply = api.send(call).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, code));
    }
    assert_eq!(api.count("/contacts").await, 0);
}

#[tokio::test]
async fn patch_and_delete_honour_a_key_and_need_none() {
    let api = Api::start().await;
    let contact = api.post("/contacts", ANNA).await;
    let path = full(&format!("/contacts/{}", contact.id()));
    let delete = || Call::new(Method::DELETE, &path).header("idempotency-key", "d");
    assert_eq!(api.send(delete()).await.status, 204);
    let again = api.send(delete()).await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (204, "1"));
    assert_eq!(api.send(Call::new(Method::DELETE, &path)).await.status, 404);
}

#[tokio::test]
async fn stored_answers_are_not_readable_in_the_database() {
    let api = Api::start().await;
    let made = api.post_with("k", "/webhooks/endpoints", r#"{"url":"https://example.com/","event_types":["*"]}"#).await;
    let secret = made.data()["secret"].as_str().unwrap().to_owned();
    let mut conn = api.store.reader().await.unwrap();
    let row =
        Sql::new("SELECT response_headers, response_body FROM btx_idempotency").fetch_one(&mut conn).await.unwrap();
    for column in ["response_headers", "response_body"] {
        let bytes = row.bytes(column).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&secret[6..]) && !text.contains("data") && !text.contains("json"), "{column}");
    }
}
