//! Endpoints that fail, go, or share an event.

use std::sync::Arc;
use std::time::Duration;

use delivery::Config;
use domain::address::AddressGuard;
use domain::status::{AttemptError, DeadLetterReason};
use store::{StoreError, endpoints, retry};
use tokio::time::sleep;

use crate::harness::{World, quick};
use crate::receiver::{Receiver, status};

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
