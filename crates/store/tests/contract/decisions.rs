//! What a person decides about one delivery or dead letter, short of sending it again.

use domain::filter::{DeadLetterFilter, DeliveryFilter};
use domain::id::{DeadLetterId, DeliveryId, ProjectId};
use domain::model::{DeadLetter, Delivery};
use domain::page::PageRequest;
use domain::status::{CancelReason, DeliveryStatus, Resolution};
use store::decisions::{self, DecisionError};
use store::{Sql, StoreError, dead_letters, deliveries};

use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

async fn cancel(store: &Store, project: ProjectId, id: DeliveryId) -> Result<Delivery, DecisionError> {
    store.write(move |tx| Box::pin(decisions::cancel(tx, project, id))).await
}

async fn dismiss(store: &Store, project: ProjectId, id: DeadLetterId) -> Result<DeadLetter, DecisionError> {
    store.write(move |tx| Box::pin(decisions::dismiss(tx, project, id))).await
}

async fn restore(store: &Store, project: ProjectId, id: DeadLetterId) -> Result<DeadLetter, DecisionError> {
    store.write(move |tx| Box::pin(decisions::restore(tx, project, id))).await
}

async fn waiting(store: &Store) -> (ProjectId, Delivery) {
    let project = store.project().await;
    endpoint(store, project, "*", true).await;
    publish(store, project, "contact.created", None).await;
    let page =
        deliveries::list(&mut store.conn().await, project, &DeliveryFilter::default(), PageRequest::first(1)).await;
    (project, page.unwrap().data.remove(0))
}

/// Written as the engine writes it; how it comes to that is the engine's own suite.
async fn given_up(store: &Store) -> (ProjectId, DeadLetterId) {
    let (project, delivery) = waiting(store).await;
    store
        .write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                Sql::new("UPDATE btx_webhook_delivery SET next_attempt_at = NULL, status = ")
                    .bind(DeliveryStatus::DeadLettered)
                    .push(" WHERE id = ")
                    .bind(delivery.id)
                    .execute(tx)
                    .await?;
                let now = tx.now();
                Sql::new(
                    "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, \
                     endpoint_id, request_id, reason, created_at) SELECT ",
                )
                .bind(DeadLetterId::generate(now, tx.entropy()))
                .push(", project_id, id, event_id, event_type, endpoint_id, request_id, 'rejected', ")
                .bind(now)
                .push(" FROM btx_webhook_delivery WHERE id = ")
                .bind(delivery.id)
                .execute(tx)
                .await
            })
        })
        .await
        .unwrap();
    let page =
        dead_letters::list(&mut store.conn().await, project, &DeadLetterFilter::default(), PageRequest::first(1)).await;
    (project, page.unwrap().data.remove(0).id)
}

crate::contract! {
    async fn a_cancelled_delivery_is_sent_no_more_and_cancelled_once(store: TestStore) {
        let (project, delivery) = waiting(&store).await;
        let cancelled = cancel(&store, project, delivery.id).await.unwrap();
        assert_eq!(cancelled.status, DeliveryStatus::Cancelled);
        assert_eq!((cancelled.cancel_reason, cancelled.next_attempt_at), (Some(CancelReason::Requested), None));
        assert_eq!(cancel(&store, project, delivery.id).await.unwrap(), cancelled, "a second call changes nothing");
        assert_eq!(store::claim::next_due(&mut store.conn().await).await.unwrap(), None);
    }

    async fn what_has_ended_is_not_cancelled(store: TestStore) {
        let (project, letter) = given_up(&store).await;
        let letter = dead_letters::get(&mut store.conn().await, project, letter).await.unwrap().unwrap();
        let refused = cancel(&store, project, letter.delivery_id).await;
        assert!(matches!(refused, Err(DecisionError::TooLate)), "{refused:?}");
    }

    async fn dismissed_leaves_the_inbox_and_restored_comes_back(store: TestStore) {
        let (project, letter) = given_up(&store).await;
        let dismissed = dismiss(&store, project, letter).await.unwrap();
        assert_eq!((dismissed.resolution, dismissed.resolved_at), (Some(Resolution::Dismissed), Some(store.now())));
        assert_eq!(dead_letters::count_unresolved(&mut store.conn().await, project).await.unwrap(), 0);
        assert_eq!(dismiss(&store, project, letter).await.unwrap(), dismissed);
        let restored = restore(&store, project, letter).await.unwrap();
        assert_eq!((restored.resolution, restored.resolved_at), (None, None));
        assert_eq!(restore(&store, project, letter).await.unwrap(), restored);
        assert_eq!(dead_letters::count_unresolved(&mut store.conn().await, project).await.unwrap(), 1);
    }

    async fn what_was_retried_is_neither_dismissed_nor_restored(store: TestStore) {
        let (project, letter) = given_up(&store).await;
        store
            .write(move |tx| Box::pin(async move { store::retry::retry_dead_letter(tx, project, letter, None).await }))
            .await
            .unwrap();
        assert!(matches!(dismiss(&store, project, letter).await, Err(DecisionError::TooLate)));
        assert!(matches!(restore(&store, project, letter).await, Err(DecisionError::TooLate)));
    }

    async fn another_projects_rows_are_not_decided_about(store: TestStore) {
        let (_, letter) = given_up(&store).await;
        let (other, _) = waiting(&store).await;
        assert!(matches!(dismiss(&store, other, letter).await, Err(DecisionError::NotFound)));
        assert!(matches!(restore(&store, other, letter).await, Err(DecisionError::NotFound)));
        let (_, delivery) = waiting(&store).await;
        assert!(matches!(cancel(&store, other, delivery.id).await, Err(DecisionError::NotFound)));
    }
}
