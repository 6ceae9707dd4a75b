//! What the engine stands on: claims, outcomes, rescues and retries.

use std::collections::HashMap;
use std::time::Duration;

use domain::Timestamp;
use domain::filter::{AttemptFilter, DeadLetterFilter, DeliveryFilter};
use domain::id::{EndpointId, ProjectId};
use domain::ladder::NextStep;
use domain::model::{Attempt, DeadLetter, Delivery, Headers};
use domain::page::PageRequest;
use domain::status::{AttemptStatus, CancelReason, DeadLetterReason, DeliveryStatus, Resolution};
use store::claim::{ClaimLimits, Claimed};
use store::record::{AttemptResult, Finished};
use store::retry::RetryError;
use store::{Dialect, Sql, StoreError, attempts, claim, dead_letters, deliveries, record, rescue, retry};

use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

pub(crate) const LEASE: Duration = Duration::from_secs(50);

fn limits(total: u32, per_endpoint: u32) -> ClaimLimits {
    ClaimLimits { total, free: 10_000, per_endpoint, per_project: 10_000, ..ClaimLimits::default() }
}

async fn claim_some(store: &Store, limits: ClaimLimits, after: Option<EndpointId>) -> Vec<Claimed> {
    let due = claim::due(&mut store.conn().await, store.now(), after).await.unwrap();
    let places = limits.share(&due);
    store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { claim::claim(tx, &places, LEASE).await }))
        .await
        .unwrap()
}

pub(crate) async fn claim_all(store: &Store) -> Vec<Claimed> {
    claim_some(store, limits(100, 100), None).await
}

pub(crate) fn finish(claimed: &Claimed, now: Timestamp, status: u16, next: NextStep) -> Finished {
    Finished {
        project_id: claimed.project_id,
        delivery_id: claimed.delivery_id,
        event_id: claimed.event.id,
        event_type: claimed.event.event_type.clone(),
        endpoint_id: claimed.endpoint.id,
        request_id: claimed.request_id,
        attempt_number: claimed.attempt_number,
        trigger: claimed.trigger.of_attempt(claimed.attempt_number),
        rungs_taken: claimed.rungs_taken + 1,
        interruptions: 0,
        token: claimed.token.clone(),
        url: claimed.endpoint.url.clone(),
        request_headers: Headers(vec![("X-A".into(), "1".into()), ("X-A".into(), "2".into())]),
        result: AttemptResult {
            status: Some(status),
            response_headers: Some(Headers(vec![("server".into(), "\0\u{fffd}".into())])),
            response_body: Some(b"\0\xff\x1f\x8b".to_vec()),
            ..AttemptResult::default()
        },
        requested_at: now,
        responded_at: Some(now.plus(Duration::from_millis(84))),
        next,
    }
}

pub(crate) async fn record_one(store: &Store, finished: Finished) -> usize {
    store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { record::record(tx, &[finished]).await }))
        .await
        .unwrap()
}

pub(crate) async fn rescue_all(store: &Store) -> usize {
    store.write::<_, _, StoreError>(|tx| Box::pin(rescue::rescue(tx))).await.unwrap()
}

pub(crate) fn again(at: Timestamp) -> NextStep {
    NextStep::RetryAt { at, hold_endpoint_until: None }
}

pub(crate) const REJECTED: NextStep =
    NextStep::DeadLetter { reason: DeadLetterReason::Rejected, disable_endpoint: false };

pub(crate) async fn delivery_of(store: &Store, project: ProjectId) -> Delivery {
    let page =
        deliveries::list(&mut store.conn().await, project, &DeliveryFilter::default(), PageRequest::first(1)).await;
    page.unwrap().data.remove(0)
}

pub(crate) async fn log(store: &Store, project: ProjectId) -> Vec<Attempt> {
    attempts::list(&mut store.conn().await, project, &AttemptFilter::default(), PageRequest::first(200))
        .await
        .unwrap()
        .data
}

pub(crate) async fn inbox(store: &Store, project: ProjectId) -> Vec<DeadLetter> {
    dead_letters::list(&mut store.conn().await, project, &DeadLetterFilter::default(), PageRequest::first(200))
        .await
        .unwrap()
        .data
}

pub(crate) async fn one_due(store: &Store) -> ProjectId {
    let project = store.project().await;
    endpoint(store, project, "*", true).await;
    publish(store, project, "contact.created", None).await;
    project
}

crate::contract! {
    async fn a_claim_carries_all_that_is_needed_and_nobody_claims_it_twice(store: TestStore) {
        let project = one_due(&store).await;
        let claimed = claim_all(&store).await;
        let [one] = &claimed[..] else { panic!("{claimed:?}") };
        assert_eq!((one.project_id, one.attempt_number, one.rungs_taken), (project, 1, 0));
        assert_eq!(one.event.data.as_str(), r#"{"n": 1.10}"#);
        assert_eq!(one.endpoint.url, "https://example.com/hook");
        assert!(claim_all(&store).await.is_empty());
    }

    async fn simultaneous_claims_share_what_is_due_without_overlap(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        for _ in 0..40 {
            publish(&store, project, "contact.created", None).await;
        }
        let four = futures::future::join_all((0..4).map(|_| claim_some(&store, limits(10, 10), None))).await;
        let mut ids: Vec<_> = four.into_iter().flatten().map(|c| c.delivery_id).collect();
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count, "no delivery in two claims");
        assert!(count > 0 && count <= 40);
    }

    async fn a_hung_endpoint_with_a_long_backlog_hides_nobody(store: TestStore) {
        let project = store.project().await;
        let hung = endpoint(&store, project, "hung.up", true).await;
        let healthy = endpoint(&store, project, "well.now", true).await;
        for _ in 0..30 {
            publish(&store, project, "hung.up", None).await;
        }
        publish(&store, project, "well.now", None).await;
        let claimed = claim_some(&store, limits(100, 4), None).await;
        let of = |id| claimed.iter().filter(|c| c.endpoint.id == id).count();
        assert_eq!((of(hung.id), of(healthy.id)), (4, 1));
        let full = ClaimLimits { by_endpoint: HashMap::from([(hung.id, 4)]), ..limits(100, 4) };
        assert!(claim_some(&store, full, None).await.is_empty(), "its permits are in use");
    }

    async fn first_attempts_go_before_an_old_backlog_of_retries_and_neither_starves(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        for _ in 0..40 {
            publish(&store, project, "contact.created", None).await;
        }
        let long_ago = store.now();
        for claimed in claim_some(&store, limits(40, 40), None).await {
            record_one(&store, finish(&claimed, long_ago, 503, again(long_ago.plus(Duration::from_secs(60))))).await;
        }
        store.clock.advance(Duration::from_secs(3_600));
        for _ in 0..20 {
            publish(&store, project, "contact.updated", None).await;
        }
        let kinds = |claimed: Vec<Claimed>| {
            let first = claimed.iter().filter(|claimed| claimed.rungs_taken == 0).count();
            (first, claimed.len() - first)
        };
        assert_eq!(kinds(claim_some(&store, limits(8, 8), None).await), (6, 2), "a quarter is the retries'");
        assert_eq!(kinds(claim_some(&store, limits(40, 40), None).await), (14, 26), "what one kind leaves, the other takes");
        let mut alone = (0, 0);
        for _ in 0..40 {
            publish(&store, project, "contact.updated", None).await;
        }
        while alone.1 == 0 {
            let (first, late) = kinds(claim_some(&store, limits(1, 1), None).await);
            alone = (alone.0 + first, alone.1 + late);
        }
        assert!(alone.0 <= 40, "a single place goes to a retry now and then: {alone:?}");
    }

    async fn a_bulk_retry_waits_behind_new_events(store: TestStore) {
        let project = one_due(&store).await;
        let query = "UPDATE btx_webhook_delivery SET cause = 'bulk'";
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { Sql::new(query).execute(tx).await })).await.unwrap();
        store.clock.advance(Duration::from_secs(1));
        publish(&store, project, "contact.updated", None).await;
        publish(&store, project, "contact.updated", None).await;
        let claimed = claim_some(&store, limits(2, 2), None).await;
        assert!(claimed.iter().filter(|claimed| claimed.event.event_type == "contact.updated").count() >= 1);
        let claimed = claim_some(&store, limits(2, 2), None).await;
        assert_eq!(claimed.len(), 1);
    }

    async fn a_look_for_what_is_due_reads_no_backlog(store: TestStore) {
        let fill = "INSERT INTO btx_webhook_delivery (id, project_id, event_id, event_type, endpoint_id, request_id, \
                    cause, status, next_attempt_at, created_at, updated_at) \
                    WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 5000) \
                    SELECT 'dlv_' || n, 'prj_1', 'evt_1', 'a.b', 'whe_' || (n % 20), 'req_1', 'initial', 'pending', 1, 1, 1 FROM s";
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { Sql::new(fill).execute(tx).await })).await.unwrap();
        let (explain, column) = match store.dialect() {
            Dialect::Sqlite => ("EXPLAIN QUERY PLAN ", "detail"),
            Dialect::Postgres => ("EXPLAIN ", "QUERY PLAN"),
        };
        let mut conn = store.conn().await;
        for statistics in [false, true] {
            if statistics {
                let analyze = "ANALYZE btx_webhook_delivery";
                store.write::<_, _, StoreError>(move |tx| Box::pin(async move { Sql::new(analyze).execute(tx).await })).await.unwrap();
            }
            let rows = claim::look(explain, store.now(), "", 64).fetch_all(&mut conn).await.unwrap();
            let plan = rows.iter().map(|row| row.text(column).unwrap()).collect::<Vec<_>>().join("\n");
            assert!(plan.matches("btx_webhook_delivery_due").count() >= 3, "{plan}");
            for reads_all in ["hashed", "oldest_due", "Scan on btx_webhook_delivery", "SCAN d"] {
                assert!(!plan.contains(reads_all), "{plan}");
            }
        }
    }

    async fn a_project_with_many_endpoints_leaves_another_its_places(store: TestStore) {
        let (busy, other) = (store.project().await, store.project().await);
        for _ in 0..9 {
            endpoint(&store, busy, "*", true).await;
        }
        endpoint(&store, other, "*", true).await;
        for _ in 0..5 {
            publish(&store, busy, "contact.created", None).await;
        }
        publish(&store, other, "contact.created", None).await;
        let limits = ClaimLimits { per_project: 6, ..limits(100, 5) };
        let claimed = claim_some(&store, limits, None).await;
        let of = |project| claimed.iter().filter(|claimed| claimed.project_id == project).count();
        assert_eq!((of(busy), of(other)), (6, 1));
    }

    async fn the_round_goes_on_behind_the_last_endpoint(store: TestStore) {
        let project = store.project().await;
        for _ in 0..3 {
            endpoint(&store, project, "*", true).await;
        }
        for _ in 0..3 {
            publish(&store, project, "contact.created", None).await;
        }
        let mut seen = Vec::new();
        let mut after = None;
        for _ in 0..9 {
            let claimed = claim_some(&store, limits(1, 1), after).await;
            after = claimed.last().map(|c| c.endpoint.id);
            seen.extend(after);
        }
        assert_eq!(seen.len(), 9);
        assert!(seen.windows(3).all(|three| three[0] != three[1] && three[1] != three[2] && three[0] != three[2]), "{seen:?}");
    }

    async fn an_outcome_moves_the_delivery_and_writes_its_log_together(store: TestStore) {
        let project = one_due(&store).await;
        let claimed = claim_all(&store).await;
        let at = store.now().plus(Duration::from_secs(60));
        assert_eq!(record_one(&store, finish(&claimed[0], store.now(), 503, again(at))).await, 1);
        let delivery = delivery_of(&store, project).await;
        assert_eq!((delivery.status, delivery.attempts_count, delivery.next_attempt_at), (DeliveryStatus::Retrying, 1, Some(at)));
        assert_eq!(delivery.dead_letters_at, Some(at.plus(Duration::from_secs(900 + 3_600 + 86_400))));
        let log = log(&store, project).await;
        assert_eq!((log[0].status, log[0].response_status_code, log[0].duration_ms), (AttemptStatus::Retrying, Some(503), Some(84)));
        assert!(claim_all(&store).await.is_empty(), "not due yet");
        store.clock.advance(Duration::from_secs(60));
        let second = claim_all(&store).await;
        assert_eq!((second[0].attempt_number, second[0].rungs_taken), (2, 1));
        record_one(&store, finish(&second[0], store.now(), 200, NextStep::Delivered)).await;
        let delivery = delivery_of(&store, project).await;
        assert_eq!((delivery.status, delivery.next_attempt_at, delivery.dead_letters_at), (DeliveryStatus::Delivered, None, None));
    }

    async fn odd_response_bytes_are_stored_and_their_batch_with_them(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        for _ in 0..3 {
            publish(&store, project, "contact.created", None).await;
        }
        let claimed = claim_all(&store).await;
        let batch: Vec<_> = claimed.iter().map(|c| finish(c, store.now(), 200, NextStep::Delivered)).collect();
        let recorded = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { record::record(tx, &batch).await })).await.unwrap();
        assert_eq!(recorded, 3);
        let id = log(&store, project).await[0].id;
        let attempt = attempts::get_with_payload(&mut store.conn().await, project, id).await.unwrap().unwrap();
        let payload = attempt.payload.unwrap();
        assert_eq!(payload.response_body.as_deref(), Some("\0\u{fffd}\u{1f}\u{fffd}"));
        assert_eq!(payload.request_headers.0.len(), 2, "repeated lines stay apart");
    }

    async fn a_dead_letter_names_its_reason_and_a_410_switches_the_endpoint_off(store: TestStore) {
        let project = one_due(&store).await;
        let claimed = claim_all(&store).await;
        let gone = NextStep::DeadLetter { reason: DeadLetterReason::Rejected, disable_endpoint: true };
        record_one(&store, finish(&claimed[0], store.now(), 410, gone)).await;
        let inbox = inbox(&store, project).await;
        assert_eq!((inbox[0].reason, inbox[0].last_response_status_code, inbox[0].delivery_id), (DeadLetterReason::Rejected, Some(410), claimed[0].delivery_id));
        let endpoint = store::endpoints::get(&mut store.conn().await, project, claimed[0].endpoint.id).await.unwrap().unwrap();
        assert!(!endpoint.enabled);
    }

    async fn an_endpoint_that_asked_for_patience_is_left_alone_until_then(store: TestStore) {
        let project = one_due(&store).await;
        publish(&store, project, "contact.created", None).await;
        let claimed = claim_some(&store, limits(1, 1), None).await;
        let at = store.now().plus(Duration::from_secs(30));
        record_one(&store, finish(&claimed[0], store.now(), 429, NextStep::RetryAt { at, hold_endpoint_until: Some(at) })).await;
        assert!(claim_all(&store).await.is_empty(), "the other one waits, too");
        store.clock.advance(Duration::from_secs(30));
        assert_eq!(claim_all(&store).await.len(), 2);
    }

    async fn deliveries_that_wait_for_a_disabled_endpoint_go_to_the_inbox_when_due(store: TestStore) {
        let project = one_due(&store).await;
        store.write::<_, _, StoreError>(|tx| Box::pin(async move { Sql::new("UPDATE btx_webhook_endpoint SET enabled = 0").execute(tx).await })).await.unwrap();
        assert!(claim_all(&store).await.is_empty());
        assert_eq!(inbox(&store, project).await[0].reason, DeadLetterReason::EndpointDisabled);
        let delivery = delivery_of(&store, project).await;
        assert_eq!((delivery.status, delivery.attempts_count), (DeliveryStatus::DeadLettered, 0));
    }

    async fn endpoint_deleted_meanwhile_cancels_with_a_reason(store: TestStore) {
        let project = one_due(&store).await;
        store.write::<_, _, StoreError>(|tx| Box::pin(async move { Sql::new("UPDATE btx_webhook_endpoint SET deleted_at = 1").execute(tx).await })).await.unwrap();
        assert!(claim_all(&store).await.is_empty());
        let delivery = delivery_of(&store, project).await;
        assert_eq!((delivery.status, delivery.cancel_reason), (DeliveryStatus::Cancelled, Some(CancelReason::EndpointDeleted)));
        assert!(inbox(&store, project).await.is_empty());
    }

    async fn an_expired_lease_is_logged_as_interrupted_and_due_at_once(store: TestStore) {
        let project = one_due(&store).await;
        let claimed_at = store.now();
        claim_all(&store).await;
        store.clock.advance(LEASE);
        assert_eq!(rescue_all(&store).await, 0, "the lease still holds");
        store.clock.advance(Duration::from_micros(1));
        assert_eq!(rescue_all(&store).await, 1);
        let log = log(&store, project).await;
        assert_eq!((log[0].status, log[0].attempt_number, log[0].requested_at), (AttemptStatus::Interrupted, 1, claimed_at));
        let next = claim_all(&store).await;
        assert_eq!((next[0].attempt_number, next[0].rungs_taken), (2, 0), "a number, but no rung");
    }

    async fn five_interruptions_in_a_row_take_a_rung(store: TestStore) {
        let project = one_due(&store).await;
        for n in 1..=5 {
            assert_eq!(claim_all(&store).await[0].attempt_number, n);
            store.clock.advance(LEASE + Duration::from_micros(1));
            assert_eq!(rescue_all(&store).await, 1);
        }
        let delivery = delivery_of(&store, project).await;
        assert_eq!(delivery.next_attempt_at, Some(store.now().plus(Duration::from_secs(60))));
        store.clock.advance(Duration::from_secs(60));
        assert_eq!(claim_all(&store).await[0].rungs_taken, 1);
    }

    async fn a_secret_that_cannot_be_opened_holds_up_its_own_endpoint_alone(store: TestStore) {
        let project = store.project().await;
        let broken = endpoint(&store, project, "*", true).await;
        let sound = endpoint(&store, project, "*", true).await;
        publish(&store, project, "contact.created", None).await;
        store
            .write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    let query = Sql::new("UPDATE btx_webhook_endpoint SET secret = ").bind(b"sealed with a key that is gone".to_vec());
                    query.push(" WHERE id = ").bind(broken.id).execute(tx).await
                })
            })
            .await
            .unwrap();
        let claimed = claim_all(&store).await;
        assert_eq!(claimed.iter().map(|claimed| claimed.endpoint.id).collect::<Vec<_>>(), [sound.id]);
        assert!(claim_all(&store).await.is_empty(), "the other is left alone for a while");
        let query = Sql::new("SELECT attempts_count, status FROM btx_webhook_delivery WHERE leased_until IS NULL AND endpoint_id = ");
        let row = query.bind(broken.id).fetch_one(&mut store.conn().await).await.unwrap();
        assert_eq!((row.int("attempts_count").unwrap(), row.text("status").unwrap().as_str()), (0, "pending"), "and nothing is lost");
    }

    async fn stale_rescue_and_stale_finish_change_nothing(store: TestStore) {
        let project = one_due(&store).await;
        let paused = claim_all(&store).await;
        store.clock.advance(LEASE + Duration::from_micros(1));
        rescue_all(&store).await;
        store.clock.advance(Duration::from_micros(1));
        let current = claim_all(&store).await;
        assert_eq!(record_one(&store, finish(&paused[0], store.now(), 500, REJECTED)).await, 0, "its lease had ended");
        assert_eq!(record_one(&store, finish(&current[0], store.now(), 200, NextStep::Delivered)).await, 1);
        assert_eq!(rescue_all(&store).await, 0);
        let statuses: Vec<_> = log(&store, project).await.iter().map(|a| (a.attempt_number, a.status)).collect();
        assert_eq!(statuses, [(2, AttemptStatus::Delivered), (1, AttemptStatus::Interrupted)]);
        assert!(inbox(&store, project).await.is_empty());
    }

    async fn the_hourly_counters_agree_with_the_log(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        for _ in 0..4 {
            publish(&store, project, "contact.created", None).await;
        }
        for (n, claimed) in claim_all(&store).await.iter().enumerate() {
            let next = if n == 0 { REJECTED } else { NextStep::Delivered };
            record_one(&store, finish(claimed, store.now(), 200, next)).await;
        }
        let rows = Sql::new("SELECT status, count FROM btx_attempt_hour ORDER BY status").fetch_all(&mut store.conn().await).await.unwrap();
        let counts: Vec<_> = rows.iter().map(|r| (r.text("status").unwrap(), r.int("count").unwrap())).collect();
        assert_eq!(counts, [("dead_lettered".to_owned(), 1), ("delivered".to_owned(), 3)]);
    }

    async fn a_retry_is_a_new_delivery_that_answers_the_dead_letter(store: TestStore) {
        let project = one_due(&store).await;
        let claimed = claim_all(&store).await;
        record_one(&store, finish(&claimed[0], store.now(), 401, REJECTED)).await;
        let letter = inbox(&store, project).await.remove(0);
        let made = store.write::<_, _, RetryError>(move |tx| Box::pin(retry::retry_dead_letter(tx, project, letter.id, None))).await.unwrap();
        assert_eq!((made.event_id, made.parent_delivery_id, made.attempts_count), (letter.event_id, Some(letter.delivery_id), 0));
        assert_ne!(made.request_id, letter.request_id);
        assert!(inbox(&store, project).await.is_empty());
        let resolved = dead_letters::get(&mut store.conn().await, project, letter.id).await.unwrap().unwrap();
        assert_eq!((resolved.resolution, resolved.retry_delivery_id), (Some(Resolution::Retried), Some(made.id)));
        let twice = store.write::<_, _, RetryError>(move |tx| Box::pin(retry::retry_dead_letter(tx, project, letter.id, None))).await;
        assert!(matches!(twice, Err(RetryError::Resolved(id)) if id == letter.id));
        assert_eq!(claim_all(&store).await[0].attempt_number, 1);
    }

    async fn a_retry_pressed_twice_makes_one_delivery_and_pressed_again_later_another(store: TestStore) {
        let project = one_due(&store).await;
        let id = delivery_of(&store, project).await.id;
        let press = |token: &'static str| store.write::<_, _, RetryError>(move |tx| Box::pin(retry::retry_delivery(tx, project, id, Some(token))));
        let first = press("form-1").await.unwrap();
        assert_eq!(press("form-1").await.unwrap().id, first.id);
        assert_ne!(press("form-2").await.unwrap().id, first.id, "second-manual-retry-ignored must not happen");
    }

    async fn an_original_that_waited_is_superseded(store: TestStore) {
        let project = one_due(&store).await;
        let id = delivery_of(&store, project).await.id;
        store.write::<_, _, RetryError>(move |tx| Box::pin(retry::retry_delivery(tx, project, id, None))).await.unwrap();
        let original = deliveries::get(&mut store.conn().await, project, id).await.unwrap().unwrap();
        assert_eq!((original.status, original.cancel_reason), (DeliveryStatus::Cancelled, Some(CancelReason::Superseded)));
        assert_eq!(claim_all(&store).await.len(), 1, "only the new one is sent");
    }

    async fn an_original_under_way_stays_cancelled_unless_it_arrives(store: TestStore) {
        for (next, ends) in [(again(store.now()), DeliveryStatus::Cancelled), (NextStep::Delivered, DeliveryStatus::Delivered), (REJECTED, DeliveryStatus::Cancelled)] {
            let project = one_due(&store).await;
            let claimed = claim_all(&store).await;
            let id = claimed[0].delivery_id;
            store.write::<_, _, RetryError>(move |tx| Box::pin(retry::retry_delivery(tx, project, id, None))).await.unwrap();
            record_one(&store, finish(&claimed[0], store.now(), 503, next)).await;
            let original = deliveries::get(&mut store.conn().await, project, id).await.unwrap().unwrap();
            assert_eq!((original.status, original.next_attempt_at), (ends, None));
            assert!(inbox(&store, project).await.is_empty());
            claim_all(&store).await;
        }
    }

    async fn another_projects_retry_finds_nothing(store: TestStore) {
        let project = one_due(&store).await;
        let other = store.project().await;
        let id = delivery_of(&store, project).await.id;
        let foreign = store.write::<_, _, RetryError>(move |tx| Box::pin(retry::retry_delivery(tx, other, id, None))).await;
        assert!(matches!(foreign, Err(RetryError::NotFound)));
    }
}
