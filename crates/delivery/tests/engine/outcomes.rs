//! docs/outcomes.md: what each answer of a receiver comes to. The table is made here, by playing
//! every case against the engine; the test fails when the page says something else.

use std::fmt::Write as _;
use std::time::Duration;

use domain::model::Attempt;
use domain::status::AttemptStatus;
use tokio::net::TcpListener;

use crate::harness::{World, loopback, quick};
use crate::receiver::{Answer, Receiver, status, with_headers};

const PAGE: &str = include_str!("../../../../docs/outcomes.md");

fn bytes(answer: &[u8]) -> Answer {
    Answer::Bytes(answer.to_vec())
}

fn with_body(headers: &str, body: &[u8]) -> Answer {
    let mut answer = format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes();
    answer.extend_from_slice(body);
    Answer::Bytes(answer)
}

/// Case, and what the receiver does.
fn cases() -> Vec<(&'static str, Answer)> {
    let filler = format!("X-Filler: {}\r\n", "f".repeat(1_000)).repeat(2_000);
    vec![
        ("200", status(200)),
        ("204", bytes(b"HTTP/1.1 204 No Content\r\n\r\n")),
        ("200, a body without end", Answer::Endless(b"HTTP/1.1 200 OK\r\n\r\n", &[b'x'; 8_192])),
        ("200, a body that drips", Answer::Slowly(b"HTTP/1.1 200 OK\r\n\r\n", b"x", Duration::from_millis(20))),
        ("200, the connection breaks in the body", with_body("Content-Length: 100\r\n", b"half")),
        ("200, NUL and no UTF-8 in the body", with_body("Content-Length: 4\r\nConnection: close\r\n", b"\0\xff\xfe\n")),
        (
            "200, no UTF-8 in a header",
            bytes(b"HTTP/1.1 200 OK\r\nX-Odd: \xff\xfe\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        ),
        (
            "200, gzip that would unpack to gigabytes",
            with_body(
                "Content-Encoding: gzip\r\nContent-Length: 10\r\nConnection: close\r\n",
                b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
            ),
        ),
        ("200, chunks that are none", with_body("Transfer-Encoding: chunked\r\n", b"zz\r\nno chunk\r\n")),
        ("301 with Location", with_headers(301, "Location: http://example.com/\r\n")),
        ("400", status(400)),
        ("401", status(401)),
        ("404", status(404)),
        ("408", status(408)),
        ("410", status(410)),
        ("429", status(429)),
        ("429, Retry-After: 120", with_headers(429, "Retry-After: 120\r\n")),
        ("429, Retry-After: 0", with_headers(429, "Retry-After: 0\r\n")),
        ("429, Retry-After: 1e300", with_headers(429, "Retry-After: 1e300\r\n")),
        ("429, Retry-After: 604800", with_headers(429, "Retry-After: 604800\r\n")),
        ("500", status(500)),
        ("503, Retry-After: 120", with_headers(503, "Retry-After: 120\r\n")),
        ("closes without a word", bytes(b"")),
        ("closes in the middle of the head", bytes(b"HTTP/1.1 200 OK\r\nX-Half")),
        ("resets the connection", Answer::Resets),
        ("says nothing", Answer::Hangs),
        ("one byte of the head now and then", Answer::Dripping(Duration::from_millis(50))),
        ("no HTTP", bytes(b"SSH-2.0-OpenSSH_9.2\r\n")),
        ("headers without end", Answer::Endless(b"HTTP/1.1 200 OK\r\n", b"X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")),
        ("two megabytes of headers", Answer::Bytes(format!("HTTP/1.1 200 OK\r\n{filler}\r\n").into_bytes())),
        ("two different lengths", with_body("Content-Length: 1\r\nContent-Length: 2\r\n", b"ab")),
    ]
}

#[tokio::test]
async fn every_answer_comes_to_what_the_page_says() {
    let mut table = String::from(
        "| the receiver | status | `error_code` | stored of the body | next |\n| --- | --- | --- | --- | --- |\n",
    );
    for (case, answer) in cases() {
        let receiver = Receiver::start(vec![answer]).await;
        let attempt = World::with_endpoint(&receiver.url()).await.first_attempt().await;
        table += &row(case, &attempt);
    }
    let unused = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}/", listener.local_addr().unwrap())
    };
    for (case, url, config) in [
        ("nobody listens", unused.as_str(), loopback()),
        ("the name does not resolve", "http://no-such-host.invalid/", loopback()),
        ("the name resolves to a private address", "http://localhost:9/", quick()),
        ("a private address", "http://10.0.0.1/", quick()),
        ("cloud metadata", "http://169.254.169.254/latest/meta-data", quick()),
        ("IPv4 in IPv6", "http://[::ffff:10.0.0.1]/", quick()),
    ] {
        table += &row(case, &World::with(url, config).await.first_attempt().await);
    }
    assert!(PAGE.contains(&table), "docs/outcomes.md must hold this table:\n\n{table}");
}

fn row(case: &str, attempt: &Attempt) -> String {
    let mut line = format!("| {case} | ");
    match attempt.response_status_code {
        Some(status) => write!(line, "{status} | ").unwrap(),
        None => line += "– | ",
    }
    match attempt.error_code {
        Some(error) => write!(line, "`{}` | ", error.as_str()).unwrap(),
        None => line += "– | ",
    }
    let payload = attempt.payload.as_ref().unwrap();
    match (&payload.response_body, payload.response_body_truncated) {
        (None, _) => line += "– | ",
        (Some(_), true) => line += "the first part, marked | ",
        (Some(_), false) => line += "all | ",
    }
    match (attempt.status, attempt.next_attempt_at, attempt.responded_at) {
        (AttemptStatus::Retrying, Some(next), Some(ended)) => {
            writeln!(line, "again after {} s |", next.since(ended).as_secs()).unwrap();
        }
        (AttemptStatus::Delivered, ..) => line += "delivered |\n",
        (AttemptStatus::DeadLettered, ..) => line += "dead letter at once |\n",
        other => panic!("{case}: {other:?}"),
    }
    line
}
