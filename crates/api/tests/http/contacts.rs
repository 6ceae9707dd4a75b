//! `/contacts`.

use crate::harness::{Api, Call, full, new_key, new_project, unique};
use axum::http::Method;
use domain::status::Scope;
use serde_json::json;

#[tokio::test]
async fn a_contact_is_created_with_its_event_and_found_again() {
    let api = Api::start().await;
    let body =
        r#"{"phone":"+79161234567","name":"Анна","email":"anna@example.com","tags":["vip"],"attributes":{"n": 1.10}}"#;
    let created = api.post("/contacts", body).await;
    assert_eq!(created.status, 201, "{:?}", created.json());
    let data = created.data();
    assert_eq!(data["phone"], "+79161234567");
    assert_eq!(data["tags"], json!(["vip"]));
    assert!(String::from_utf8_lossy(&created.bytes).contains(r#""attributes":{"n": 1.10}"#), "kept as sent");
    assert_eq!(created.header("location"), full(&format!("/contacts/{}", created.id())));
    assert_eq!(api.get(&format!("/contacts/{}", created.id())).await.data(), data);

    let events = api.get("/events").await.data();
    assert_eq!(events.as_array().unwrap().len(), 1);
    assert_eq!(events[0]["type"], "contact.created");
    assert_eq!(events[0]["data"], data);
    assert_eq!(events[0]["request_id"], created.header("x-request-id"));
}

#[tokio::test]
async fn every_bad_field_is_named_at_once() {
    let api = Api::start().await;
    let body = r#"{"phone":"79161234567","name":" ","email":"x","tags":[1],"attributes":[],"colour":"red"}"#;
    let refused = api.post("/contacts", body).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "VALIDATION_ERROR"));
    let fields = refused.details()["fields"].clone();
    let names: Vec<_> = fields.as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["attributes", "colour", "email", "name", "phone", "tags"]);
    assert_eq!(fields["phone"], "must start with +");
    let empty = api.post("/contacts", "{}").await;
    assert_eq!(empty.details()["fields"], json!({"name": "is required", "phone": "is required"}));
    assert_eq!(api.count("/contacts").await, 0);
}

#[tokio::test]
async fn nul_is_refused_in_every_text() {
    let api = Api::start().await;
    let body = r#"{"phone":"+7916\u00001","name":"a\u0000","email":"a\u0000@b.c","tags":["\u0000"]}"#;
    let refused = api.post("/contacts", body).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.details()["fields"].as_object().unwrap().len(), 4);
}

#[tokio::test]
async fn duplicate_id_is_500_nowhere_but_409_and_a_phone_is_unique_in_its_project_only() {
    let api = Api::start().await;
    let body = r#"{"phone":"+79161234567","name":"Anna"}"#;
    let first = api.post("/contacts", body).await;
    let second = api.post("/contacts", body).await;
    assert_eq!((second.status.as_u16(), second.code().as_str()), (409, "RESOURCE_CONFLICT"));
    assert_eq!(second.details(), json!({"resource_type": "contact", "field": "phone", "existing_id": first.id()}));
    assert_eq!(api.count("/events").await, 1, "a refused change has no event");

    let other = new_project(&api.store, None).await;
    let (_, key) = new_key(&api.store, other, vec![Scope::Write]).await;
    let call = Call::new(Method::POST, &full("/contacts")).header("idempotency-key", "k").json(body);
    assert_eq!(api.send_as(&key, call).await.status, 201);
}

#[tokio::test]
async fn a_contact_is_changed_and_deleted_with_events() {
    let api = Api::start().await;
    let created = api.post("/contacts", r#"{"phone":"+79161234567","name":"Anna","email":"a@b.c"}"#).await;
    let path = format!("/contacts/{}", created.id());
    let changed = api.patch(&path, r#"{"name":"Anya","email":null}"#).await;
    assert_eq!(changed.status, 200);
    assert_eq!(changed.data()["name"], "Anya");
    assert_eq!(changed.data()["email"], json!(null));
    assert_eq!(changed.data()["phone"], "+79161234567");
    assert_eq!(api.patch(&path, r#"{"phone":null}"#).await.status, 422);
    // Without a key, too, a repetition repeats nothing: no second event, and nobody's time moves.
    for same in [r#"{"name":"Anya","email":null}"#, "{}"] {
        assert_eq!(api.patch(&path, same).await.data(), changed.data(), "{same}");
    }

    let deleted = api.delete(&path).await;
    assert_eq!(deleted.status, 204);
    assert!(deleted.bytes.is_empty());
    assert!(deleted.header("x-request-id").starts_with("req_"));
    assert_eq!(api.get(&path).await.status, 404);
    assert_eq!(api.delete(&path).await.status, 404);
    let events = api.get("/events").await.data();
    let types: Vec<_> = events.as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["contact.deleted", "contact.updated", "contact.created"]);
}

#[tokio::test]
async fn the_limit_holds_exactly_when_many_come_at_once() {
    let api = Api::start().await;
    let project = new_project(&api.store, Some(7)).await;
    let (_, key) = new_key(&api.store, project, vec![Scope::Read, Scope::Write]).await;
    let calls = (0..30).map(|n| {
        let body = format!(r#"{{"phone":"+7916000{n:04}","name":"n"}}"#);
        let call = Call::new(Method::POST, &full("/contacts")).header("idempotency-key", &unique()).json(&body);
        api.send_as(&key, call)
    });
    let replies = futures::future::join_all(calls).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 7);
    let refused = replies.iter().find(|reply| reply.status != 201).unwrap();
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "CONTACT_LIMIT_EXCEEDED"));
    assert_eq!(refused.details(), json!({"limit": 7, "current": 7}));
    let list = api.send_as(&key, Call::new(Method::GET, &full("/contacts"))).await;
    assert_eq!(list.data().as_array().unwrap().len(), 7);
}
