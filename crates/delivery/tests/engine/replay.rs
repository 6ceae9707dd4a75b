//! A capture is sent again under the same guard as a delivery.

use std::time::Duration;

use delivery::{Config, Replays};
use domain::endpoint_url::EndpointUrl;
use domain::model::{HeaderLine, ReplayResult};
use domain::status::AttemptError;
use store::replay::{Replay, Replayer as _};

use super::harness::loopback;
use super::receiver::{Answer, Receiver, status};

async fn replay(config: Config, url: &str) -> ReplayResult {
    let headers = [
        ("host", "inspector.example"),
        ("content-length", "999"),
        ("transfer-encoding", "chunked"),
        ("x-botix-signature", "abc"),
        ("x-twice", "1"),
        ("x-twice", "2"),
    ];
    let replay = Replay {
        url: EndpointUrl::parse(url, |_| false).unwrap(),
        method: "PUT".to_owned(),
        headers: headers.iter().map(|(name, value)| HeaderLine::new(name, value.as_bytes())).collect(),
        body: "{ \"n\": 1.10 }\n".into(),
    };
    Replays::new(config).replay(replay).await
}

#[tokio::test]
async fn a_replay_sends_the_same_method_headers_and_bytes_and_tells_what_came_back() {
    let receiver = Receiver::start(vec![status(202)]).await;
    let result = replay(loopback(), &receiver.url()).await;
    assert_eq!((result.response_status_code, result.error_code), (Some(202), None));
    assert_eq!((result.response_body.as_deref(), result.remote_ip.as_deref()), (Some("ok"), Some("127.0.0.1")));
    let request = receiver.requests().remove(0);
    assert!(request.starts_with("PUT /hook?a=1 HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n{ \"n\": 1.10 }\n"), "{request}");
    let lower = request.to_ascii_lowercase();
    for line in ["x-botix-signature: abc", "x-twice: 1", "x-twice: 2", "content-length: 14"] {
        assert!(lower.contains(&format!("\r\n{line}\r\n")), "{line} in {request}");
    }
    assert!(!lower.contains("inspector.example") && !lower.contains("chunked") && !lower.contains("999"), "{request}");
}

#[tokio::test]
async fn a_replay_never_reaches_a_blocked_address() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let by_name = format!("http://localhost:{}/", receiver.address.port());
    for url in [receiver.url(), by_name, "http://169.254.169.254/latest".to_owned(), "http://10.0.0.1/".to_owned()] {
        let result = replay(Config::default(), &url).await;
        assert_eq!(
            (result.error_code, result.response_status_code),
            (Some(AttemptError::BlockedAddress), None),
            "{url}"
        );
    }
    assert!(receiver.requests().is_empty());
}

#[tokio::test]
async fn a_replay_waits_no_longer_than_a_delivery_and_keeps_four_kilobytes() {
    let config = Config { read_timeout: Duration::from_millis(50), ..loopback() };
    let silent = Receiver::start(vec![Answer::Hangs]).await;
    assert_eq!(replay(config.clone(), &silent.url()).await.error_code, Some(AttemptError::ReadTimeout));
    let long = format!("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n{}", "x".repeat(5_000));
    let talkative = Receiver::start(vec![Answer::Bytes(long.into_bytes())]).await;
    let result = replay(loopback(), &talkative.url()).await;
    assert_eq!((result.response_body.map(|body| body.len()), result.response_body_truncated), (Some(4_096), true));
}
