//! Every answer has the contract's form, whoever made it.

use std::time::Duration;

use api::ApiConfig;
use axum::http::Method;

use crate::harness::{Api, Call, Reply, full};

fn is_enveloped(reply: &Reply) {
    let json = reply.json();
    assert_eq!(json["request_id"], reply.header("x-request-id"), "{json}");
    assert!(reply.header("x-request-id").starts_with("req_"));
    assert_eq!(reply.header("content-type"), "application/json");
    for header in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"] {
        assert!(!reply.header(header).is_empty(), "{header}");
    }
    if !reply.status.is_success() {
        assert!(json["code"].is_string() && json["message"].is_string() && json["details"].is_object(), "{json}");
        assert_eq!(json.as_object().unwrap().len(), 4);
    }
}

#[tokio::test]
async fn every_answer_carries_the_envelope_and_its_own_request_id() {
    let api = Api::start().await;
    let calls = [
        Call::new(Method::GET, &full("/contacts")),
        Call::new(Method::GET, &full("/nowhere")),
        Call::new(Method::GET, &full("")),
        Call::new(Method::GET, &full("/")),
        Call::new(Method::GET, &full("/contacts/")),
        Call::new(Method::GET, &full("/contacts/con_1/and/more")),
        Call::new(Method::GET, &full("/contacts/%ff")),
        Call::new(Method::PUT, &full("/contacts")),
        Call::new(Method::OPTIONS, &full("/contacts")),
        Call::new(Method::POST, &full("/contacts")),
        Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "a").json("{"),
        Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "b").json("{}"),
        Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "c").body("x".repeat(1024 * 1024 + 1)),
    ];
    let mut seen = std::collections::HashSet::new();
    for call in calls {
        let reply = api.send(call.header("x-request-id", "req_00000000000000000000000000")).await;
        is_enveloped(&reply);
        assert_ne!(reply.header("x-request-id"), "req_00000000000000000000000000", "never the caller's");
        assert!(seen.insert(reply.header("x-request-id").to_owned()), "one id for each request");
    }
    is_enveloped(&api.send_bare(Call::new(Method::GET, &full("/contacts"))).await);
}

#[tokio::test]
async fn unknown_paths_and_methods_are_told_apart() {
    let api = Api::start().await;
    let unknown = api.get("/nowhere").await;
    assert_eq!((unknown.status.as_u16(), unknown.code().as_str()), (404, "RESOURCE_NOT_FOUND"));
    assert_eq!(unknown.details()["resource_type"], "route");
    let wrong = api.send(Call::new(Method::PUT, &full("/contacts"))).await;
    assert_eq!((wrong.status.as_u16(), wrong.code().as_str()), (405, "METHOD_NOT_ALLOWED"));
    assert_eq!(wrong.header("allow"), "GET, HEAD, POST");
    assert_eq!(wrong.details(), serde_json::json!({"allowed": ["GET", "HEAD", "POST"]}));
}

#[tokio::test]
async fn problem_details_are_sent_on_request() {
    let api = Api::start().await;
    let call = Call::new(Method::GET, &full("/contacts/con_1"));
    let reply = api.send(call.header("accept", "text/html, application/problem+json;q=0.9")).await;
    assert_eq!(reply.header("content-type"), "application/problem+json");
    let problem = reply.json();
    assert_eq!(problem["type"], "/docs/error-codes#RESOURCE_NOT_FOUND");
    assert_eq!((&problem["status"], &problem["title"]), (&404.into(), &"Not Found".into()));
    assert_eq!(problem["code"], "RESOURCE_NOT_FOUND");
    assert_eq!(problem["details"]["resource_id"], "con_1");
    assert_eq!(problem["request_id"], reply.header("x-request-id"));
    for plain in ["application/json", "*/*", "application/problem+json;q=0, application/json"] {
        let reply = api.send(Call::new(Method::GET, &full("/contacts/con_1")).header("accept", plain)).await;
        assert_eq!(reply.header("content-type"), "application/json", "{plain}");
    }
}

#[tokio::test]
async fn rate_limits_are_announced_kept_and_lifted() {
    let api = Api::with(ApiConfig { rate_limit: 3, ..ApiConfig::default() }).await;
    for remaining in ["2", "1", "0"] {
        let reply = api.get("/contacts").await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("x-ratelimit-limit"), "3");
        assert_eq!(reply.header("x-ratelimit-remaining"), remaining);
    }
    let refused = api.get("/contacts").await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (429, "RATE_LIMIT_EXCEEDED"));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait));
    assert_eq!(refused.details(), serde_json::json!({"retry_after_seconds": wait, "limit": 3}));
    api.advance(Duration::from_secs(wait));
    assert_eq!(api.get("/contacts").await.status, 200);
}

#[tokio::test]
async fn guesses_are_limited_by_address_and_leave_valid_keys_alone() {
    let api = Api::with(ApiConfig { rate_limit: 2, ..ApiConfig::default() }).await;
    let guess = || Call::new(Method::GET, &full("/contacts")).header("authorization", "Bearer btx_live_guess");
    assert_eq!(api.send_bare(guess()).await.status, 401);
    assert_eq!(api.send_bare(guess()).await.status, 401);
    assert_eq!(api.send_bare(guess()).await.status, 429);
    assert_eq!(api.get("/contacts").await.status, 200);
}

#[tokio::test]
async fn only_trusted_proxies_say_where_a_request_came_from() {
    let config = |trusted: &[&str]| ApiConfig {
        rate_limit: 1,
        trusted_proxies: trusted.iter().map(|network| network.parse().unwrap()).collect(),
        ..ApiConfig::default()
    };
    let from = |forwarded: &str| {
        let peer: std::net::SocketAddr = "10.0.0.1:4711".parse().unwrap();
        let call = Call::new(Method::GET, &full("/contacts")).header("x-forwarded-for", forwarded);
        call.extension(axum::extract::ConnectInfo(peer))
    };
    let api = Api::with(config(&["10.0.0.0/8"])).await;
    assert_eq!(api.send_bare(from("203.0.113.1")).await.status, 401);
    assert_eq!(api.send_bare(from("203.0.113.2, 10.0.0.2")).await.status, 401, "another caller, behind two proxies");
    assert_eq!(
        api.send_bare(from("6.6.6.6, 203.0.113.1")).await.status,
        429,
        "what a caller adds itself is not believed"
    );

    let api = Api::with(config(&[])).await;
    assert_eq!(api.send_bare(from("203.0.113.1")).await.status, 401);
    assert_eq!(api.send_bare(from("203.0.113.2")).await.status, 429, "the peer is no proxy of ours");
}
