//! The log of requests.

use std::time::Duration;

use axum::http::Method;
use domain::status::Scope;

use crate::harness::{Api, Call, full, new_key};

#[tokio::test]
async fn a_mutating_request_is_found_as_soon_as_it_is_answered_failed_or_not() {
    let api = Api::start().await;
    let (_, reader) = new_key(&api.store, api.project, vec![Scope::Read]).await;
    let post = || Call::new(Method::POST, &full("/contacts")).header("user-agent", "test/1").json("{}");
    for (reply, status) in [
        (api.send(post().header("idempotency-key", "k")).await, 422),
        (api.send(post()).await, 400),
        (api.send_as(&reader, post()).await, 403),
        (api.send(Call::new(Method::PUT, &full("/contacts"))).await, 405),
    ] {
        assert_eq!(reply.status.as_u16(), status);
        let found = api.get(&format!("/requests/{}", reply.header("x-request-id"))).await;
        assert_eq!(found.status, 200, "{status}");
        let data = found.data();
        assert_eq!((&data["status_code"], &data["path"]), (&status.into(), &"/public/v1/contacts".into()));
        assert_eq!(data["error_code"], reply.code());
    }
}

#[tokio::test]
async fn reads_are_in_the_log_within_a_second() {
    let api = Api::start().await;
    let read = api.get("/contacts?cursor_limit=3").await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    let found = api.get(&format!("/requests/{}", read.header("x-request-id"))).await.data();
    assert_eq!((&found["method"], &found["path"]), (&"GET".into(), &"/public/v1/contacts".into()));
    let listed = api.get("/requests?method=GET&status_code=2xx").await.data();
    assert!(listed.as_array().unwrap().iter().any(|row| row["id"] == found["id"]));
}

#[tokio::test]
async fn one_request_leads_to_everything_that_followed() {
    let api = Api::start().await;
    api.post("/webhooks/endpoints", r#"{"url":"https://example.com/","event_types":["contact.*"]}"#).await;
    let made = api.post_with("k", "/contacts", r#"{"phone":"+79161234567","name":"Anna"}"#).await;
    let trace = api.get(&format!("/requests/{}", made.header("x-request-id"))).await.data()["trace"].clone();
    assert_eq!(trace["events"][0]["type"], "contact.created");
    assert_eq!(trace["deliveries"][0]["event_id"], trace["events"][0]["id"]);
    assert_eq!((&trace["attempts"], &trace["dead_letters"]), (&serde_json::json!([]), &serde_json::json!([])));
    // A webhook's own request id answers with the delivery's side.
    let webhook = trace["deliveries"][0]["request_id"].as_str().unwrap();
    let seen = api.get(&format!("/requests/{webhook}")).await.data()["trace"].clone();
    assert_eq!(seen["deliveries"], trace["deliveries"]);
    assert_eq!(seen["events"], trace["events"]);
    assert_eq!(api.get("/requests/req_01ARZ3NDEKTSV4RRFFQ69G5FAV").await.status, 404);
}

#[tokio::test]
async fn a_key_s_last_use_is_noted() {
    let api = Api::start().await;
    api.get("/contacts").await;
    api.state.flush().await;
    let mut conn = api.store.reader().await.unwrap();
    let keys = store::api_keys::list(&mut conn, api.project, domain::PageRequest::first(10)).await.unwrap();
    assert!(keys.data[0].last_used_at.is_some());
}
