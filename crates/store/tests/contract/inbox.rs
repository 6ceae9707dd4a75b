//! Working through the inbox: groups, the deadline of what still waits, and dismissal with undo.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::filter::DeadLetterFilter;
use domain::id::{DeadLetterId, DeliveryId, EndpointId, ProjectId, RequestId};
use domain::page::PageRequest;
use store::{Sql, StoreError, dead_letters, deliveries, inbox};

use super::engine::{again, claim_all, finish, record_one};
use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

/// A dead letter of this endpoint, as the engine would leave it.
async fn given_up(store: &Store, project: ProjectId, to: EndpointId, code: u16) {
    let event = publish(store, project, "contact.created", None).await;
    let id = DeadLetterId::generate(store.now(), store.entropy());
    let delivery = DeliveryId::generate(store.now(), store.entropy());
    let request = RequestId::generate(store.now(), store.entropy());
    store
        .write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let now = tx.now();
                Sql::new(
                    "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, \
                     endpoint_id, request_id, reason, last_response_status_code, created_at) VALUES (",
                )
                .bind(id)
                .push(", ")
                .bind(project)
                .push(", ")
                .bind(delivery)
                .push(", ")
                .bind(event.id)
                .push(", 'contact.created', ")
                .bind(to)
                .push(", ")
                .bind(request)
                .push(", 'rejected', ")
                .bind(code)
                .push(", ")
                .bind(now)
                .push(")")
                .execute(tx)
                .await
            })
        })
        .await
        .unwrap();
}

async fn waiting(store: &Store, project: ProjectId) -> Vec<DeadLetterId> {
    let all = DeadLetterFilter::default();
    let page = dead_letters::list(&mut store.conn().await, project, &all, PageRequest::first(200)).await.unwrap();
    page.data.iter().map(|letter| letter.id).collect()
}

crate::contract! {
    async fn what_failed_alike_stands_together_the_largest_group_first(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let (one, two) = (endpoint(&store, ours, "never.*", true).await.id, endpoint(&store, ours, "never.*", true).await.id);
        for (to, code) in [(one, 401), (two, 401), (two, 401), (two, 404)] {
            given_up(&store, ours, to, code).await;
        }
        let mut conn = store.conn().await;
        let groups = inbox::groups(&mut conn, ours).await.unwrap();
        let mut told: Vec<_> = groups.iter().map(|g| (g.endpoint_id, g.response_status_code, g.count)).collect();
        assert_eq!(told.remove(0), (two, Some(401), 2));
        assert_eq!(told.len(), 2);
        assert!(inbox::groups(&mut conn, theirs).await.unwrap().is_empty());
        let of_two = DeadLetterFilter { endpoint_id: Some(two), ..DeadLetterFilter::default() };
        assert_eq!(inbox::count(&mut conn, ours, &of_two).await.unwrap(), 3);
    }

    async fn what_was_put_aside_comes_back_and_nothing_else_does(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let to = endpoint(&store, ours, "never.*", true).await.id;
        for _ in 0..3 {
            given_up(&store, ours, to, 401).await;
        }
        let all = waiting(&store, ours).await;
        let some = all[..2].to_vec();
        let asked = some.clone();
        let aside = |project, ids: Vec<DeadLetterId>| {
            store.write::<_, _, StoreError>(move |tx| Box::pin(async move { inbox::put_aside(tx, project, &ids).await }))
        };
        assert_eq!(aside(theirs, asked.clone()).await.unwrap().0, 0, "another project's letters are not touched");
        let (count, at) = aside(ours, asked.clone()).await.unwrap();
        assert_eq!((count, waiting(&store, ours).await), (2, vec![all[2]]));
        assert_eq!(aside(ours, asked).await.unwrap().0, 0, "once is enough");
        let back = store
            .write::<_, _, StoreError>(move |tx| Box::pin(async move { inbox::put_back(tx, ours, &some, at).await }))
            .await;
        assert_eq!((back.unwrap(), waiting(&store, ours).await.len()), (2, 3));
    }
    async fn an_endpoint_that_fails_says_how_many_of_its_deliveries_enter_the_inbox_in_which_hour(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let id = endpoint(&store, ours, "contact.*", true).await.id;
        let mut dead_letters_at = Vec::new();
        for pause in [0, 60, 3 * 3_600] {
            store.clock.advance(Duration::from_secs(pause));
            publish(&store, ours, "contact.created", None).await;
            for claimed in claim_all(&store).await {
                let next = again(store.now().plus(Duration::from_secs(365 * 86_400)));
                record_one(&store, finish(&claimed, store.now(), 503, next)).await;
                let mut conn = store.conn().await;
                let delivery = deliveries::get(&mut conn, ours, claimed.delivery_id).await.unwrap().unwrap();
                dead_letters_at.extend(delivery.dead_letters_at);
            }
        }
        let mut conn = store.conn().await;
        let [failing] = inbox::failing(&mut conn, ours).await.unwrap().try_into().unwrap();
        assert_eq!((failing.endpoint_id, failing.waiting), (id, 3));
        assert_eq!(failing.first_dead_letter_at, dead_letters_at.iter().copied().min());
        let mut expected = BTreeMap::new();
        for at in dead_letters_at {
            *expected.entry(at.hour()).or_insert(0) += 1;
        }
        assert_eq!(failing.by_hour, expected.into_iter().collect::<Vec<_>>());
        assert!(failing.by_hour.len() >= 2, "three hours lie between them");
        assert!(inbox::failing(&mut conn, theirs).await.unwrap().is_empty());
    }
}
