//! Who waits for whom. Nothing here depends on how fast the machine is: only on who is served before whom.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use delivery::Config;
use domain::status::AttemptStatus;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::harness::{World, loopback};
use crate::receiver::{Answer, Receiver, status};

/// Patient enough for a receiver to hang during a whole test.
fn patient() -> Config {
    Config { read_timeout: Duration::from_secs(30), ..loopback() }
}

#[tokio::test]
async fn a_project_whose_receivers_all_hang_takes_no_other_projects_places() {
    let (hung, well) = (Receiver::start(vec![Answer::Hangs]).await, Receiver::start(vec![status(200)]).await);
    let config = Config { concurrency: 16, per_project: 8, per_endpoint: 4, ..patient() };
    let world = World::with(&hung.url(), config).await;
    for _ in 0..9 {
        world.add_endpoint(&hung.url()).await;
    }
    for _ in 0..20 {
        world.publish().await;
    }
    hung.requested(8).await;
    let other = world.add_project(&well.url()).await;
    for n in 1..=20 {
        world.publish_in(other).await;
        assert_eq!(world.attempts_in(other, n).await[n - 1].status, AttemptStatus::Delivered);
    }
    assert_eq!(hung.requests().len(), 8, "ten endpoints, and no more than the project's places");
}

#[tokio::test]
async fn more_hung_endpoints_than_one_look_finds_hide_nobody_behind_them() {
    let (hung, well) = (Receiver::start(vec![Answer::Hangs]).await, Receiver::start(vec![status(200)]).await);
    let config = Config { per_endpoint: 1, ..patient() };
    let world = World::with(&hung.url(), config).await;
    for _ in 0..99 {
        world.add_endpoint(&hung.url()).await;
    }
    for _ in 0..3 {
        world.publish().await;
    }
    hung.requested(100).await;
    let other = world.add_project(&well.url()).await;
    world.publish_in(other).await;
    assert_eq!(world.attempts_in(other, 1).await[0].status, AttemptStatus::Delivered);
    assert_eq!(hung.requests().len(), 100);
}

#[tokio::test]
async fn a_new_event_does_not_wait_for_an_old_backlog_of_retries() {
    let receiver = Receiver::start([vec![status(503); 40], vec![status(200)]].concat()).await;
    let config = Config { per_endpoint: 4, ..loopback() };
    let mut world = World::with(&receiver.url(), config.clone()).await;
    for _ in 0..40 {
        world.publish().await;
    }
    world.attempts(40).await;
    world.stop().await;
    world.clock.advance(Duration::from_secs(3_600));
    world.publish().await;
    world.start(config);
    let log = world.attempts(81).await;
    let first = log[40..].iter().position(|attempt| attempt.attempt_number == 1).unwrap();
    assert!(first < 12, "it came after {first} retries that were due before it");
}

/// Refuses until it is told to recover; then answers only as often as it is let.
struct Recovering {
    url: String,
    well: Arc<AtomicBool>,
    permits: Arc<Semaphore>,
    arrived: Arc<AtomicU32>,
}

impl Recovering {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let (well, permits, arrived) =
            (Arc::new(AtomicBool::new(false)), Arc::new(Semaphore::new(0)), Arc::new(AtomicU32::new(0)));
        let this = Self { url, well, permits, arrived };
        let (well, permits, arrived) = (this.well.clone(), this.permits.clone(), this.arrived.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (well, permits, arrived) = (well.clone(), permits.clone(), arrived.clone());
                tokio::spawn(async move {
                    let mut request = [0; 4_096];
                    let _ = stream.read(&mut request).await;
                    let answer = if well.load(Ordering::SeqCst) {
                        arrived.fetch_add(1, Ordering::SeqCst);
                        permits.acquire().await.unwrap().forget();
                        "200 OK"
                    } else {
                        "503 X"
                    };
                    let answer = format!("HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        this
    }

    /// Waits until so many requests have come since it recovered, and a moment for one too many.
    async fn arrived(&self, count: u32) {
        while self.arrived.load(Ordering::SeqCst) < count {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(self.arrived.load(Ordering::SeqCst), count);
    }
}

#[tokio::test]
async fn a_receiver_that_comes_back_is_not_knocked_over_by_its_backlog() {
    let receiver = Recovering::start().await;
    let world = World::with(&receiver.url, patient()).await;
    for _ in 0..60 {
        world.publish().await;
    }
    world.attempts(60).await;
    receiver.well.store(true, Ordering::SeqCst);
    world.clock.advance(Duration::from_secs(60));
    receiver.arrived(2).await;
    // Each answer frees its place and doubles them: 4 places, one answered, 3 are new, and so on.
    for (answers, arrived) in [(1, 5), (1, 10), (1, 19), (1, 36)] {
        receiver.permits.add_permits(answers);
        receiver.arrived(arrived).await;
    }
    receiver.permits.add_permits(1_000);
    assert_eq!(world.attempts(120).await.len(), 120);
}
