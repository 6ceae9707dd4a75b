//! How an endpoint fares, and when it is disabled for failing.

use std::time::Duration;

use domain::filter::DeliveryFilter;
use domain::id::{EndpointId, ProjectId};
use domain::ladder::NextStep;
use domain::model::{Endpoint, EndpointHealth};
use domain::page::PageRequest;
use domain::status::{DeadLetterReason, DeliveryStatus, DisabledReason};
use store::endpoints::{self, EndpointChange};
use store::events::{self, EventListFilter};
use store::{StoreError, deliveries, health};

use super::engine::{REJECTED, again, claim_all, finish, record_one, rescue_all};
use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

const DAY: Duration = Duration::from_secs(86_400);

async fn of(store: &Store, project: ProjectId, id: EndpointId) -> EndpointHealth {
    health::of(&mut store.conn().await, project, id, store.now()).await.unwrap().unwrap()
}

/// One event to `id`, and what comes of its first attempt, which takes 84 ms.
async fn attempt(store: &Store, project: ProjectId, status: u16, next: NextStep) {
    publish(store, project, "contact.created", None).await;
    for claimed in claim_all(store).await {
        record_one(store, finish(&claimed, store.now(), status, next)).await;
    }
}

async fn fail(store: &Store, project: ProjectId) {
    attempt(store, project, 503, again(store.now().plus(DAY * 365))).await;
}

async fn get(store: &Store, project: ProjectId, id: EndpointId) -> Endpoint {
    endpoints::get(&mut store.conn().await, project, id).await.unwrap().unwrap()
}

async fn announced(store: &Store, project: ProjectId) -> Vec<domain::model::Event> {
    let filter =
        EventListFilter { event_type: Some("webhook.endpoint.disabled".to_owned()), ..EventListFilter::default() };
    events::list(&mut store.conn().await, project, &filter, PageRequest::first(20)).await.unwrap().data
}

crate::contract! {
    async fn an_endpoint_without_attempts_says_nothing_and_another_projects_does_not_exist(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let id = endpoint(&store, project, "*", true).await.id;
        assert_eq!(of(&store, project, id).await, EndpointHealth::default());
        assert_eq!(health::of(&mut store.conn().await, other, id, store.now()).await.unwrap(), None);
    }

    async fn failures_in_a_row_are_counted_from_the_first_one_until_a_success(store: TestStore) {
        let project = store.project().await;
        let id = endpoint(&store, project, "contact.*", true).await.id;
        let began = store.now().plus(Duration::from_millis(84));
        for _ in 0..3 {
            fail(&store, project).await;
            store.clock.advance(Duration::from_secs(60));
        }
        let failing = of(&store, project, id).await;
        assert_eq!((failing.consecutive_failures, failing.failing_since), (3, Some(began)));
        assert_eq!((failing.last_success_at, failing.last_failure_at), (None, Some(began.plus(Duration::from_secs(120)))));
        attempt(&store, project, 200, NextStep::Delivered).await;
        let works = of(&store, project, id).await;
        assert_eq!((works.consecutive_failures, works.failing_since), (0, None));
        assert_eq!((works.attempts, works.delivered, works.success_percent), (4, 1, Some(25)));
        assert_eq!((works.response_ms_p50, works.response_ms_p95), (Some(84), Some(84)));
        store.clock.advance(DAY + Duration::from_secs(1));
        let later = of(&store, project, id).await;
        assert_eq!((later.attempts, later.success_percent, later.response_ms_p50), (0, None, None), "24 hours later");
        assert_eq!(later.last_success_at, works.last_success_at);
    }

    async fn within_a_batch_the_last_outcome_decides(store: TestStore) {
        let project = store.project().await;
        let id = endpoint(&store, project, "*", true).await.id;
        for _ in 0..4 {
            publish(&store, project, "contact.created", None).await;
        }
        let later = store.now().plus(DAY);
        let at = |n: u64| store.now().plus(Duration::from_secs(n));
        let claimed = claim_all(&store).await;
        let batch = vec![
            finish(&claimed[0], at(4), 503, again(later)),
            finish(&claimed[1], at(1), 503, again(later)),
            finish(&claimed[2], at(2), 200, NextStep::Delivered),
            finish(&claimed[3], at(3), 404, REJECTED),
        ];
        let recorded = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { store::record::record(tx, &batch).await }));
        assert_eq!(recorded.await.unwrap(), 4);
        let health = of(&store, project, id).await;
        assert_eq!((health.consecutive_failures, health.failing_since), (2, Some(at(3).plus(Duration::from_millis(84)))));
        assert_eq!(health.last_success_at, Some(at(2).plus(Duration::from_millis(84))));
    }

    async fn an_interrupted_attempt_is_nobodys_fault(store: TestStore) {
        let project = store.project().await;
        let id = endpoint(&store, project, "*", true).await.id;
        publish(&store, project, "contact.created", None).await;
        claim_all(&store).await;
        store.clock.advance(Duration::from_secs(3_600));
        assert_eq!(rescue_all(&store).await, 1);
        assert_eq!(of(&store, project, id).await, EndpointHealth::default());
    }

    async fn silent_auto_disable_cannot_be_it_is_off_until_somebody_asks_for_it(store: TestStore) {
        let project = store.project().await;
        let id = endpoint(&store, project, "contact.*", true).await.id;
        for _ in 0..100 {
            fail(&store, project).await;
            store.clock.advance(DAY);
        }
        assert!(get(&store, project, id).await.enabled);
        let gone = NextStep::DeadLetter { reason: DeadLetterReason::Rejected, disable_endpoint: true };
        attempt(&store, project, 410, gone).await;
        let disabled = get(&store, project, id).await;
        assert_eq!((disabled.enabled, disabled.disabled_reason, disabled.disabled_at), (false, Some(DisabledReason::Gone), Some(store.now())));
        assert!(announced(&store, project).await.is_empty(), "the contract's list of events stands");
    }

    async fn an_endpoint_that_fails_for_too_long_is_disabled_with_reason_event_and_skipped_deliveries(store: TestStore) {
        let store = store.auto_disabling(DAY * 5).await;
        let project = store.project().await;
        let id = endpoint(&store, project, "contact.*", true).await.id;
        let watcher = endpoint(&store, project, "webhook.*", true).await.id;
        for day in 0..5 {
            fail(&store, project).await;
            assert!(get(&store, project, id).await.enabled, "day {day}");
            store.clock.advance(DAY);
        }
        store.clock.advance(Duration::from_secs(1));
        fail(&store, project).await;
        let disabled = get(&store, project, id).await;
        assert_eq!((disabled.enabled, disabled.disabled_reason, disabled.disabled_at), (false, Some(DisabledReason::Failing), Some(store.now())));
        let [event] = &announced(&store, project).await[..] else { panic!("one event") };
        let data: serde_json::Value = serde_json::from_str(event.data.as_str()).unwrap();
        assert_eq!((&data["id"], &data["disabled_reason"], &data["health"]["consecutive_failures"]), (&id.to_string().into(), &"failing".into(), &6.into()));
        assert!(data.get("secret").is_none());
        let told = claim_all(&store).await;
        assert_eq!(told.iter().map(|claimed| claimed.endpoint.id).collect::<Vec<_>>(), [watcher]);
        publish(&store, project, "contact.updated", None).await;
        let updated = DeliveryFilter { event_type: Some("contact.updated".to_owned()), ..DeliveryFilter::default() };
        let page = deliveries::list(&mut store.conn().await, project, &updated, PageRequest::first(1)).await.unwrap();
        assert_eq!(page.data[0].status, DeliveryStatus::Skipped, "kept, to be sent later");

        let on = EndpointChange { enabled: Some(true), ..EndpointChange::default() };
        store.write::<_, _, StoreError>(move |tx| Box::pin(endpoints::update(tx, project, id, on))).await.unwrap();
        fail(&store, project).await;
        let mended = get(&store, project, id).await;
        assert_eq!((mended.enabled, mended.disabled_reason, mended.disabled_at), (true, None, None), "its time begins anew");
    }

    async fn one_bad_moment_and_then_silence_disables_nothing(store: TestStore) {
        let store = store.auto_disabling(DAY * 5).await;
        let project = store.project().await;
        let id = endpoint(&store, project, "contact.*", true).await.id;
        for _ in 0..2 {
            fail(&store, project).await;
            store.clock.advance(DAY * 6);
        }
        fail(&store, project).await;
        assert!(get(&store, project, id).await.enabled, "three attempts in twelve days are less than a ladder");
        for _ in 0..20 {
            attempt(&store, project, 200, NextStep::Delivered).await;
            fail(&store, project).await;
            store.clock.advance(DAY);
        }
        assert!(get(&store, project, id).await.enabled, "it succeeds now and then");
    }
}
