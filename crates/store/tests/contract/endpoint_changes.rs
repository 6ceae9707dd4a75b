//! Changing, rotating and deleting an endpoint.

use std::time::Duration;

use domain::filter::DeliveryFilter;
use domain::page::PageRequest;
use domain::status::{CancelReason, DeliveryStatus};
use store::endpoints::{self, EndpointChange};
use store::{StoreError, deliveries};

use super::publishing::{endpoint, publish};

crate::contract! {
    async fn a_change_leaves_the_other_fields_and_other_projects_alone(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let made = endpoint(&store, project, "contact.*", true).await;
        store.clock.advance(Duration::from_secs(1));
        let change = EndpointChange { enabled: Some(false), description: Some(Some("note".to_owned())), ..EndpointChange::default() };
        let theirs = change.clone();
        let none = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { endpoints::update(tx, other, made.id, theirs).await }));
        assert_eq!(none.await.unwrap(), None);
        let changed = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { endpoints::update(tx, project, made.id, change).await }));
        let changed = changed.await.unwrap().unwrap();
        assert_eq!((changed.enabled, changed.description.as_deref()), (false, Some("note")));
        assert_eq!((&changed.url, &changed.event_types, changed.updated_at), (&made.url, &made.event_types, store.now()));
        assert_eq!(endpoints::get(&mut store.conn().await, project, made.id).await.unwrap(), Some(changed));
    }

    async fn a_rotated_secret_is_new_and_shown_once(store: TestStore) {
        let project = store.project().await;
        let made = endpoint(&store, project, "*", true).await;
        let day = Duration::from_secs(86_400);
        let rotated = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { endpoints::rotate_secret(tx, project, made.id, day).await }));
        let rotated = rotated.await.unwrap().unwrap();
        assert!(rotated.secret.is_some() && rotated.secret != made.secret);
        assert_eq!(rotated.previous_secret_expires_at, Some(store.now().plus(day)));
        assert_eq!(rotated.secret_rotated_at, Some(store.now()));
        assert_eq!(endpoints::get(&mut store.conn().await, project, made.id).await.unwrap().unwrap().secret, None);
    }

    async fn deleting_calls_off_what_waits_and_happens_once(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let (gone, stays) = (endpoint(&store, project, "*", true).await, endpoint(&store, project, "*", true).await);
        publish(&store, project, "contact.created", None).await;
        let delete = |by| store.write::<_, _, StoreError>(move |tx| Box::pin(async move { endpoints::delete(tx, by, gone.id).await }));
        assert!(!delete(other).await.unwrap());
        assert!(delete(project).await.unwrap());
        assert!(!delete(project).await.unwrap());
        assert_eq!(endpoints::get(&mut store.conn().await, project, gone.id).await.unwrap(), None);
        let page = deliveries::list(&mut store.conn().await, project, &DeliveryFilter::default(), PageRequest::first(20)).await.unwrap();
        for delivery in page.data {
            let expected = if delivery.endpoint_id == stays.id { DeliveryStatus::Pending } else { DeliveryStatus::Cancelled };
            assert_eq!(delivery.status, expected);
            let called_off = expected == DeliveryStatus::Cancelled;
            assert_eq!(delivery.cancel_reason, called_off.then_some(CancelReason::EndpointDeleted));
            assert_eq!(delivery.next_attempt_at.is_none(), called_off);
        }
    }
}
