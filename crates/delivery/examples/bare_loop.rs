//! The yardstick of `bench/`: how many webhooks a second the engine's own HTTP client gets answered
//! when nothing else is done: no database, no signature, no log.
//!
//! The client and its guarded connector are the engine's, compiled from the same files; method, URL,
//! headers and body are a webhook's, and each answer is read to its end.
//!
//! ```sh
//! cargo run --release -p botix-delivery --example bare_loop -- http://127.0.0.1:8080/ 256 5
//! ```
//!
//! Prints the number of answers a second.

#[path = "../src/client.rs"]
mod client;
#[expect(dead_code, unreachable_pub, reason = "public in the crate it is from, which uses more of it")]
#[path = "../src/config.rs"]
mod config;
#[path = "../src/connector.rs"]
mod connector;
#[expect(dead_code, reason = "the engine uses more of it")]
#[path = "../src/stream.rs"]
mod stream;
#[expect(dead_code, unreachable_pub, reason = "public in the crate it is from, which uses more of it")]
#[path = "../src/trust.rs"]
mod trust;

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use domain::address::AddressGuard;
use http::{HeaderName, HeaderValue, Request};
use http_body_util::{BodyExt as _, Full};

const BODY: &str = r#"{"id":"evt_01ARZ3NDEKTSV4RRFFQ69G5FAV","type":"contact.created","timestamp":"2026-05-28T20:26:40.123Z","project_id":"prj_01ARZ3NDEKTSV4RRFFQ69G5FAV","data":{"id":"con_00000000000000000000000000","phone":"+79990000000","name":"Ivan"}}"#;
const HEADERS: [(&str, &str); 9] = [
    ("content-type", "application/json"),
    ("user-agent", "BOTIX-Webhooks/1.1"),
    ("x-botix-event", "contact.created"),
    ("x-botix-signature", "ef82e76eb8c0d1829a4d6f057bfad4f928ceb78989ad2cb6f02928fbf37ef9f5"),
    ("x-botix-request-id", "req_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    ("x-delivery-attempt", "1"),
    ("webhook-id", "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    ("webhook-timestamp", "1780000000"),
    ("webhook-signature", "v1,zQez2SpjWgu5gVTZ8+VdyprmQBrImRnshvJqeyFVCQQ="),
];

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("bare_loop URL CONCURRENCY SECONDS")?;
    let concurrency: usize = arguments.next().ok_or("the concurrency is missing")?.parse()?;
    let seconds: u64 = arguments.next().ok_or("the seconds are missing")?.parse()?;

    let guard = AddressGuard::allowing(vec!["127.0.0.0/8".parse()?]);
    let client = client::build(&config::Config { guard, ..config::Config::default() });
    let answered = Arc::new(AtomicU64::new(0));
    let began = Instant::now();
    let end = began + Duration::from_secs(seconds);
    let loops: Vec<_> = (0..concurrency)
        .map(|_| {
            let (client, url, answered) = (client.clone(), url.clone(), answered.clone());
            tokio::spawn(async move {
                while Instant::now() < end {
                    let answer = client.request(webhook(&url)?).await?;
                    answer.into_body().collect().await?;
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<_, Failure>(())
            })
        })
        .collect();
    for one in loops {
        one.await??;
    }
    let rate = u128::from(answered.load(Ordering::Relaxed)) * 1_000_000 / began.elapsed().as_micros();
    writeln!(std::io::stdout(), "{rate}")?;
    Ok(())
}

fn webhook(url: &str) -> Result<Request<Full<Bytes>>, http::Error> {
    let mut request = Request::post(url).header("content-length", BODY.len());
    for (name, value) in HEADERS {
        request = request.header(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    request.body(Full::new(Bytes::from_static(BODY.as_bytes())))
}
