//! A copy of what was sent, in the project's default bin.

use domain::filter::{AttemptFilter, DeliveryFilter};
use domain::model::{Attempt, Delivery};
use domain::page::PageRequest;
use store::inspector::{Copied, RedirectError};
use store::{attempts, deliveries};

use super::*;
use crate::lists::copy_deliveries_into_attempts;
use crate::publishing::{endpoint, publish};

async fn redirect(store: &Store, project: ProjectId, id: DeliveryId) -> Result<Copied, RedirectError> {
    store.write(move |tx| Box::pin(async move { inspector::redirect_delivery(tx, project, id).await })).await
}

async fn redirect_attempt(store: &Store, project: ProjectId, id: AttemptId) -> Result<Copied, RedirectError> {
    store.write(move |tx| Box::pin(async move { inspector::redirect_attempt(tx, project, id).await })).await
}

async fn only_delivery(store: &Store, project: ProjectId) -> Delivery {
    let (mut conn, filter) = (store.conn().await, DeliveryFilter::default());
    let page = deliveries::list(&mut conn, project, &filter, PageRequest::first(20)).await;
    page.unwrap().data.remove(0)
}

async fn only_attempt(store: &Store, project: ProjectId) -> Attempt {
    let (mut conn, filter) = (store.conn().await, AttemptFilter::default());
    let page = attempts::list(&mut conn, project, &filter, PageRequest::first(20)).await;
    page.unwrap().data.remove(0)
}

async fn execute(store: &Store, statement: &'static str) {
    store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { Sql::new(statement).execute(tx).await }))
        .await
        .unwrap();
}

/// A delivery with one attempt, whose headers are known.
async fn sent(store: &Store, project: ProjectId) -> Delivery {
    endpoint(store, project, "*", true).await;
    publish(store, project, "contact.created", None).await;
    copy_deliveries_into_attempts(store).await;
    execute(store, "UPDATE btx_webhook_delivery SET last_attempt_at = created_at, attempts_count = 1").await;
    store
        .write::<_, _, StoreError>(|tx| {
            Box::pin(async move {
                let lines =
                    Sql::new("UPDATE btx_webhook_attempt SET url = 'https://example.com/hook?a=1', request_headers = ");
                lines.bind(&br#"[["X-Delivery-Attempt","1"],["X-Same","a"],["X-Same","b"]]"#[..]).execute(tx).await
            })
        })
        .await
        .unwrap();
    only_delivery(store, project).await
}

crate::contract! {
    async fn a_copy_has_the_same_bytes_and_headers_and_the_original_stays_as_it_is(store: TestStore) {
        let project = store.project().await;
        let delivery = sent(&store, project).await;
        let mut conn = store.conn().await;
        let attempt = only_attempt(&store, project).await;
        let before = attempts::get_with_payload(&mut conn, project, attempt.id).await.unwrap();
        for copied in [redirect(&store, project, delivery.id).await, redirect_attempt(&store, project, attempt.id).await] {
            let copied = copied.unwrap();
            let bin = default_bin(&store, project).await;
            assert_eq!(copied.bin_id, bin.id);
            let copy = inspector::capture(&mut conn, project, bin.id, copied.capture_id).await.unwrap().unwrap();
            let payload = copy.payload.unwrap();
            assert_eq!(payload.body, before.as_ref().and_then(|each| Some(each.payload.clone()?.request_body)));
            let lines: Vec<_> = payload.headers.iter().map(|line| (line.name.as_str(), line.value.as_str())).collect();
            assert_eq!(lines, [("X-Delivery-Attempt", "1"), ("X-Same", "a"), ("X-Same", "b")]);
            assert_eq!((copy.kind, copy.response_status_code, copy.path.as_str(), copy.query.as_deref()), (CaptureKind::Redirected, None, "/hook", Some("a=1")));
            let source = copy.source.unwrap();
            assert_eq!((source.attempt_id, source.delivery_id, source.event_id), (Some(attempt.id), Some(delivery.id), Some(delivery.event_id)));
            assert_eq!((source.endpoint_id, source.request_id), (Some(delivery.endpoint_id), Some(delivery.request_id)));
        }
        assert_eq!(only_delivery(&store, project).await, delivery);
        assert_eq!(attempts::get_with_payload(&mut conn, project, attempt.id).await.unwrap(), before);
    }

    async fn what_was_never_sent_or_is_past_its_retention_is_refused_for_its_own_reason(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let delivery = sent(&store, project).await;
        let attempt = only_attempt(&store, project).await;
        assert!(matches!(redirect(&store, other, delivery.id).await, Err(RedirectError::NotFound)));
        assert!(matches!(redirect_attempt(&store, other, attempt.id).await, Err(RedirectError::NotFound)));
        store.write::<_, _, StoreError>(|tx| Box::pin(async move {
            Sql::new("UPDATE btx_webhook_attempt SET request_headers = ").bind(&b"[]"[..]).execute(tx).await
        })).await.unwrap();
        assert!(matches!(redirect(&store, project, delivery.id).await, Err(RedirectError::NoAttempt)), "interrupted: nobody knows what was sent");
        assert!(matches!(redirect_attempt(&store, project, attempt.id).await, Err(RedirectError::NoAttempt)));
        execute(&store, "DELETE FROM btx_webhook_attempt").await;
        assert!(matches!(redirect(&store, project, delivery.id).await, Err(RedirectError::Expired)));
        execute(&store, "UPDATE btx_webhook_delivery SET last_attempt_at = NULL, attempts_count = 0").await;
        assert!(matches!(redirect(&store, project, delivery.id).await, Err(RedirectError::NoAttempt)));
        assert_eq!(count(&store).await, 0);
    }

    async fn a_dead_letter_is_redirected_by_its_delivery(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let delivery = sent(&store, project).await;
        execute(&store, "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, endpoint_id, request_id, reason, created_at) SELECT 'dlq_' || substr(id, 5), project_id, id, event_id, event_type, endpoint_id, request_id, 'rejected', created_at FROM btx_webhook_delivery").await;
        let letter: DeadLetterId = delivery.id.to_string().replace("dlv_", "dlq_").parse().unwrap();
        let redirect = |project| store.write(move |tx| Box::pin(async move { inspector::redirect_dead_letter(tx, project, letter).await }));
        assert!(matches!(redirect(other).await, Err(RedirectError::NotFound)));
        let copied = redirect(project).await.unwrap();
        let copy = inspector::capture(&mut store.conn().await, project, copied.bin_id, copied.capture_id).await.unwrap().unwrap();
        assert_eq!(copy.source.unwrap().delivery_id, Some(delivery.id));
    }
}
