//! Random lives of deliveries on a real database: answers, failures and crashes in any order, until all have ended.

use std::time::Duration;

use domain::ladder::{Outcome, RetrySchedule};
use domain::status::{AttemptError, AttemptStatus, DeliveryStatus};
use store::ledger::{LedgerScope, LedgerTimes, ledger};
use store::{StoreError, record};

use super::engine::{LEASE, claim_all, finish, log, rescue_all};
use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

const DELIVERIES: usize = 12;

/// What becomes of an attempt, `None` for a crash.
fn fate(store: &Store) -> Option<Outcome> {
    let mut byte = [0];
    store.entropy().fill(&mut byte);
    match byte[0] % 10 {
        0 => Some(Outcome::Responded { status: 200, retry_after: None }),
        1 => Some(Outcome::Responded { status: 404, retry_after: None }),
        2 => {
            let at = store.now().plus(Duration::from_secs(u64::from(byte[0]) + 1));
            Some(Outcome::Responded { status: 429, retry_after: Some(at) })
        }
        3 => Some(Outcome::Failed(AttemptError::ReadTimeout)),
        4..=6 => Some(Outcome::Responded { status: 503, retry_after: None }),
        _ => None,
    }
}

crate::contract! {
    async fn every_life_ends_with_a_log_without_gaps_and_a_balanced_ledger(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        for _ in 0..DELIVERIES {
            publish(&store, project, "contact.created", None).await;
        }
        let schedule = RetrySchedule::default();
        // Two days each time are past every lease, step and Retry-After.
        for round in 0.. {
            assert!(round < 60, "some never end");
            let claimed = claim_all(&store).await;
            let mut batch = Vec::new();
            for one in &claimed {
                let Some(outcome) = fate(&store) else { continue };
                let next = schedule.next(one.rungs_taken + 1, outcome, store.now());
                batch.push(finish(one, store.now(), 503, next));
            }
            let recorded = batch.len();
            let done = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { record::record(tx, &batch).await }));
            assert_eq!(done.await.unwrap(), recorded);
            store.clock.advance(LEASE + Duration::from_micros(1));
            assert_eq!(rescue_all(&store).await, claimed.len() - recorded, "each crash is found");
            let waiting = deliveries(&store).await.iter().filter(|(_, status, _)| matches!(status, DeliveryStatus::Pending | DeliveryStatus::Retrying)).count();
            if waiting == 0 { break }
            store.clock.advance(Duration::from_secs(2 * 86_400));
        }
        let log = log(&store, project).await;
        for (id, status, count) in deliveries(&store).await {
            let mut of: Vec<_> = log.iter().filter(|attempt| attempt.delivery_id == id).collect();
            of.sort_by_key(|attempt| attempt.attempt_number);
            assert_eq!(of.iter().map(|attempt| attempt.attempt_number).collect::<Vec<_>>(), (1..=count).collect::<Vec<_>>());
            let rungs = of.iter().filter(|attempt| attempt.status != AttemptStatus::Interrupted).count();
            assert!(rungs <= 5, "{rungs} answers");
            let last = of.last().unwrap().status;
            match status {
                DeliveryStatus::Delivered => assert_eq!(last, AttemptStatus::Delivered),
                // Five crashes in a row may have taken the last rung.
                _ => assert!(matches!(last, AttemptStatus::DeadLettered | AttemptStatus::Interrupted), "{last:?}"),
            }
        }
        let times = LedgerTimes { now: store.now(), attempts_kept: Duration::from_secs(1_000 * 86_400) };
        let found = ledger(&mut store.conn().await, LedgerScope::default(), times).await.unwrap();
        assert!(found.balanced, "{found:?}");
        assert_eq!(found.endpoints[0].matched, DELIVERIES as u64);
    }
}

async fn deliveries(store: &Store) -> Vec<(domain::id::DeliveryId, DeliveryStatus, u32)> {
    let rows = store::Sql::new("SELECT id, status, attempts_count FROM btx_webhook_delivery");
    let rows = rows.fetch_all(&mut store.conn().await).await.unwrap();
    let read = |row: &store::Row| {
        (row.parse("id").unwrap(), row.parse("status").unwrap(), row.small("attempts_count").unwrap())
    };
    rows.iter().map(read).collect()
}
