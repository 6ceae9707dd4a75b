//! Claims, leases and the processes that hold them.

use std::time::Duration;

use delivery::{Config, Engine};
use domain::status::AttemptStatus;
use store::maintenance;
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
async fn wake_up_lost_and_polling_alone_delivers() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    sleep(Duration::from_millis(20)).await;
    // Another process's store has signals of its own: this engine hears nothing.
    world.publish_from(&world.another_process().await).await;
    assert_eq!(world.attempts(1).await[0].status, AttemptStatus::Delivered);
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
