//! `/webhooks/dead-letters/retry` and `/webhooks/retry-jobs`.

use axum::http::Method;
use domain::status::Scope;
use serde_json::json;
use store::{Sql, StoreError, retry_jobs};

use crate::harness::{Api, Call, full, new_key, new_project, unique};

const RETRY: &str = "/webhooks/dead-letters/retry";

/// Events that could not be delivered.
async fn given_up(api: &Api, events: usize) -> String {
    let endpoint = api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["*"]}"#).await;
    for _ in 0..events {
        api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    }
    let give_up = api.store.write::<_, _, StoreError>(|tx| {
        Box::pin(async move {
            Sql::new(
                "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, endpoint_id, \
                 request_id, reason, created_at) SELECT 'dlq_' || substr(id, 5), project_id, id, event_id, event_type, \
                 endpoint_id, request_id, 'rejected', created_at FROM btx_webhook_delivery WHERE status = 'pending'",
            )
            .execute(tx)
            .await?;
            let update = "UPDATE btx_webhook_delivery SET status = 'dead_lettered', next_attempt_at = NULL \
                          WHERE status = 'pending'";
            Sql::new(update).execute(tx).await
        })
    });
    give_up.await.unwrap();
    endpoint.id()
}

#[tokio::test]
async fn a_body_that_got_lost_is_no_order_to_send_everything() {
    let api = Api::start().await;
    given_up(&api, 2).await;
    for body in ["", " "] {
        let refused = api.post(RETRY, body).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (400, "MALFORMED_REQUEST"), "{body:?}");
    }
    assert!(!retry_jobs::run_next(&api.store).await.unwrap());
    assert_eq!(api.count("/webhooks/dead-letters").await, 2);
    assert_eq!(api.post(RETRY, "{}").await.status, 202, "said in so many words");
}

#[tokio::test]
async fn a_bulk_retry_is_a_job_that_empties_the_inbox() {
    let api = Api::start().await;
    let endpoint = given_up(&api, 3).await;
    let filter = format!(
        r#"{{"endpoint_id":"{endpoint}","event_type":"a.b","reason":"rejected","created_after":"2026-01-01T00:00:00Z","created_before":"2027-01-01T00:00:00Z","dry_run":true}}"#
    );
    let counted = api.post(RETRY, &filter).await;
    assert_eq!(counted.status, 202, "{}", counted.json());
    let data = counted.data();
    assert_eq!((&data["total"], &data["done"], &data["status"]), (&json!(3), &json!(0), &json!("completed")));
    assert_eq!(api.count("/webhooks/dead-letters").await, 3, "it only counted");

    let accepted = api.post_with("bulk", RETRY, &filter.replace("true", "false")).await;
    assert_eq!(accepted.status, 202, "{}", accepted.json());
    assert_eq!((&accepted.data()["status"], &accepted.data()["total"]), (&json!("pending"), &json!(3)));
    let replayed = api.post_with("bulk", RETRY, &filter.replace("true", "false")).await;
    assert_eq!((replayed.header("idempotent-replayed"), replayed.id()), ("1", accepted.id()));
    while retry_jobs::run_next(&api.store).await.unwrap() {}

    let path = format!("/webhooks/retry-jobs/{}", accepted.id());
    let ended = api.get(&path).await;
    assert_eq!(ended.status, 200, "{}", ended.json());
    let data = ended.data();
    assert_eq!(
        (&data["status"], &data["total"], &data["done"], &data["failed"]),
        (&json!("completed"), &json!(3), &json!(3), &json!(0))
    );
    assert_eq!((&data["endpoint_id"], &data["include_skipped"]), (&json!(endpoint), &json!(false)));
    assert_eq!(api.count("/webhooks/dead-letters").await, 0);
    assert_eq!(api.count("/webhooks/dead-letters?resolved=true").await, 3);
    assert_eq!(api.count("/webhooks/deliveries?trigger=bulk&status=pending").await, 3);
    let late = api.post(&format!("{path}/cancel"), "").await;
    assert_eq!((late.status.as_u16(), late.code().as_str()), (409, "RESOURCE_CONFLICT"));
    assert_eq!(late.details(), json!({"resource_type": "retry_job", "field": "status", "existing_id": accepted.id()}));
}

#[tokio::test]
async fn a_job_is_cancelled_before_it_begins() {
    let api = Api::start().await;
    given_up(&api, 2).await;
    let accepted = api.post(RETRY, "{}").await;
    let path = format!("/webhooks/retry-jobs/{}", accepted.id());
    for _ in 0..2 {
        let cancelled = api.post(&format!("{path}/cancel"), "").await;
        assert_eq!((cancelled.status.as_u16(), &cancelled.data()["status"]), (200, &json!("cancelled")));
    }
    assert!(!retry_jobs::run_next(&api.store).await.unwrap());
    assert_eq!(api.count("/webhooks/dead-letters").await, 2);
}

#[tokio::test]
async fn what_was_skipped_is_sent_when_asked_for() {
    let api = Api::start().await;
    let endpoint = r#"{"url":"https://example.com/h","event_types":["*"],"enabled":false}"#;
    api.post("/webhooks/endpoints", endpoint).await;
    api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    assert_eq!(api.post(RETRY, r#"{"dry_run":true}"#).await.data()["total"], 0);
    let accepted = api.post(RETRY, r#"{"include_skipped":true}"#).await;
    assert_eq!(accepted.data()["total"], 1);
    assert!(retry_jobs::run_next(&api.store).await.unwrap());
    assert_eq!(api.count("/webhooks/deliveries?trigger=bulk").await, 1);
    assert_eq!(api.post(RETRY, r#"{"include_skipped":true}"#).await.data()["total"], 0);
}

#[tokio::test]
async fn what_is_asked_for_is_checked_and_belongs_to_its_project() {
    let api = Api::start().await;
    let bad = r#"{"endpoint_id":"x","event_type":"A","reason":"why","created_after":"now","created_before":1,"include_skipped":"yes","dry_run":1,"status":"x"}"#;
    let refused = api.post(RETRY, bad).await;
    assert_eq!(refused.status, 422, "{}", refused.json());
    let fields = refused.details()["fields"].clone();
    let named: Vec<_> = fields.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        named,
        [
            "created_after",
            "created_before",
            "dry_run",
            "endpoint_id",
            "event_type",
            "include_skipped",
            "reason",
            "status"
        ]
    );
    given_up(&api, 1).await;
    let path = format!("/webhooks/retry-jobs/{}", api.post(RETRY, "{}").await.id());
    let post = |path: &str| Call::new(Method::POST, &full(path)).header("idempotency-key", &unique()).json("{}");
    let (_, theirs) = new_key(&api.store, new_project(&api.store, None).await, vec![Scope::Read, Scope::Write]).await;
    assert_eq!(api.send_as(&theirs, Call::new(Method::GET, &full(&path))).await.status, 404);
    assert_eq!(api.send_as(&theirs, post(&format!("{path}/cancel"))).await.status, 404);
    let (_, reading) = new_key(&api.store, api.project, vec![Scope::Read]).await;
    assert_eq!(api.send_as(&reading, post(RETRY)).await.status, 403);
    assert_eq!(api.send_as(&reading, Call::new(Method::GET, &full(&path))).await.status, 200);
    assert_eq!(api.get("/webhooks/retry-jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV").await.status, 404);
    assert_eq!(api.get(RETRY).await.status, 405);
}
