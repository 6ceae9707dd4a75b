//! Ways in which other webhook engines are known to have lost or mixed up what they store, each test named after its kind.

use std::time::Duration;

use domain::filter::DeliveryFilter;
use domain::ladder::NextStep;
use domain::page::PageRequest;
use domain::status::{AttemptStatus, DeliveryStatus, RetryJobStatus};
use store::maintenance::{self, Retention};
use store::retry_jobs::{self, NewRetryJob};
use store::{Sql, StoreError, deliveries, endpoints, record, rescue};

use super::engine::{
    LEASE, REJECTED, again, claim_all, delivery_of, finish, inbox, log, one_due, record_one, rescue_all,
};
use super::publishing::{endpoint, publish};
use super::retry_jobs as jobs;
use crate::harness::TestStore as Store;

const DAY: Duration = Duration::from_secs(86_400);

async fn change(store: &Store, statement: &'static str) {
    store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { Sql::new(statement).uncached().execute(tx).await }))
        .await
        .unwrap();
}

async fn count(store: &Store, statement: &str) -> i64 {
    Sql::new(statement).fetch_one(&mut store.conn().await).await.unwrap().int("n").unwrap()
}

/// Rows that point to something that is not there.
async fn orphans(store: &Store) -> i64 {
    let mut found = 0;
    for (table, column, target) in [
        ("btx_webhook_attempt", "delivery_id", "btx_webhook_delivery"),
        ("btx_webhook_attempt", "event_id", "btx_event"),
        ("btx_webhook_delivery", "event_id", "btx_event"),
        ("btx_webhook_delivery", "endpoint_id", "btx_webhook_endpoint"),
        ("btx_webhook_dead_letter", "delivery_id", "btx_webhook_delivery"),
        ("btx_webhook_dead_letter", "event_id", "btx_event"),
    ] {
        let missing = format!("NOT EXISTS (SELECT 1 FROM {target} t WHERE t.id = o.{column})");
        found += count(store, &format!("SELECT COUNT(*) AS n FROM {table} o WHERE {missing}")).await;
    }
    found
}

crate::contract! {
    async fn rescue_page_blocked_by_nothing_goes_on_to_the_last_page(store: TestStore) {
        let project = store.project().await;
        let deleted = endpoint(&store, project, "*", true).await.id;
        let pages = rescue::BATCH as usize * 2 + 50;
        for _ in 0..pages / 2 {
            publish(&store, project, "contact.created", None).await;
        }
        endpoint(&store, project, "*", true).await;
        for _ in 0..pages / 4 {
            publish(&store, project, "contact.created", None).await;
        }
        // The first page is full of what can't be sent any more: its endpoint is gone, or it was called off.
        let claimed = {
            let mut all = Vec::new();
            loop {
                let some = claim_all(&store).await;
                if some.is_empty() { break all }
                all.extend(some);
            }
        };
        assert!(claimed.len() > rescue::BATCH as usize);
        store.write(move |tx| Box::pin(endpoints::delete(tx, project, deleted))).await.unwrap();
        store.clock.advance(LEASE + Duration::from_micros(1));
        let mut rounds = 0;
        while rescue_all(&store).await == rescue::BATCH as usize { rounds += 1; }
        assert_eq!(rounds, claimed.len() / rescue::BATCH as usize);
        assert_eq!(count(&store, "SELECT COUNT(*) AS n FROM btx_webhook_delivery WHERE leased_until IS NOT NULL").await, 0);
        let interrupted = "SELECT COUNT(*) AS n FROM btx_webhook_attempt WHERE status = 'interrupted'";
        assert_eq!(count(&store, interrupted).await, i64::try_from(claimed.len()).unwrap());
    }

    async fn batch_poison_in_a_rescue_takes_nobody_with_it(store: TestStore) {
        let project = store.project().await;
        for pattern in ["bad.one", "good.*"] {
            endpoint(&store, project, pattern, true).await;
        }
        publish(&store, project, "bad.one", None).await;
        for _ in 0..3 {
            publish(&store, project, "good.one", None).await;
        }
        claim_all(&store).await;
        // An attempt number that no version of ours could have written.
        change(&store, "UPDATE btx_webhook_delivery SET attempts_count = -1 WHERE event_type = 'bad.one'").await;
        store.clock.advance(LEASE + Duration::from_micros(1));
        rescue_all(&store).await;
        assert_eq!(claim_all(&store).await.len(), 3, "the others are due again");
        assert!(!rescue::is_needed(&mut store.conn().await, store.now()).await.unwrap(), "and the odd one is left for later");
        change(&store, "UPDATE btx_webhook_delivery SET attempts_count = 1 WHERE event_type = 'bad.one'").await;
        store.clock.advance(Duration::from_secs(3_600));
        rescue_all(&store).await;
        assert_eq!(count(&store, "SELECT COUNT(*) AS n FROM btx_webhook_attempt WHERE event_type = 'bad.one'").await, 1, "nothing is lost");
    }

    async fn ack_before_log_is_impossible_they_commit_together(store: TestStore) {
        let project = one_due(&store).await;
        let claimed = claim_all(&store).await;
        let finished = finish(&claimed[0], store.now(), 200, NextStep::Delivered);
        change(&store, "ALTER TABLE btx_webhook_attempt RENAME TO elsewhere").await;
        let batch = vec![finished.clone()];
        let refused = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { record::record(tx, &batch).await })).await;
        refused.unwrap_err();
        change(&store, "ALTER TABLE elsewhere RENAME TO btx_webhook_attempt").await;
        let delivery = delivery_of(&store, project).await;
        assert_eq!(delivery.status, DeliveryStatus::Pending, "no log, no acknowledgement");
        assert_eq!(record_one(&store, finished).await, 1, "the claim still holds");
        assert_eq!((delivery_of(&store, project).await.status, log(&store, project).await.len()), (DeliveryStatus::Delivered, 1));
    }

    async fn bulk_retry_crosses_tenants_never(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let to = jobs::inbox(&store, ours, 1, 3).await[0];
        jobs::inbox(&store, theirs, 1, 3).await;
        jobs::ask(&store, ours, NewRetryJob::default()).await;
        // Somebody else's endpoint in the filter finds nothing, however it got there.
        let foreign = NewRetryJob { endpoint_id: Some(to), ..NewRetryJob::default() };
        let id = jobs::ask(&store, theirs, foreign).await.id;
        while retry_jobs::run_next(&store).await.unwrap() {}
        let job = retry_jobs::get(&mut store.conn().await, theirs, id).await.unwrap().unwrap();
        assert_eq!((job.status, job.total), (RetryJobStatus::Completed, 0));
        assert!(retry_jobs::get(&mut store.conn().await, ours, id).await.unwrap().is_none());
        assert_eq!((jobs::sent_again(&store, ours).await.len(), jobs::letters(&store, ours, false).await.len()), (3, 0));
        assert_eq!((jobs::sent_again(&store, theirs).await.len(), jobs::letters(&store, theirs, false).await.len()), (0, 3));
    }

    async fn retention_blocks_or_orphans_nothing(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        for _ in 0..4 {
            publish(&store, project, "contact.created", None).await;
        }
        let claimed = claim_all(&store).await;
        let later = store.now().plus(DAY * 300);
        for (one, next) in claimed.iter().zip([NextStep::Delivered, REJECTED, REJECTED, again(later)]) {
            record_one(&store, finish(one, store.now(), 500, next)).await;
        }
        let resolved = inbox(&store, project).await[0].id;
        store.write(move |tx| Box::pin(store::decisions::dismiss(tx, project, resolved))).await.unwrap();
        for days in [1, 14, 77, 100] {
            store.clock.advance(DAY * days + Duration::from_secs(1));
            maintenance::run(&store, Retention::default()).await.unwrap();
            let orphaned = orphans(&store).await;
            assert_eq!(orphaned, 0, "{days} days later");
        }
        let left = deliveries::list(&mut store.conn().await, project, &DeliveryFilter::default(), PageRequest::first(20)).await.unwrap().data;
        let mut kept: Vec<_> = left.iter().map(|delivery| delivery.status).collect();
        kept.sort();
        assert_eq!(kept, [DeliveryStatus::Retrying, DeliveryStatus::DeadLettered], "what waits, and what nobody has resolved");
        assert_eq!(inbox(&store, project).await.len(), 1);
    }

    async fn partition_move_serialisation_does_not_arise_rows_stay_where_they_are(store: TestStore) {
        let project = one_due(&store).await;
        // Long without any maintenance: no partition was made for this day.
        store.clock.advance(DAY * 30);
        let first = claim_all(&store).await;
        record_one(&store, finish(&first[0], store.now(), 503, again(store.now()))).await;
        for _ in 0..40 {
            publish(&store, project, "contact.created", None).await;
        }
        let claimed = claim_all(&store).await;
        let cleaners = futures::future::join_all((0..3).map(|_| maintenance::run(&store, Retention::default())));
        let records = futures::future::join_all(
            claimed.iter().map(|one| record_one(&store, finish(one, store.now(), 200, NextStep::Delivered))),
        );
        let (swept, recorded) = futures::join!(cleaners, records);
        for round in swept {
            round.unwrap();
        }
        assert_eq!(recorded.iter().sum::<usize>(), 41);
        let log = log(&store, project).await;
        assert_eq!(log.len(), 42);
        assert_eq!(log.iter().filter(|attempt| attempt.status == AttemptStatus::Delivered).count(), 41);
        store.clock.advance(DAY);
        maintenance::run(&store, Retention::default()).await.unwrap();
    }
}
