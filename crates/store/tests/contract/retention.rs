//! What has served its time goes, and nothing else.

use std::time::Duration;

use domain::filter::{AttemptFilter, DeliveryFilter};
use domain::page::PageRequest;
use store::maintenance::{self, Retention};
use store::{Sql, StoreError, attempts, deliveries, events};

use super::lists::copy_deliveries_into_attempts;
use super::publishing::{endpoint, publish};

const DAY: Duration = Duration::from_secs(86_400);

crate::contract! {
    async fn attempts_go_after_fourteen_days_and_not_before(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        publish(&store, project, "contact.created", None).await;
        store.clock.advance(DAY * 2);
        publish(&store, project, "contact.created", None).await;
        copy_deliveries_into_attempts(&store).await;
        store.clock.advance(DAY * 12 + Duration::from_secs(1));
        maintenance::run(&store, Retention::default()).await.unwrap();
        let mut conn = store.conn().await;
        let left = attempts::list(&mut conn, project, &AttemptFilter::default(), PageRequest::first(20)).await.unwrap();
        assert_eq!(left.data.len(), 1, "the first day's attempt is over 14 days old, the other is not");
        assert_eq!(events::list(&mut conn, project, &events::EventListFilter::default(), PageRequest::first(20)).await.unwrap().data.len(), 2);
    }

    async fn a_waiting_delivery_keeps_its_event_however_old(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        publish(&store, project, "contact.created", None).await;
        publish(&store, project, "contact.updated", None).await;
        store.write::<_, _, StoreError>(|tx| Box::pin(async move {
            Sql::new("UPDATE btx_webhook_delivery SET status = 'delivered', next_attempt_at = NULL WHERE event_type = 'contact.created'").execute(tx).await
        })).await.unwrap();
        store.clock.advance(DAY * 91);
        maintenance::run(&store, Retention::default()).await.unwrap();
        let mut conn = store.conn().await;
        let left = events::list(&mut conn, project, &events::EventListFilter::default(), PageRequest::first(20)).await.unwrap().data;
        assert_eq!(left.iter().map(|event| event.event_type.as_str()).collect::<Vec<_>>(), ["contact.updated"]);
        let left = deliveries::list(&mut conn, project, &DeliveryFilter::default(), PageRequest::first(20)).await.unwrap();
        assert_eq!(left.data.len(), 1);
    }
}
