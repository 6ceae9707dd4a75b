//! `/messages`, `/scenarios` and their runs.

use axum::http::Method;
use domain::status::Scope;
use serde_json::json;

use crate::harness::{Api, Call, full, new_key, new_project, unique};

const NOBODY: &str = "con_01KSQ4ZP7V8M3F6T2X9BCDEHJK";

async fn contact(api: &Api, phone: &str) -> String {
    api.post("/contacts", &json!({"phone": phone, "name": "Anna"}).to_string()).await.id()
}

async fn last_event(api: &Api) -> serde_json::Value {
    api.get("/events?cursor_limit=1").await.data()[0].clone()
}

#[tokio::test]
async fn a_message_is_accepted_with_its_event_and_found_again() {
    let api = Api::start().await;
    let contact_id = contact(&api, "+79161234567").await;
    let text = "ы".repeat(4_096);
    let body = json!({"contact_id": contact_id, "text": text, "channel": "telegram"}).to_string();
    let accepted = api.post("/messages", &body).await;
    assert_eq!(accepted.status, 202, "{}", accepted.json());
    let data = accepted.data();
    assert_eq!(
        (&data["contact_id"], &data["text"], &data["channel"]),
        (&json!(contact_id), &json!(text), &json!("telegram"))
    );
    assert_eq!(api.get(&format!("/messages/{}", accepted.id())).await.data(), data);
    let event = last_event(&api).await;
    assert_eq!((&event["type"], &event["data"]), (&json!("message.accepted"), &data));
    assert_eq!(event["request_id"], accepted.header("x-request-id"));

    let other = contact(&api, "+79161234568").await;
    assert_eq!(api.count(&format!("/messages?contact_id={contact_id}")).await, 1);
    assert_eq!(api.count(&format!("/messages?contact_id={other}")).await, 0);
    assert_eq!(api.get("/messages?contact_id=7").await.status, 422);
}

#[tokio::test]
async fn a_message_under_one_key_is_one_message() {
    let api = Api::start().await;
    let body = json!({"contact_id": contact(&api, "+79161234567").await, "text": "Hi"}).to_string();
    let key = unique();
    let first = api.post_with(&key, "/messages", &body).await;
    let again = api.post_with(&key, "/messages", &body).await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, "1"));
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(api.count("/messages").await, 1);
    assert_eq!(api.count("/events?type=message.accepted").await, 1);
}

#[tokio::test]
async fn a_message_needs_a_contact_of_the_project_and_a_text() {
    let api = Api::start().await;
    let refused = api.post("/messages", r#"{"contact_id":"7","text":" ","channel":"","colour":"red"}"#).await;
    assert_eq!(refused.status, 422);
    let names: Vec<_> = refused.details()["fields"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["channel", "colour", "contact_id", "text"]);
    let contact_id = contact(&api, "+79161234567").await;
    for text in ["ы".repeat(4_097), "a\0b".to_owned()] {
        let body = json!({"contact_id": contact_id, "text": text}).to_string();
        assert_eq!(api.post("/messages", &body).await.code(), "VALIDATION_ERROR");
    }

    let other = new_project(&api.store, None).await;
    let (_, key) = new_key(&api.store, other, vec![Scope::Read, Scope::Write]).await;
    for (key, contact_id) in [(&key, contact_id.as_str()), (&api.key, NOBODY)] {
        let body = json!({"contact_id": contact_id, "text": "Hi"}).to_string();
        let call = Call::new(Method::POST, &full("/messages")).header("idempotency-key", &unique()).json(&body);
        let reply = api.send_as(key, call).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, "RESOURCE_NOT_FOUND"));
        assert_eq!(reply.details(), json!({"resource_type": "contact", "resource_id": contact_id}));
    }
    assert_eq!(api.count("/messages").await, 0);
    assert_eq!(api.count("/events?type=message.accepted").await, 0);
}

#[tokio::test]
async fn a_scenario_is_created_byte_for_byte_and_runs_with_events() {
    let api = Api::start().await;
    let body = r#"{"name":"Welcome","trigger":{"on" : 1.10},"steps":[{"wait": 1.10},{"b" : 1,"a":2}]}"#;
    let created = api.post("/scenarios", body).await;
    assert_eq!(created.status, 201, "{}", created.json());
    let text = String::from_utf8_lossy(&created.bytes).into_owned();
    assert!(text.contains(r#""trigger":{"on" : 1.10},"steps":[{"wait": 1.10},{"b" : 1,"a":2}]"#), "{text}");
    assert_eq!(created.header("location"), full(&format!("/scenarios/{}", created.id())));
    assert_eq!(api.get(&format!("/scenarios/{}", created.id())).await.data(), created.data());
    assert_eq!(last_event(&api).await["type"], "scenario.created");

    let contact_id = contact(&api, "+79161234567").await;
    let runs = format!("/scenarios/{}/runs", created.id());
    let run = api.post(&runs, &json!({ "contact_id": contact_id }).to_string()).await;
    assert_eq!(run.status, 201, "{}", run.json());
    assert_eq!(run.data()["scenario_id"], created.id());
    assert_eq!(run.header("location"), full(&format!("{runs}/{}", run.id())));
    assert_eq!(api.get(&format!("{runs}/{}", run.id())).await.data(), run.data());
    let event = last_event(&api).await;
    assert_eq!((&event["type"], &event["data"]), (&json!("scenario.started"), &run.data()));
    assert_eq!(api.count(&runs).await, 1);

    let refused = api.post(&runs, &json!({ "contact_id": NOBODY }).to_string()).await;
    assert_eq!((refused.status.as_u16(), &refused.details()["resource_type"]), (404, &json!("contact")));
    let nowhere = "/scenarios/scn_01KSQ4ZP7V8M3F6T2X9BCDEHJK/runs";
    for reply in [api.post(nowhere, &json!({ "contact_id": contact_id }).to_string()).await, api.get(nowhere).await] {
        assert_eq!((reply.status.as_u16(), &reply.details()["resource_type"]), (404, &json!("scenario")));
    }
    assert_eq!(api.get(&format!("{runs}/run_1")).await.details()["resource_type"], "scenario_run");
}

#[tokio::test]
async fn a_scenario_s_fields_are_checked() {
    let api = Api::start().await;
    for (body, field) in [
        (r#"{"trigger":"x","steps":[]}"#, "name"),
        (r#"{"name":"x","steps":[]}"#, "trigger"),
        (r#"{"name":"x","trigger":7,"steps":[]}"#, "trigger"),
        (r#"{"name":"x","trigger":"\u0000","steps":[]}"#, "trigger"),
        (r#"{"name":"x","trigger":"x"}"#, "steps"),
        (r#"{"name":"x","trigger":"x","steps":{}}"#, "steps"),
        (r#"{"name":"x","trigger":"x","steps":[1]}"#, "steps"),
    ] {
        let refused = api.post("/scenarios", body).await;
        assert_eq!(refused.status, 422, "{body}");
        assert_eq!(refused.details()["fields"].as_object().unwrap().keys().collect::<Vec<_>>(), [field], "{body}");
    }
    assert_eq!(api.count("/scenarios").await, 0);
}

#[tokio::test]
async fn a_scenario_is_changed_field_by_field_and_deleted_with_its_runs() {
    let api = Api::start().await;
    let made = api.post("/scenarios", r#"{"name":"x","trigger":"x","steps":[{"b" : 1}]}"#).await;
    let path = format!("/scenarios/{}", made.id());
    let patch = async |body: &str| api.send(Call::new(Method::PATCH, &full(&path)).json(body)).await;
    let changed = patch(r#"{"name":"Welcome","trigger":{"on" : 1.10}}"#).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
    let text = String::from_utf8_lossy(&changed.bytes).into_owned();
    assert!(text.contains(r#""name":"Welcome","trigger":{"on" : 1.10},"steps":[{"b" : 1}]"#), "{text}");
    assert_eq!(api.get(&path).await.data(), changed.data());
    let refused = patch(r#"{"name":" ","trigger":null,"steps":[1],"colour":"red"}"#).await;
    let names: Vec<_> = refused.details()["fields"].as_object().unwrap().keys().cloned().collect();
    assert_eq!((refused.status.as_u16(), names.join(" ")), (422, "colour name steps trigger".to_owned()));
    assert_eq!(api.get(&path).await.data(), changed.data());

    let contact_id = contact(&api, "+79161234567").await;
    let run = api.post(&format!("{path}/runs"), &json!({ "contact_id": contact_id }).to_string()).await.id();
    let events = api.count("/events").await;
    let delete = || api.send(Call::new(Method::DELETE, &full(&path)));
    assert_eq!(delete().await.status, 204);
    for gone in [delete().await, api.get(&path).await, api.get(&format!("{path}/runs")).await, patch("{}").await] {
        assert_eq!((gone.status.as_u16(), &gone.details()["resource_type"]), (404, &json!("scenario")));
    }
    assert_eq!(api.get(&format!("{path}/runs/{run}")).await.status, 404);
    assert_eq!(api.count("/events").await, events, "the contract names no event for this");
}

#[tokio::test]
async fn a_cursor_of_one_scenario_s_runs_is_no_good_for_another_s() {
    let api = Api::start().await;
    let contact_id = contact(&api, "+79161234567").await;
    let mut lists = Vec::new();
    for _ in 0..2 {
        let scenario = api.post("/scenarios", r#"{"name":"x","trigger":"x","steps":[]}"#).await.id();
        for _ in 0..3 {
            let runs = format!("/scenarios/{scenario}/runs");
            api.post(&runs, &json!({ "contact_id": contact_id }).to_string()).await;
        }
        lists.push(format!("/scenarios/{scenario}/runs"));
    }
    let first = api.get(&format!("{}?cursor_limit=2", lists[0])).await.json();
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = api.get(&format!("{}?cursor_limit=2&cursor={cursor}", lists[0])).await;
    assert_eq!((rest.data().as_array().unwrap().len(), &rest.json()["has_more"]), (1, &json!(false)));
    let foreign = api.get(&format!("{}?cursor_limit=2&cursor={cursor}", lists[1])).await;
    assert_eq!((foreign.status.as_u16(), foreign.code().as_str()), (400, "INVALID_CURSOR"));
}
