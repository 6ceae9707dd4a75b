//! What counts as an attempt, and how many there are.

use std::time::Duration;

use domain::status::{AttemptError, AttemptStatus, DeadLetterReason};
use store::claim;
use tokio::time::sleep;

use crate::harness::{World, loopback};
use crate::receiver::{Answer, Receiver, status};

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
async fn dns_not_retried_would_lose_what_a_resolver_s_hiccup_met() {
    let world = World::with_endpoint("http://no-such-host.invalid/").await;
    let attempt = world.first_attempt().await;
    assert_eq!((attempt.error_code, attempt.status), (Some(AttemptError::DnsError), AttemptStatus::Retrying));
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
