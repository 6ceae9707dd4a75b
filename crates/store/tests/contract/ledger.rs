//! The loss ledger: the sum per endpoint, and the shapes that a lost delivery would have.

use std::time::Duration;

use domain::id::ProjectId;
use store::ledger::{Ledger, LedgerScope, LedgerTimes, latest, ledger};
use store::{Sql, StoreError, claim, rescue};

use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

async fn look(store: &Store, scope: LedgerScope) -> Ledger {
    let times = LedgerTimes { now: store.now(), attempts_kept: Duration::from_secs(14 * 86_400) };
    ledger(&mut store.conn().await, scope, times).await.unwrap()
}

async fn change(store: &Store, text: &'static str) {
    store.write::<_, _, StoreError>(move |tx| Box::pin(async move { Sql::new(text).execute(tx).await })).await.unwrap();
}

async fn with_three_events(store: &Store) -> ProjectId {
    let project = store.project().await;
    endpoint(store, project, "*", true).await;
    endpoint(store, project, "contact.*", false).await;
    for _ in 0..3 {
        publish(store, project, "contact.created", None).await;
    }
    project
}

crate::contract! {
    async fn every_matched_event_is_in_one_of_five_places(store: TestStore) {
        let project = with_three_events(&store).await;
        let found = look(&store, LedgerScope { project_id: Some(project), ..LedgerScope::default() }).await;
        assert!(found.balanced, "{found:?}");
        let mut sums: Vec<_> = found.endpoints.iter().map(|row| (row.matched, row.waiting, row.skipped)).collect();
        sums.sort_unstable();
        assert_eq!(sums, [(3, 0, 3), (3, 3, 0)]);
    }

    async fn the_latest_of_one_endpoint_add_up_without_the_others(store: TestStore) {
        let project = with_three_events(&store).await;
        let mut conn = store.conn().await;
        let scope = LedgerScope { project_id: Some(project), ..LedgerScope::default() };
        let whole = look(&store, scope).await;
        for row in whole.endpoints {
            let id = row.endpoint_id;
            let all = latest(&mut conn, project, id, 4).await.unwrap();
            assert_eq!((&all.row, all.since), (&row, None), "a page says the same as the operator's ledger");
            let two = latest(&mut conn, project, id, 2).await.unwrap();
            assert_eq!((two.row.matched, two.since.is_some()), (2, true));
            let other = latest(&mut conn, store.project().await, id, 4).await.unwrap();
            assert_eq!((other.row.matched, other.since), (0, None), "another project's deliveries");
        }
    }

    async fn what_people_sent_again_is_no_second_match(store: TestStore) {
        let project = with_three_events(&store).await;
        let scope = LedgerScope { project_id: Some(project), ..LedgerScope::default() };
        let id = look(&store, scope).await.endpoints[0].endpoint_id;
        change(&store, "UPDATE btx_webhook_delivery SET cause = 'manual'").await;
        let found = latest(&mut store.conn().await, project, id, 3).await.unwrap();
        assert_eq!((found.row.matched, found.row.is_balanced()), (0, true));
        assert!(found.since.is_some(), "they were looked at all the same");
    }

    async fn a_scope_leaves_out_other_projects_and_times(store: TestStore) {
        let project = with_three_events(&store).await;
        with_three_events(&store).await;
        let only = LedgerScope { project_id: Some(project), ..LedgerScope::default() };
        assert_eq!(look(&store, only).await.endpoints.len(), 2);
        let later = LedgerScope { created_after: Some(store.now().plus(Duration::from_secs(1))), ..only };
        assert_eq!(look(&store, later).await.endpoints, []);
        let before = LedgerScope { created_before: Some(store.now()), ..only };
        assert_eq!(look(&store, before).await.endpoints, []);
    }

    async fn a_lost_delivery_is_found_by_its_shape(store: TestStore) {
        with_three_events(&store).await;
        for (damage, kind) in [
            ("UPDATE btx_webhook_delivery SET next_attempt_at = NULL WHERE status = 'pending'", "waits_for_nothing"),
            ("UPDATE btx_webhook_delivery SET status = 'dead_lettered' WHERE status = 'pending'", "no_dead_letter"),
            ("UPDATE btx_webhook_delivery SET status = 'delivered', next_attempt_at = 5 WHERE status = 'dead_lettered'", "ended_but_due"),
            ("UPDATE btx_webhook_delivery SET attempts_count = 2, next_attempt_at = NULL WHERE status = 'delivered'", "attempts_uncounted"),
        ] {
            change(&store, damage).await;
            let found = look(&store, LedgerScope::default()).await;
            assert!(!found.balanced);
            assert!(found.faults.iter().filter(|fault| fault.kind == kind).count() == 3, "{kind}: {:?}", found.faults);
        }
    }

    async fn attempts_that_a_shorter_retention_took_are_not_missed(store: TestStore) {
        with_three_events(&store).await;
        change(&store, "UPDATE btx_webhook_delivery SET attempts_count = 2").await;
        store.clock.advance(Duration::from_secs(3_600));
        let kept = |attempts_kept| LedgerTimes { now: store.now(), attempts_kept };
        let mut conn = store.conn().await;
        let long = ledger(&mut conn, LedgerScope::default(), kept(Duration::from_secs(7_200))).await.unwrap();
        assert!(long.faults.iter().any(|fault| fault.kind == "attempts_uncounted"));
        let short = ledger(&mut conn, LedgerScope::default(), kept(Duration::from_secs(3_600))).await.unwrap();
        assert!(short.balanced, "{:?}", short.faults);
    }

    async fn a_lease_that_everybody_forgot_is_a_fault_until_it_is_rescued(store: TestStore) {
        with_three_events(&store).await;
        let due = claim::due(&mut store.conn().await, store.now(), None).await.unwrap();
        let places: Vec<_> = due.into_iter().map(|due| (due, 10)).collect();
        let lease = Duration::from_secs(50);
        let claimed = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { claim::claim(tx, &places, lease).await }));
        assert_eq!(claimed.await.unwrap().len(), 3);
        assert!(look(&store, LedgerScope::default()).await.balanced, "a claim is no fault");
        store.clock.advance(Duration::from_secs(200));
        let found = look(&store, LedgerScope::default()).await;
        assert_eq!(found.faults.iter().map(|fault| fault.kind).collect::<Vec<_>>(), ["lease_forgotten"; 3]);
        store.write::<_, _, StoreError>(|tx| Box::pin(rescue::rescue(tx))).await.unwrap();
        assert!(look(&store, LedgerScope::default()).await.balanced);
    }
}
