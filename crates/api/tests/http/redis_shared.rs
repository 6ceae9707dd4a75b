//! Replicas that share a Redis: one limit, one lock, and nothing that depends on it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use api::ApiConfig;
use axum::Router;
use axum::http::Method;
use domain::status::Scope;
use redis::Commands as _;

use crate::harness::{Api, Call, Reply, full, new_key};

/// The Redis of `scripts/with-services.sh`; without it these tests prove nothing, and say so.
fn redis_url() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a test's only configuration")]
    let url = std::env::var("BOTIX_TEST_REDIS_URL").ok();
    if url.is_none() {
        std::io::Write::write_all(&mut std::io::stderr(), b"BOTIX_TEST_REDIS_URL is not set: not tested\n").unwrap();
    }
    url
}

/// A key whose id no other test has: all of them draw the same random numbers, and share one Redis.
async fn own_key(api: &Api) -> (String, String) {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    let drawn = std::process::id() as usize % 30_000 + NEXT.fetch_add(1, Ordering::SeqCst) * 40_000;
    api.store.entropy().fill(&mut vec![0; 8 * drawn]);
    let (key, secret) = new_key(&api.store, api.project, vec![Scope::Read, Scope::Write]).await;
    (key.id.to_string(), secret)
}

fn limit(rate_limit: u32) -> ApiConfig {
    ApiConfig { rate_limit, ..ApiConfig::default() }
}

async fn list(api: &Api, router: &Router, key: &str) -> Reply {
    let call = Call::new(Method::GET, &full("/contacts")).header("authorization", &format!("Bearer {key}"));
    api.send_to(router, call).await
}

async fn create(api: &Api, router: &Router, key: &str, idempotency_key: &str, phone: &str) -> Reply {
    let call = Call::new(Method::POST, &full("/contacts"))
        .header("authorization", &format!("Bearer {key}"))
        .header("idempotency-key", idempotency_key)
        .json(&format!(r#"{{"phone": "{phone}", "name": "Anna"}}"#));
    api.send_to(router, call).await
}

#[tokio::test]
async fn two_replicas_have_one_limit_between_them() {
    let Some(url) = redis_url() else { return };
    let api = Api::start().await;
    let (_, key) = own_key(&api).await;
    let replicas = [api.sharing_replica(limit(10), &url).await, api.sharing_replica(limit(10), &url).await];
    let mut allowed = 0;
    for n in 0..16 {
        let reply = list(&api, &replicas[n % 2], &key).await;
        assert_eq!(reply.status == 200, n < 10, "request {n}: {}", reply.status);
        assert_eq!(reply.header("x-ratelimit-remaining"), 9_usize.saturating_sub(n).to_string());
        allowed += usize::from(reply.status == 200);
    }
    assert_eq!(allowed, 10);
    let refused = list(&api, &replicas[0], &key).await;
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    api.advance(Duration::from_secs(wait));
    assert_eq!(list(&api, &replicas[1], &key).await.status, 200, "the promised moment is kept");
}

#[tokio::test]
async fn of_many_simultaneous_requests_at_two_replicas_one_executes() {
    let Some(url) = redis_url() else { return };
    let api = Api::start().await;
    let (_, key) = own_key(&api).await;
    let free = 1_000_000;
    let replicas = [api.sharing_replica(limit(free), &url).await, api.sharing_replica(limit(free), &url).await];
    let calls = (0..40).map(|n| create(&api, &replicas[n % 2], &key, "one", "+79990000001"));
    let replies = futures::future::join_all(calls).await;
    let executed = replies.iter().filter(|reply| reply.status == 201 && reply.header("idempotent-replayed").is_empty());
    assert_eq!(executed.count(), 1);
    for reply in &replies {
        let code = if reply.status == 201 { String::new() } else { reply.code() };
        assert!(reply.status == 201 || code == "IDEMPOTENCY_KEY_IN_PROGRESS", "{} {code}", reply.status);
    }
    assert_eq!(api.count("/contacts").await, 1);
    assert_eq!(api.count("/events").await, 1);
    let first =
        replies.iter().find(|reply| reply.header("idempotent-replayed").is_empty() && reply.status == 201).unwrap();
    let replayed = create(&api, &replicas[1], &key, "one", "+79990000001").await;
    assert_eq!((replayed.header("idempotent-replayed"), &replayed.bytes), ("1", &first.bytes), "byte for byte");
    assert_eq!(create(&api, &replicas[0], &key, "one", "+79990000002").await.code(), "IDEMPOTENCY_KEY_REUSE_CONFLICT");
}

#[tokio::test]
async fn the_shared_lock_is_respected_and_what_is_cached_can_not_be_read() {
    let Some(url) = redis_url() else { return };
    let api = Api::start().await;
    let (key_id, key) = own_key(&api).await;
    let replica = api.sharing_replica(limit(1_000_000), &url).await;
    let mut redis = redis::Client::open(url).unwrap().get_connection().unwrap();
    let name = format!("papi:idem:{key_id}:held");
    let held = r#"{"fingerprint":"00","request_id":"req_01KSQ4ZP7V8M3F6T2X9BCDEHJK","first_seen":1780000000000000,"answer":null}"#;
    let () = redis.set_ex(&name, held, 60).unwrap();
    let refused = create(&api, &replica, &key, "held", "+79990000003").await;
    assert_eq!(refused.code(), "IDEMPOTENCY_KEY_REUSE_CONFLICT", "another process works on it");
    assert_eq!(refused.details()["first_request_id"], "req_01KSQ4ZP7V8M3F6T2X9BCDEHJK");
    assert_eq!(api.count("/contacts").await, 0, "nothing was executed");
    let () = redis.del(&name).unwrap();
    assert_eq!(create(&api, &replica, &key, "held", "+79990000003").await.status, 201);
    let cached: String = redis.get(&name).unwrap();
    assert!(cached.contains("answer") && !cached.contains("79990000003"), "{cached}");
    let lives: i64 = redis.ttl(&name).unwrap();
    assert!((86_000..=86_400).contains(&lives), "{lives} seconds");
}

#[tokio::test]
async fn without_its_redis_a_replica_goes_on_alone() {
    let api = Api::start().await;
    let (_, key) = own_key(&api).await;
    // Nobody listens there.
    let replica = api.sharing_replica(limit(5), "redis://127.0.0.1:1/").await;
    let begun = Instant::now();
    assert_eq!(create(&api, &replica, &key, "alone", "+79990000004").await.status, 201);
    let again = create(&api, &replica, &key, "alone", "+79990000004").await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (201, "1"));
    for _ in 0..3 {
        assert_eq!(list(&api, &replica, &key).await.status, 200);
    }
    assert_eq!(list(&api, &replica, &key).await.status, 429, "it counts for itself");
    assert!(begun.elapsed() < Duration::from_secs(3), "and nobody waits for the Redis: {:?}", begun.elapsed());
}
