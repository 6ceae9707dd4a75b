//! The ladder as it is really climbed.

use std::time::Duration;

use domain::status::{AttemptStatus, DeadLetterReason};

use crate::harness::World;
use crate::receiver::{Receiver, status, with_headers};

const STEPS: [u64; 4] = [60, 15 * 60, 60 * 60, 24 * 60 * 60];

#[tokio::test]
async fn five_attempts_in_25_hours_and_16_minutes_and_then_the_inbox() {
    let receiver = Receiver::start(vec![status(503)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    world.publish().await;
    for (n, step) in STEPS.into_iter().enumerate() {
        let log = world.attempts(n + 1).await;
        let last = log.last().unwrap();
        let due = last.responded_at.unwrap().plus(Duration::from_secs(step));
        assert_eq!((last.status, last.next_attempt_at), (AttemptStatus::Retrying, Some(due)));
        world.clock.advance(Duration::from_micros(step * 1_000_000 - 1));
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(world.attempts(n + 1).await.len(), n + 1, "never earlier than the ladder says");
        world.clock.advance(Duration::from_micros(1));
    }
    let log = world.attempts(5).await;
    assert_eq!(log.iter().map(|a| a.attempt_number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(log[4].status, AttemptStatus::DeadLettered);
    let climbed = log[4].requested_at.since(log[0].requested_at);
    assert_eq!(climbed, Duration::from_secs(25 * 3_600 + 16 * 60));
    assert_eq!(world.inbox().await[0].reason, DeadLetterReason::AttemptsExhausted);
    assert_eq!(receiver.requests().len(), 5);
}

#[tokio::test]
async fn two_failures_and_a_success_are_three_attempts_with_the_same_bytes() {
    let receiver = Receiver::start(vec![status(503), status(503), status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    world.publish().await;
    for (n, step) in [60, 900].into_iter().enumerate() {
        world.attempts(n + 1).await;
        world.clock.advance(Duration::from_secs(step));
    }
    let log = world.attempts(3).await;
    assert_eq!(log[2].status, AttemptStatus::Delivered);
    assert!(world.inbox().await.is_empty());
    let bodies: Vec<_> = receiver.requests().iter().map(|r| r.split_once("\r\n\r\n").unwrap().1.to_owned()).collect();
    assert!(bodies.windows(2).all(|two| two[0] == two[1]));
}

#[tokio::test]
async fn a_rejection_is_a_dead_letter_at_once() {
    let receiver = Receiver::start(vec![status(401)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    let attempt = world.first_attempt().await;
    assert_eq!((attempt.status, attempt.response_status_code), (AttemptStatus::DeadLettered, Some(401)));
    assert_eq!(world.inbox().await[0].reason, DeadLetterReason::Rejected);
}

#[tokio::test]
async fn a_429_is_tried_again_when_it_says() {
    let receiver = Receiver::start(vec![with_headers(429, "Retry-After: 2\r\n"), status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    world.publish().await;
    let first = world.attempts(1).await.remove(0);
    assert_eq!(first.next_attempt_at, Some(first.responded_at.unwrap().plus(Duration::from_secs(2))));
    world.clock.advance(Duration::from_secs(2));
    assert_eq!(world.attempts(2).await[1].status, AttemptStatus::Delivered);
}

#[tokio::test]
async fn a_shutdown_lets_what_is_under_way_end_and_records_it() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let mut world = World::with_endpoint(&receiver.url()).await;
    for _ in 0..20 {
        world.publish().await;
    }
    world.attempts(1).await;
    world.stop().await;
    let sent = receiver.requests().len();
    assert_eq!(world.attempts(sent).await.len(), sent, "each request that was made is in the log");
}
