//! What one can take from the others.

use std::time::Duration;

use delivery::Config;
use domain::status::AttemptStatus;
use futures::future::join_all;
use store::{Sql, StoreError, projects};

use crate::harness::{World, loopback, quick};
use crate::receiver::{Answer, Receiver, status};

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

async fn change(world: &World, statement: &'static str) {
    let changed = world
        .store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { Sql::new(statement).uncached().execute(tx).await }));
    changed.await.unwrap();
}

#[tokio::test]
async fn batch_poison_spoils_its_own_record_alone() {
    let (good, bad) = (Receiver::start(vec![status(200)]).await, Receiver::start(vec![status(200)]).await);
    let world = World::with_endpoint(&good.url()).await;
    world.add_endpoint(&format!("{}&poison", bad.url())).await;
    // Whatever the reason: the database refuses this one row, for good.
    change(
        &world,
        "CREATE TRIGGER poison BEFORE INSERT ON btx_webhook_attempt WHEN NEW.url LIKE '%poison' \
         BEGIN SELECT RAISE(ABORT, 'poison'); END",
    )
    .await;
    for _ in 0..20 {
        world.publish().await;
    }
    assert!(world.attempts(20).await.iter().all(|attempt| attempt.status == AttemptStatus::Delivered));
    bad.requested(20).await;
    // Their leases end, and the rescue meets the same refusal: the engine goes on for everybody else.
    world.clock.advance(quick().lease() + Duration::from_secs(1));
    world.publish().await;
    assert_eq!(world.attempts(21).await.len(), 21);
    change(&world, "DROP TRIGGER poison").await;
    world.clock.advance(Duration::from_secs(3_600));
    let log = world.attempts(21 + 21 + 21).await;
    assert_eq!(
        log.iter().filter(|attempt| attempt.status == AttemptStatus::Interrupted).count(),
        21,
        "nothing is lost"
    );
}

#[tokio::test]
async fn one_slow_alert_stalls_batches_nowhere_a_listener_that_never_listens_holds_nothing_up() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    // What is told of a record: live pages. None of these ever looks.
    let deaf: Vec<_> = (0..50).map(|_| world.store.signals().recorded()).collect();
    for _ in 0..100 {
        world.publish().await;
    }
    world.attempts(100).await;
    assert!(deaf.iter().all(|page| page.has_changed().unwrap()), "each was told");
}

#[tokio::test]
async fn deferred_sqlite_transaction_would_be_refused_at_once_ours_waits_its_turn() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    let other = world.another_process().await;
    let read_then_write = |store: &store::Store| {
        let store = store.clone();
        async move {
            let both = store.write::<_, _, StoreError>(|tx| {
                Box::pin(async move {
                    // Between the look and the change a second writer comes in, if anything lets it.
                    let known = projects::all(tx, 1_000).await?.len();
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    projects::insert(tx, &format!("{known}"), None).await
                })
            });
            both.await
        }
    };
    let writes = (0..200).map(|n| read_then_write(if n % 2 == 0 { &world.store } else { &other }));
    for written in join_all(writes).await {
        written.unwrap();
    }
    let mut conn = world.store.reader().await.unwrap();
    let mut seen: Vec<_> = projects::all(&mut conn, 1_000).await.unwrap().into_iter().map(|one| one.name).collect();
    seen.retain(|name| name != "Test");
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((count, seen.len()), (200, 200), "nobody wrote on what another had changed meanwhile");
}
