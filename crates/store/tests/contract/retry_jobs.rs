//! Bulk retries: each dead letter is sent again once, whoever works on it and whenever that one dies.

use domain::filter::{DeadLetterFilter, DeliveryFilter, TimeRange};
use domain::id::{EndpointId, JobId, ProjectId};
use domain::model::{DeadLetter, Delivery, RetryJob};
use domain::page::{Listed, Page, PageRequest};
use domain::status::{DeadLetterReason, DeliveryStatus, DeliveryTrigger, RetryJobStatus};
use store::decisions::DecisionError;
use store::retry_jobs::{self, BATCH, LEASE, NewRetryJob};
use store::{Sql, StoreError, dead_letters, deliveries, endpoints, retry};

use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

/// Gives up every delivery that waits, as the engine would leave it.
async fn give_up(store: &Store) {
    let all = store.write::<_, _, StoreError>(|tx| {
        Box::pin(async move {
            Sql::new(
                "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, endpoint_id, \
                 request_id, reason, created_at) SELECT 'dlq_' || substr(id, 5), project_id, id, event_id, event_type, \
                 endpoint_id, request_id, 'rejected', created_at FROM btx_webhook_delivery WHERE status = 'pending'",
            )
            .execute(tx)
            .await?;
            let update = "UPDATE btx_webhook_delivery SET status = 'dead_lettered', next_attempt_at = NULL, \
                          dead_letters_at = NULL WHERE status = 'pending'";
            Sql::new(update).execute(tx).await
        })
    });
    all.await.unwrap();
}

pub(crate) async fn ask(store: &Store, project: ProjectId, new: NewRetryJob) -> RetryJob {
    store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { retry_jobs::insert(tx, project, new).await }))
        .await
        .unwrap()
}

async fn cancel(store: &Store, project: ProjectId, id: JobId) -> Result<RetryJob, DecisionError> {
    store.write::<_, _, DecisionError>(move |tx| Box::pin(retry_jobs::cancel(tx, project, id))).await
}

async fn job(store: &Store, project: ProjectId, id: JobId) -> RetryJob {
    retry_jobs::get(&mut store.conn().await, project, id).await.unwrap().unwrap()
}

async fn walk<T: Listed>(mut next: impl AsyncFnMut(PageRequest) -> Page<T>) -> Vec<T> {
    let (mut all, mut request) = (Vec::new(), PageRequest::first(200));
    loop {
        let page = next(request).await;
        let position = page.next();
        all.extend(page.data);
        match position {
            Some(position) => request = PageRequest::after(200, position),
            None => return all,
        }
    }
}

pub(crate) async fn sent_again(store: &Store, project: ProjectId) -> Vec<Delivery> {
    let filter = DeliveryFilter { trigger: vec![DeliveryTrigger::Bulk], ..DeliveryFilter::default() };
    walk(async |page| deliveries::list(&mut store.conn().await, project, &filter, page).await.unwrap()).await
}

pub(crate) async fn letters(store: &Store, project: ProjectId, resolved: bool) -> Vec<DeadLetter> {
    let filter = DeadLetterFilter { resolved, ..DeadLetterFilter::default() };
    walk(async |page| dead_letters::list(&mut store.conn().await, project, &filter, page).await.unwrap()).await
}

/// Each resolved dead letter names a delivery of its own that repeats its own, and no delivery is left over.
async fn assert_each_once(store: &Store, project: ProjectId, expected: usize) {
    let (letters, made) = (letters(store, project, true).await, sent_again(store, project).await);
    assert_eq!((letters.len(), made.len()), (expected, expected));
    let by_letter: std::collections::BTreeSet<_> =
        letters.iter().map(|letter| (letter.retry_delivery_id.unwrap(), Some(letter.delivery_id))).collect();
    assert_eq!(by_letter, made.iter().map(|delivery| (delivery.id, delivery.parent_delivery_id)).collect());
}

/// Dead letters, a few to each of `endpoints` endpoints.
pub(crate) async fn inbox(store: &Store, project: ProjectId, endpoints: usize, events: usize) -> Vec<EndpointId> {
    let mut ids = Vec::new();
    for _ in 0..endpoints {
        ids.push(endpoint(store, project, "*", true).await.id);
    }
    for _ in 0..events {
        publish(store, project, "contact.created", None).await;
    }
    give_up(store).await;
    ids
}

crate::contract! {
    async fn a_runner_that_dies_in_the_middle_is_taken_over_and_nothing_is_sent_twice(store: TestStore) {
        let project = store.project().await;
        inbox(&store, project, 50, 5).await;
        let id = ask(&store, project, NewRetryJob::default()).await.id;
        let dead = retry_jobs::claim(&store).await.unwrap().unwrap();
        assert!(retry_jobs::step(&store, &dead).await.unwrap());
        assert_eq!(job(&store, project, id).await.done as usize, BATCH);
        assert!(!retry_jobs::run_next(&store).await.unwrap(), "its lease still runs");
        store.clock.advance(LEASE);
        assert!(retry_jobs::run_next(&store).await.unwrap());
        assert!(matches!(retry_jobs::step(&store, &dead).await, Err(StoreError::Fenced)), "it was not dead after all");
        let ended = job(&store, project, id).await;
        assert_eq!((ended.status, ended.total, ended.done, ended.failed), (RetryJobStatus::Completed, 250, 250, 0));
        assert!(ended.started_at.is_some() && ended.finished_at.is_some());
        assert_each_once(&store, project, 250).await;
        assert!(!retry_jobs::run_next(&store).await.unwrap());
    }

    async fn several_runners_and_single_retries_at_once_make_one_delivery_of_each(store: TestStore) {
        let project = store.project().await;
        inbox(&store, project, 25, 5).await;
        let first = letters(&store, project, false).await.last().unwrap().id;
        let ids = [ask(&store, project, NewRetryJob::default()).await.id, ask(&store, project, NewRetryJob::default()).await.id];
        let by_hand = store.write::<_, _, retry::RetryError>(move |tx| Box::pin(retry::retry_dead_letter(tx, project, first, None)));
        let runners = futures::future::join_all((0..4).map(|_| retry_jobs::run_next(&store)));
        let (by_hand, _) = futures::join!(by_hand, runners);
        while retry_jobs::run_next(&store).await.unwrap() {}
        let mut done = usize::from(by_hand.is_ok());
        for id in ids {
            let ended = job(&store, project, id).await;
            assert_eq!((ended.status, ended.done + ended.failed), (RetryJobStatus::Completed, ended.total));
            done += ended.done as usize;
        }
        assert_eq!(done, 125);
        assert_eq!(letters(&store, project, true).await.len(), 125);
        assert_eq!(sent_again(&store, project).await.len() + usize::from(by_hand.is_ok()), 125);
    }

    async fn only_what_matches_is_counted_and_sent_and_a_dry_run_sends_nothing(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let to = inbox(&store, ours, 2, 3).await[0];
        inbox(&store, theirs, 1, 1).await;
        let now = store.now();
        let after = TimeRange { created_after: Some(now.plus(LEASE)), created_before: None };
        let from = TimeRange { created_after: Some(now), created_before: Some(now.plus(LEASE)) };
        for (new, total) in [
            (NewRetryJob::default(), 6),
            (NewRetryJob { endpoint_id: Some(to), ..NewRetryJob::default() }, 3),
            (NewRetryJob { event_type: Some("contact.deleted".to_owned()), ..NewRetryJob::default() }, 0),
            (NewRetryJob { reason: Some(DeadLetterReason::Rejected), created: from, ..NewRetryJob::default() }, 6),
            (NewRetryJob { reason: Some(DeadLetterReason::AttemptsExhausted), ..NewRetryJob::default() }, 0),
            (NewRetryJob { created: after, ..NewRetryJob::default() }, 0),
        ] {
            let counted = ask(&store, ours, NewRetryJob { dry_run: true, ..new }).await;
            assert_eq!((counted.total, counted.status), (total, RetryJobStatus::Completed), "{counted:?}");
            assert_eq!(job(&store, ours, counted.id).await, counted);
        }
        assert!(!retry_jobs::run_next(&store).await.unwrap(), "they only counted");
        let id = ask(&store, ours, NewRetryJob { endpoint_id: Some(to), ..NewRetryJob::default() }).await.id;
        assert!(retry_jobs::run_next(&store).await.unwrap());
        assert_each_once(&store, ours, 3).await;
        assert!(sent_again(&store, ours).await.iter().all(|made| made.endpoint_id == to && made.status == DeliveryStatus::Pending));
        assert_eq!((letters(&store, ours, false).await.len(), letters(&store, theirs, false).await.len()), (3, 1));
        assert_eq!(retry_jobs::get(&mut store.conn().await, theirs, id).await.unwrap(), None);
        assert!(matches!(cancel(&store, theirs, id).await, Err(DecisionError::NotFound)));
    }

    async fn skipped_deliveries_are_sent_once_when_asked_for(store: TestStore) {
        let project = store.project().await;
        let off = endpoint(&store, project, "*", false).await.id;
        publish(&store, project, "contact.created", None).await;
        publish(&store, project, "contact.created", None).await;
        assert_eq!(ask(&store, project, NewRetryJob::default()).await.total, 0);
        let skipped = NewRetryJob { include_skipped: true, ..NewRetryJob::default() };
        let rejected = NewRetryJob { reason: Some(DeadLetterReason::Rejected), ..skipped.clone() };
        assert_eq!(ask(&store, project, rejected).await.total, 0, "they were not rejected");
        for expected in [2, 0] {
            let asked = ask(&store, project, skipped.clone()).await;
            while retry_jobs::run_next(&store).await.unwrap() {}
            let ended = job(&store, project, asked.id).await;
            assert_eq!((ended.status, ended.total, ended.done), (RetryJobStatus::Completed, expected, expected));
        }
        let made = sent_again(&store, project).await;
        assert_eq!(made.len(), 2);
        assert!(made.iter().all(|delivery| delivery.endpoint_id == off && delivery.parent_delivery_id.is_some()));
    }

    async fn what_has_nowhere_to_go_fails_and_stays_in_the_inbox(store: TestStore) {
        let project = store.project().await;
        let gone = inbox(&store, project, 2, 2).await[0];
        store.write::<_, _, StoreError>(move |tx| Box::pin(endpoints::delete(tx, project, gone))).await.unwrap();
        let id = ask(&store, project, NewRetryJob::default()).await.id;
        assert!(retry_jobs::run_next(&store).await.unwrap());
        let ended = job(&store, project, id).await;
        assert_eq!((ended.status, ended.total, ended.done, ended.failed), (RetryJobStatus::Completed, 4, 2, 2));
        assert!(letters(&store, project, false).await.iter().all(|letter| letter.endpoint_id == gone));
        assert_each_once(&store, project, 2).await;
    }

    async fn a_cancelled_job_stops_at_the_next_batch_and_an_ended_one_can_not_be_cancelled(store: TestStore) {
        let project = store.project().await;
        inbox(&store, project, 50, 3).await;
        let id = ask(&store, project, NewRetryJob::default()).await.id;
        let runner = retry_jobs::claim(&store).await.unwrap().unwrap();
        assert!(retry_jobs::step(&store, &runner).await.unwrap());
        assert_eq!(cancel(&store, project, id).await.unwrap().status, RetryJobStatus::Cancelled);
        assert!(matches!(retry_jobs::step(&store, &runner).await, Err(StoreError::Fenced)));
        assert!(!retry_jobs::run_next(&store).await.unwrap());
        assert_each_once(&store, project, BATCH).await;
        let again = cancel(&store, project, id).await.unwrap();
        assert_eq!((again.status, again.done as usize), (RetryJobStatus::Cancelled, BATCH));
        let rest = ask(&store, project, NewRetryJob::default()).await.id;
        assert!(retry_jobs::run_next(&store).await.unwrap());
        assert!(matches!(cancel(&store, project, rest).await, Err(DecisionError::TooLate)));
        assert_each_once(&store, project, 150).await;
    }
}
