//! Which error wins, when several apply (contract section 3).

use api::ApiConfig;
use axum::http::Method;
use domain::status::Scope;
use store::{StoreError, api_keys};

use crate::harness::{Api, Call, Reply, full, new_key, new_project};

/// The worst request, with as much of it mended as `mended` says.
fn request(mended: usize) -> Call {
    let path = if mended >= 1 { full("/contacts?colour=red") } else { full("/nowhere?colour=red") };
    let method = if mended >= 2 { Method::POST } else { Method::PUT };
    let mut call = Call::new(method, &path);
    if mended >= 5 {
        call = call.header("idempotency-key", "the-key");
    }
    let body = if mended >= 6 { "{".to_owned() } else { "x".repeat(1024 * 1024 + 1) };
    call = call.body(body);
    if mended >= 7 {
        call = call.header("content-type", "application/json; charset=utf-8");
    }
    call
}

fn told(reply: &Reply) -> (u16, String) {
    (reply.status.as_u16(), reply.code())
}

#[tokio::test]
async fn the_first_error_of_the_contract_s_order_is_told() {
    let api = Api::start().await;
    let (_, reader) = new_key(&api.store, api.project, vec![Scope::Read]).await;
    let is = |reply: &Reply, status: u16, code: &str| assert_eq!(told(reply), (status, code.to_owned()));
    is(&api.send_bare(request(0)).await, 404, "RESOURCE_NOT_FOUND");
    is(&api.send_bare(request(1)).await, 405, "METHOD_NOT_ALLOWED");
    is(&api.send_bare(request(2)).await, 401, "UNAUTHORIZED");
    is(&api.send_as(&reader, request(3)).await, 403, "FORBIDDEN");
    is(&api.send(request(4)).await, 400, "IDEMPOTENCY_KEY_REQUIRED");
    is(&api.send(request(5)).await, 413, "PAYLOAD_TOO_LARGE");
    is(&api.send(request(6)).await, 415, "MALFORMED_REQUEST");
    is(&api.send(request(7)).await, 400, "MALFORMED_REQUEST");
    // The key is used now, so that the conflict comes before the next body is even read as JSON.
    is(&api.post_with("the-key", "/contacts", "[").await, 409, "IDEMPOTENCY_KEY_REUSE_CONFLICT");
    is(&api.post("/contacts", "{}").await, 422, "VALIDATION_ERROR");
}

#[tokio::test]
async fn the_rate_limit_comes_before_the_scope() {
    let api = Api::with(ApiConfig { rate_limit: 1, ..ApiConfig::default() }).await;
    let (_, reader) = new_key(&api.store, api.project, vec![Scope::Read]).await;
    assert_eq!(told(&api.send_as(&reader, request(3)).await).0, 403);
    assert_eq!(told(&api.send_as(&reader, request(3)).await).0, 429);
}

#[tokio::test]
async fn every_invalid_key_gets_the_same_answer() {
    let api = Api::start().await;
    let (revoked, revoked_key) = new_key(&api.store, api.project, vec![Scope::Read]).await;
    let ask = |key: String| Call::new(Method::GET, &full("/contacts")).header("authorization", &key);
    assert_eq!(api.send_bare(ask(format!("bearer {revoked_key}"))).await.status, 200);
    let project = api.project;
    let done = api
        .store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::revoke(tx, project, revoked.id).await }));
    assert!(done.await.unwrap());

    let mut unknown = api.key.clone();
    unknown.replace_range(12..13, if &unknown[12..13] == "0" { "1" } else { "0" });
    let mut bodies = std::collections::HashSet::new();
    for value in [
        format!("Bearer {revoked_key}"),
        format!("Bearer {unknown}"),
        "Bearer ".to_owned(),
        "Basic dXNlcjpwYXNz".to_owned(),
        api.key.clone(),
        String::new(),
    ] {
        let reply = api.send_bare(ask(value.clone())).await;
        assert_eq!(told(&reply), (401, "UNAUTHORIZED".to_owned()), "{value}");
        assert_eq!(reply.header("www-authenticate"), "Bearer");
        let mut json = reply.json();
        json["request_id"] = "".into();
        bodies.insert(json.to_string());
    }
    let twice = ask(format!("Bearer {}", api.key)).header("authorization", &format!("Bearer {}", api.key));
    assert_eq!(api.send_bare(twice).await.status, 401);
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn unknown_query_parameters_are_named() {
    let api = Api::start().await;
    for path in ["/contacts?colour=red", "/contacts/con_1?colour=red", "/webhooks/attempts?colour=red&status=nope"] {
        let reply = api.get(path).await;
        assert_eq!(told(&reply), (400, "MALFORMED_REQUEST".to_owned()), "{path}");
        assert_eq!(reply.details()["reason"], "unknown query parameter colour");
    }
    assert_eq!(told(&api.post("/contacts?colour=red", "{}").await).0, 400);
    assert_eq!(told(&api.get("/events?type=a%00b").await).0, 400);
}

#[tokio::test]
async fn bad_json_is_located_and_a_wrong_type_is_named() {
    let api = Api::start().await;
    let reply = api.post("/contacts", "{\"phone\":\n  nope}").await;
    assert_eq!(told(&reply), (400, "MALFORMED_REQUEST".to_owned()));
    assert!(reply.details()["reason"].as_str().unwrap().contains("line 2 column"), "{}", reply.json());
    let call = Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "k1");
    let reply = api.send(call.header("content-type", "text/plain").body("{}")).await;
    assert_eq!(told(&reply), (415, "MALFORMED_REQUEST".to_owned()));
    assert!(reply.details()["reason"].as_str().unwrap().contains("text/plain"));
}

#[tokio::test]
async fn what_belongs_to_another_project_does_not_exist() {
    let api = Api::start().await;
    let other = new_project(&api.store, None).await;
    let (_, key) = new_key(&api.store, other, vec![Scope::Read, Scope::Write]).await;
    let create =
        |path: &str, body: &str| Call::new(Method::POST, &full(path)).header("idempotency-key", path).json(body);
    let contact = api.send_as(&key, create("/contacts", r#"{"phone":"+79161234567","name":"A"}"#)).await;
    let endpoint = create("/webhooks/endpoints", r#"{"url":"https://example.com/","event_types":["*"]}"#);
    let endpoint = api.send_as(&key, endpoint).await;
    let event = api.send_as(&key, create("/events", r#"{"type":"a.b","data":{}}"#)).await;
    let deliveries = api.send_as(&key, Call::new(Method::GET, &full("/webhooks/deliveries"))).await;
    let delivery = deliveries.data()[0]["id"].as_str().unwrap().to_owned();
    let foreign = [
        format!("/contacts/{}", contact.id()),
        format!("/webhooks/endpoints/{}", endpoint.id()),
        format!("/events/{}", event.id()),
        format!("/webhooks/deliveries/{delivery}"),
        format!("/requests/{}", contact.header("x-request-id")),
        "/idempotency-keys/contacts".to_owned(),
    ];
    for path in &foreign {
        let own = api.send_as(&key, Call::new(Method::GET, &full(path))).await;
        assert!(own.status == 200 || path.contains("idempotency"), "{path}: {}", own.json());
        let reply = api.get(path).await;
        assert_eq!(told(&reply), (404, "RESOURCE_NOT_FOUND".to_owned()), "{path}");
    }
    assert_eq!(api.patch(&foreign[0], r#"{"name":"x"}"#).await.status, 404);
    assert_eq!(api.delete(&foreign[0]).await.status, 404);
    assert_eq!(api.post(&format!("{}/retry", foreign[3]), "").await.status, 404);
    for list in ["/contacts", "/events", "/webhooks/endpoints", "/webhooks/deliveries", "/idempotency-keys"] {
        let own = api.get(list).await.data();
        assert!(!own.to_string().contains(&contact.id()), "{list}");
    }
    assert_eq!(api.count("/contacts").await, 0);
}
