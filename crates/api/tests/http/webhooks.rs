//! `/events` and everything below `/webhooks`.

use api::ApiConfig;
use domain::address::AddressGuard;
use serde_json::json;

use crate::harness::Api;

#[tokio::test]
async fn an_event_keeps_its_data_byte_for_byte_and_is_fanned_out() {
    let api = Api::start().await;
    let endpoint =
        api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["payment.*"]}"#).await;
    assert_eq!(endpoint.status, 201, "{}", endpoint.json());
    assert!(endpoint.data()["secret"].as_str().unwrap().starts_with("whsec_"));
    let path = format!("/webhooks/endpoints/{}", endpoint.id());
    assert!(api.get(&path).await.data().get("secret").is_none(), "shown once");
    assert!(api.get("/webhooks/endpoints").await.data()[0].get("secret").is_none());

    let data = r#"{"b" : 1.10,  "a": 12345678901234567890123}"#;
    let event = api.post("/events", &format!(r#"{{"type":"payment.succeeded","data": {data} }}"#)).await;
    assert_eq!(event.status, 201);
    let again = api.get(&format!("/events/{}", event.id())).await;
    for reply in [&event, &again] {
        assert!(String::from_utf8_lossy(&reply.bytes).contains(&format!("\"data\":{data}")), "{:?}", reply.bytes);
    }
    let deliveries = api.get(&format!("/webhooks/deliveries?event_id={}", event.id())).await.data();
    assert_eq!(deliveries.as_array().unwrap().len(), 1);
    assert_eq!((&deliveries[0]["status"], &deliveries[0]["trigger"]), (&"pending".into(), &"initial".into()));
    let one = api.get(&format!("/webhooks/deliveries/{}", deliveries[0]["id"].as_str().unwrap())).await;
    assert_eq!(one.data(), deliveries[0]);
}

#[tokio::test]
async fn events_are_checked() {
    let api = Api::start().await;
    for (body, field) in [
        (r#"{"type":"Payment","data":{}}"#, "type"),
        (r#"{"type":"webhook.test","data":{}}"#, "type"),
        (r#"{"type":"webhook.endpoint.disabled","data":{}}"#, "type"),
        (r#"{"type":"a.b","data":[]}"#, "data"),
        (r#"{"type":"a.b"}"#, "data"),
        (r#"{"type":"a.b","data":null}"#, "data"),
        (r#"{"type":"a.b","data":{},"id":"x"}"#, "id"),
    ] {
        let reply = api.post("/events", body).await;
        assert_eq!(reply.status, 422, "{body}");
        assert_eq!(reply.details()["fields"].as_object().unwrap().keys().collect::<Vec<_>>(), [field]);
    }
    assert_eq!(api.count("/events").await, 0);
}

#[tokio::test]
async fn endpoints_to_forbidden_places_are_refused_in_every_spelling() {
    let api = Api::start().await;
    for url in [
        "http://127.0.0.1:9000/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://10.1.2.3/",
        "https://example.com:22/",
        "https://user:pw@example.com/",
        "ftp://example.com/",
    ] {
        let body = json!({"url": url, "event_types": ["*"]}).to_string();
        let reply = api.post("/webhooks/endpoints", &body).await;
        assert_eq!(reply.status, 422, "{url}");
        assert!(reply.details()["fields"]["url"].is_string(), "{url}");
    }
    for body in [
        r#"{"url":"https://example.com/","event_types":[]}"#,
        r#"{"url":"https://example.com/","event_types":["Contact"]}"#,
        r#"{"url":"https://example.com/","event_types":"*"}"#,
        r#"{"url":"https://example.com/"}"#,
    ] {
        assert!(api.post("/webhooks/endpoints", body).await.details()["fields"]["event_types"].is_string(), "{body}");
    }
    assert_eq!(api.count("/webhooks/endpoints").await, 0);
}

#[tokio::test]
async fn an_allow_list_opens_a_network() {
    let guard = AddressGuard::allowing(vec!["127.0.0.0/8".parse().unwrap()]);
    let api = Api::with(ApiConfig { guard, ..ApiConfig::default() }).await;
    let body = r#"{"url":"http://127.0.0.1:9000/hook","event_types":["*"],"enabled":false,"description":"dev"}"#;
    let made = api.post("/webhooks/endpoints", body).await;
    assert_eq!(made.status, 201, "{}", made.json());
    assert_eq!((&made.data()["enabled"], &made.data()["description"]), (&false.into(), &"dev".into()));
}

#[tokio::test]
async fn a_retry_is_a_new_delivery_that_names_the_old_one() {
    let api = Api::start().await;
    api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["*"]}"#).await;
    api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    let old = api.get("/webhooks/deliveries").await.data()[0].clone();
    let path = format!("/webhooks/deliveries/{}/retry", old["id"].as_str().unwrap());
    let made = api.post_with("r", &path, "").await;
    assert_eq!(made.status, 201, "{}", made.json());
    assert_eq!((&made.data()["parent_delivery_id"], &made.data()["trigger"]), (&old["id"], &"manual".into()));
    assert_ne!(made.data()["request_id"], old["request_id"]);
    assert_eq!(api.post_with("r", &path, "").await.header("idempotent-replayed"), "1");
    assert_eq!(api.count("/webhooks/deliveries").await, 2);
    let old = api.get(&format!("/webhooks/deliveries/{}", old["id"].as_str().unwrap())).await.data();
    assert_eq!((&old["status"], &old["cancel_reason"]), (&"cancelled".into(), &"superseded".into()));
    assert_eq!(api.post(&path, r#"{"force":true}"#).await.status, 422);
}

#[tokio::test]
async fn attempts_and_dead_letters_are_lists_with_filters() {
    let api = Api::start().await;
    for path in [
        "/webhooks/attempts?status=delivered,retrying&response_status_code=5xx&error_code=dns_error&trigger=manual",
        "/webhooks/attempts?delivery_status=pending&created_after=2026-01-01T00:00:00Z",
        "/webhooks/dead-letters?resolved=true&reason=rejected",
        "/webhooks/deliveries?status=pending&trigger=bulk",
    ] {
        let reply = api.get(path).await;
        assert_eq!((reply.status.as_u16(), reply.data()), (200, json!([])), "{path}");
    }
    let missing = "/webhooks/attempts/att_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    assert_eq!(api.get(&format!("{missing}?include=payload")).await.status, 404);
    assert_eq!(api.get(&format!("{missing}?include=everything")).await.status, 400);
    assert_eq!(api.get("/webhooks/dead-letters/dlq_01ARZ3NDEKTSV4RRFFQ69G5FAV").await.status, 404);
}

#[tokio::test]
async fn an_endpoint_is_changed_its_secret_replaced_and_then_deleted() {
    let api = Api::start().await;
    let made =
        api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["*"],"description":"x"}"#);
    let made = made.await;
    let path = format!("/webhooks/endpoints/{}", made.id());
    let changed = api.patch(&path, r#"{"url":"https://example.com/new","enabled":false,"description":null}"#).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
    let data = changed.data();
    assert_eq!((&data["url"], &data["enabled"]), (&"https://example.com/new".into(), &false.into()));
    assert_eq!((&data["description"], &data["event_types"]), (&json!(null), &json!(["*"])));
    let refused = api.patch(&path, r#"{"url":null,"event_types":[],"enabled":1}"#).await.details();
    assert_eq!(refused["fields"].as_object().unwrap().keys().collect::<Vec<_>>(), ["enabled", "event_types", "url"]);
    assert_eq!(api.patch(&path, r#"{"url":"http://127.0.0.1/"}"#).await.status, 422);

    let rotated = api.post_with("rotate", &format!("{path}/rotate-secret"), "").await;
    assert_eq!(rotated.status, 200, "{}", rotated.json());
    let secret = rotated.data()["secret"].clone();
    assert!(secret.as_str().unwrap().starts_with("whsec_") && secret != made.data()["secret"]);
    assert!(rotated.data()["previous_secret_expires_at"].is_string());
    let again = api.post_with("rotate", &format!("{path}/rotate-secret"), "").await;
    assert_eq!(again.data()["secret"], secret, "a repeated rotation is the same one");

    api.patch(&path, r#"{"enabled":true}"#).await;
    api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    assert_eq!(api.delete(&path).await.status, 204);
    assert_eq!(api.get(&path).await.status, 404);
    assert_eq!(api.count("/webhooks/endpoints").await, 0);
    let delivery = api.get("/webhooks/deliveries").await.data()[0].clone();
    assert_eq!((&delivery["status"], &delivery["cancel_reason"]), (&"cancelled".into(), &"endpoint_deleted".into()));
    assert_eq!(delivery["next_attempt_at"], json!(null));
    let retry = api.post(&format!("/webhooks/deliveries/{}/retry", delivery["id"].as_str().unwrap()), "").await;
    assert_eq!((retry.status.as_u16(), retry.code().as_str()), (409, "RESOURCE_CONFLICT"));
    api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    assert_eq!(api.count("/webhooks/deliveries").await, 1, "nothing more is sent there");
}

/// Gives the only delivery up, as the engine does in the end.
async fn dead_letter(api: &Api) -> String {
    const ID: &str = "dlq_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let given_up = api.store.write::<_, _, store::StoreError>(|tx| {
        Box::pin(async move {
            let update = "UPDATE btx_webhook_delivery SET status = 'dead_lettered', next_attempt_at = NULL";
            store::Sql::new(update).execute(tx).await?;
            let insert = "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, \
                          endpoint_id, request_id, reason, created_at) SELECT 'dlq_01ARZ3NDEKTSV4RRFFQ69G5FAV', \
                          project_id, id, event_id, event_type, endpoint_id, request_id, 'rejected', created_at \
                          FROM btx_webhook_delivery";
            store::Sql::new(insert).execute(tx).await
        })
    });
    assert_eq!(given_up.await.unwrap(), 1);
    ID.to_owned()
}

#[tokio::test]
async fn a_dead_letter_is_retried_once_and_leaves_the_inbox() {
    let api = Api::start().await;
    api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["*"]}"#).await;
    api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    let id = dead_letter(&api).await;
    assert_eq!(api.count("/webhooks/dead-letters").await, 1);
    let path = format!("/webhooks/dead-letters/{id}");
    assert_eq!(api.get(&path).await.data()["reason"], "rejected");
    let made = api.post(&format!("{path}/retry"), "").await;
    assert_eq!(made.status, 201, "{}", made.json());
    let letter = api.get(&path).await.data();
    assert_eq!((&letter["resolution"], &letter["retry_delivery_id"]), (&"retried".into(), &made.data()["id"]));
    assert_eq!(made.data()["parent_delivery_id"], letter["delivery_id"]);
    assert_eq!(api.count("/webhooks/dead-letters").await, 0);
    assert_eq!(api.count("/webhooks/dead-letters?resolved=true").await, 1);
    let again = api.post(&format!("{path}/retry"), "").await;
    assert_eq!((again.status.as_u16(), again.code().as_str()), (409, "RESOURCE_CONFLICT"));
    assert_eq!(again.details(), json!({"resource_type": "dead_letter", "field": "resolved_at", "existing_id": id}));
    assert_eq!(api.count("/webhooks/deliveries").await, 2);
}

#[tokio::test]
async fn a_dismissed_dead_letter_leaves_the_inbox_until_it_is_restored() {
    let api = Api::start().await;
    api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["*"]}"#).await;
    api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    let path = format!("/webhooks/dead-letters/{}", dead_letter(&api).await);
    let dismissed = api.post(&format!("{path}/dismiss"), "").await;
    assert_eq!((dismissed.status.as_u16(), &dismissed.data()["resolution"]), (200, &"dismissed".into()));
    assert_eq!(api.count("/webhooks/dead-letters").await, 0);
    let restored = api.post(&format!("{path}/restore"), "").await;
    assert_eq!((restored.status.as_u16(), &restored.data()["resolution"]), (200, &json!(null)));
    assert_eq!(api.count("/webhooks/dead-letters").await, 1);
    assert_eq!(api.post(&format!("{path}/retry"), "").await.status, 201);
    for late in ["dismiss", "restore"] {
        let reply = api.post(&format!("{path}/{late}"), "").await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (409, "RESOURCE_CONFLICT"), "{late}");
    }
    let unknown = api.post("/webhooks/dead-letters/dlq_01ARZ3NDEKTSV4RRFFQ69G5FAX/dismiss", "").await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_test_goes_to_its_endpoint_alone_and_can_be_called_off() {
    let api = Api::start().await;
    let body = r#"{"url":"https://example.com/a","event_types":["contact.*"]}"#;
    let tested = api.post("/webhooks/endpoints", body).await.id();
    api.post("/webhooks/endpoints", r#"{"url":"https://example.com/b","event_types":["*"]}"#).await;
    let sent = api.post(&format!("/webhooks/endpoints/{tested}/test"), "").await;
    assert_eq!(sent.status, 202, "{}", sent.json());
    let delivery = sent.data();
    assert_eq!((&delivery["endpoint_id"], &delivery["trigger"]), (&json!(tested), &"test".into()));
    assert_eq!(delivery["event_type"], "webhook.test");
    assert_eq!(api.count("/webhooks/deliveries").await, 1, "nobody else hears of it");

    let path = format!("/webhooks/deliveries/{}/cancel", delivery["id"].as_str().unwrap());
    let cancelled = api.post(&path, "").await;
    assert_eq!((cancelled.status.as_u16(), &cancelled.data()["cancel_reason"]), (200, &"requested".into()));
    assert_eq!(api.post(&path, "").await.data(), cancelled.data(), "once more changes nothing");
}

#[tokio::test]
async fn one_endpoint_says_how_it_fares_and_a_list_does_not() {
    let api = Api::start().await;
    let body = r#"{"url":"https://example.com/a","event_types":["*"]}"#;
    let made = api.post("/webhooks/endpoints", body).await;
    let one = api.get(&format!("/webhooks/endpoints/{}", made.id())).await.data();
    assert_eq!((&one["health"]["consecutive_failures"], &one["health"]["success_percent"]), (&json!(0), &json!(null)));
    assert_eq!((&one["disabled_reason"], &one["disabled_at"]), (&json!(null), &json!(null)));
    assert!(made.data().get("health").is_none());
    let listed = api.get("/webhooks/endpoints").await;
    assert!(listed.json()["data"][0].get("health").is_none());
}
