//! Ways in which other webhook engines are known to have failed, each test named after its kind.

use std::sync::Arc;
use std::time::Duration;

use delivery::{Config, Engine};
use domain::address::AddressGuard;
use domain::status::{AttemptError, AttemptStatus, DeadLetterReason};
use store::{StoreError, claim, endpoints, maintenance, retry};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::harness::{World, loopback, quick};
use crate::receiver::{Answer, Receiver, status};

#[test]
fn lease_shorter_than_request_cannot_be() {
    for config in [Config::default(), quick()] {
        assert!(config.lease() >= config.longest_request() + Duration::from_secs(10));
    }
}

#[tokio::test]
async fn stuck_in_processing_and_orphan_after_restart_end_with_the_lease() {
    let receiver = Receiver::start(vec![Answer::Hangs, status(200)]).await;
    let patient = Config { read_timeout: Duration::from_secs(20), ..loopback() };
    let mut world = World::with(&receiver.url(), patient.clone()).await;
    world.publish().await;
    receiver.requested(1).await;
    world.abort();
    world.start(patient.clone());
    sleep(Duration::from_millis(50)).await;
    assert_eq!(receiver.requests().len(), 1, "a lease that holds is respected, whoever it was");
    world.clock.advance(patient.lease() + Duration::from_micros(1));
    let log = world.attempts(2).await;
    assert_eq!(log.iter().map(|a| a.attempt_number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!([log[0].status, log[1].status], [AttemptStatus::Interrupted, AttemptStatus::Delivered]);
}

#[tokio::test]
async fn last_retry_never_picked_is_picked_at_the_start_and_seen_in_the_metric() {
    let receiver = Receiver::start(vec![status(503), status(200)]).await;
    let mut world = World::with_endpoint(&receiver.url()).await;
    world.publish().await;
    let due = world.attempts(1).await[0].next_attempt_at.unwrap();
    world.stop().await;
    world.clock.advance(Duration::from_secs(86_400));
    let now = world.store.now();
    let mut conn = world.store.reader().await.unwrap();
    assert_eq!(claim::backlog(&mut conn, now, 10).await.unwrap(), (1, Some(due)));
    drop(conn);
    world.start(loopback());
    assert_eq!(world.attempts(2).await[1].status, AttemptStatus::Delivered);
}

#[tokio::test]
async fn attempts_never_counted_whatever_the_failure_each_takes_a_rung() {
    let kinds = vec![
        Answer::Resets,
        Answer::Hangs,
        Answer::Bytes(b"no http\r\n\r\n".to_vec()),
        status(302),
        Answer::Dripping(Duration::from_millis(50)),
    ];
    let receiver = Receiver::start(kinds).await;
    let world = World::with_endpoint(&receiver.url()).await;
    world.publish().await;
    for n in 1..=5 {
        world.attempts(n).await;
        world.clock.advance(Duration::from_secs(86_400));
    }
    sleep(Duration::from_millis(50)).await;
    let log = world.attempts(5).await;
    assert_eq!(log.len(), 5, "and not one more");
    assert_eq!(log[4].status, AttemptStatus::DeadLettered);
}

#[tokio::test]
async fn give_up_early_never_happens_the_ladder_alone_decides() {
    let receiver = Receiver::start(vec![status(500)]).await;
    let schedule = ["1s"; 30].join(",").parse().unwrap();
    let world = World::with_schedule(&receiver.url(), loopback(), schedule).await;
    world.publish().await;
    for n in 1..=31 {
        assert_eq!(world.attempts(n).await.len(), n);
        world.clock.advance(Duration::from_secs(1));
    }
    assert_eq!(world.attempts(31).await[30].status, AttemptStatus::DeadLettered);
    assert_eq!(world.inbox().await[0].reason, DeadLetterReason::AttemptsExhausted);
}

#[tokio::test]
async fn wake_up_lost_and_polling_alone_delivers() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    sleep(Duration::from_millis(20)).await;
    // Another process's store has signals of its own: this engine hears nothing.
    world.publish_from(&world.another_process().await).await;
    assert_eq!(world.attempts(1).await[0].status, AttemptStatus::Delivered);
}

#[tokio::test]
async fn dns_not_retried_would_lose_what_a_resolver_s_hiccup_met() {
    let world = World::with_endpoint("http://no-such-host.invalid/").await;
    let attempt = world.first_attempt().await;
    assert_eq!((attempt.error_code, attempt.status), (Some(AttemptError::DnsError), AttemptStatus::Retrying));
}

#[tokio::test]
async fn user_errors_in_system_dead_letter_go_to_the_project_s_inbox() {
    let world = World::with("http://10.0.0.1/hook", quick()).await;
    world.first_attempt().await;
    assert_eq!(world.inbox().await[0].reason, DeadLetterReason::BlockedAddress);
}

#[tokio::test]
async fn silent_auto_disable_does_not_exist_and_gone_says_why() {
    let receiver = Receiver::start(vec![status(500)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    for n in 1..=100 {
        world.publish().await;
        world.attempts(n).await;
    }
    assert!(world.endpoint().await.enabled, "a hundred failures in a row disable nothing");

    let gone = World::with_endpoint(&Receiver::start(vec![status(410)]).await.url()).await;
    gone.first_attempt().await;
    assert!(!gone.endpoint().await.enabled);
    assert_eq!(gone.inbox().await[0].last_response_status_code, Some(410));
}

#[tokio::test]
async fn head_timed_body_not_is_one_deadline_for_both() {
    let receiver =
        Receiver::start(vec![Answer::Slowly(b"HTTP/1.1 200 OK\r\n\r\n", b"x", Duration::from_millis(20))]).await;
    let attempt = World::with_endpoint(&receiver.url()).await.first_attempt().await;
    assert_eq!(attempt.status, AttemptStatus::Delivered, "the head decides");
    assert!(attempt.duration_ms.unwrap() < 2_000, "and the body ends with the deadline");
    assert!(attempt.payload.unwrap().response_body_truncated);
}

#[tokio::test]
async fn second_manual_retry_ignored_is_a_defect_each_one_sends() {
    let receiver = Receiver::start(vec![status(401)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    let attempt = world.first_attempt().await;
    for n in 2..=3 {
        let (project, delivery) = (world.project, attempt.delivery_id);
        world
            .store
            .write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    retry::retry_delivery(tx, project, delivery, None).await.expect("it can be retried");
                    Ok(())
                })
            })
            .await
            .unwrap();
        world.attempts(n).await;
    }
    assert_eq!(receiver.requests().len(), 3);
}

#[tokio::test]
async fn retry_id_shared_by_endpoints_does_not_mix_their_deliveries() {
    let (bad, good) = (Receiver::start(vec![status(503)]).await, Receiver::start(vec![status(200)]).await);
    let world = World::with_endpoint(&bad.url()).await;
    world.add_endpoint(&good.url()).await;
    world.publish().await;
    world.attempts(2).await;
    for n in 3..=6 {
        world.clock.advance(Duration::from_secs(86_400));
        world.attempts(n).await;
    }
    assert_eq!((bad.requests().len(), good.requests().len()), (5, 1));
}

#[tokio::test]
async fn one_tenant_spike_leaves_the_others_their_places() {
    let (hung, quick_one) = (Receiver::start(vec![Answer::Hangs]).await, Receiver::start(vec![status(200)]).await);
    let config = Config { per_endpoint: 4, concurrency: 64, read_timeout: Duration::from_secs(30), ..loopback() };
    let world = World::with(&hung.url(), config).await;
    for _ in 0..300 {
        world.publish().await;
    }
    hung.requested(4).await;
    world.add_endpoint(&quick_one.url()).await;
    world.publish().await;
    let log = world.attempts(1).await;
    assert_eq!(log[0].status, AttemptStatus::Delivered);
    assert_eq!(hung.requests().len(), 4, "no more than its own places");
}

#[tokio::test]
async fn cleaners_deadlock_neither_each_other_nor_what_a_live_delivery_needs() {
    let receiver = Receiver::start(vec![status(503), status(200)]).await;
    let mut world = World::with_endpoint(&receiver.url()).await;
    world.publish().await;
    world.attempts(1).await;
    world.stop().await;
    world.clock.advance(Duration::from_secs(200 * 86_400));
    let (one, two) = tokio::join!(
        maintenance::run(&world.store, maintenance::Retention::default()),
        maintenance::run(&world.store, maintenance::Retention::default()),
    );
    // Two at a time, and neither waits for the other for ever.
    one.unwrap();
    two.unwrap();
    world.start(loopback());
    let log = world.attempts(1).await;
    assert_eq!((log[0].attempt_number, log[0].status), (2, AttemptStatus::Delivered));
}

#[tokio::test]
async fn endpoint_deleted_meanwhile_sends_nothing_more() {
    let receiver = Receiver::start(vec![status(503)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    world.publish().await;
    world.attempts(1).await;
    let (project, id) = (world.project, world.endpoint().await.id);
    world.store.write(move |tx| Box::pin(endpoints::delete(tx, project, id))).await.unwrap();
    world.clock.advance(Duration::from_secs(60));
    sleep(Duration::from_millis(50)).await;
    assert_eq!(receiver.requests().len(), 1);
    assert!(world.inbox().await.is_empty(), "nobody wants it any more");
}

#[tokio::test]
async fn two_engines_on_one_database_send_each_delivery_once() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    let shutdown = CancellationToken::new();
    let other = world.another_process().await;
    let engine = tokio::spawn(Engine::new(other, loopback()).run(shutdown.clone()));
    for _ in 0..200 {
        world.publish().await;
    }
    world.attempts(200).await;
    shutdown.cancel();
    engine.await.unwrap();
    assert_eq!(receiver.requests().len(), 200);
}

/// The guard is asked about the address that is connected to, so every spelling of it is one.
#[tokio::test]
async fn literal_addresses_in_every_spelling_are_judged_as_the_address_they_are() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let port = receiver.address.port();
    let guard = Arc::new(AddressGuard::default());
    for host in ["2130706433", "0x7f.1", "017700000001", "127.1", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]"] {
        let config = Config { guard: (*guard).clone(), ..quick() };
        let attempt = World::with(&format!("http://{host}:{port}/"), config).await.first_attempt().await;
        assert_eq!(attempt.error_code, Some(AttemptError::BlockedAddress), "{host}");
    }
    assert!(receiver.requests().is_empty());
}
