//! Each way a receiver can fail, told apart.

use std::time::Duration;

use domain::status::{AttemptError, AttemptStatus, DeadLetterReason};
use tokio::net::TcpListener;

use crate::harness::{World, quick};
use crate::receiver::{Answer, Receiver, status, with_headers};

async fn failure_of(answer: Answer) -> (Option<AttemptError>, Option<u16>, AttemptStatus) {
    let receiver = Receiver::start(vec![answer]).await;
    let attempt = World::with_endpoint(&receiver.url()).await.first_attempt().await;
    (attempt.error_code, attempt.response_status_code, attempt.status)
}

fn retried(error: AttemptError) -> (Option<AttemptError>, Option<u16>, AttemptStatus) {
    (Some(error), None, AttemptStatus::Retrying)
}

#[tokio::test]
async fn nobody_listening_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let attempt = World::with_endpoint(&url).await.first_attempt().await;
    assert_eq!(attempt.error_code, Some(AttemptError::ConnectionRefused));
    assert_eq!(attempt.status, AttemptStatus::Retrying);
}

#[tokio::test]
async fn a_reset_and_a_silent_close_are_resets() {
    assert_eq!(failure_of(Answer::Resets).await, retried(AttemptError::ConnectionReset));
    assert_eq!(failure_of(Answer::Bytes(Vec::new())).await, retried(AttemptError::ConnectionReset));
    assert_eq!(
        failure_of(Answer::Bytes(b"HTTP/1.1 200 OK\r\nX-Half".to_vec())).await,
        retried(AttemptError::ConnectionReset)
    );
}

#[tokio::test]
async fn silence_and_one_byte_now_and_then_are_read_timeouts() {
    assert_eq!(failure_of(Answer::Hangs).await, retried(AttemptError::ReadTimeout));
    assert_eq!(failure_of(Answer::Dripping(Duration::from_millis(50))).await, retried(AttemptError::ReadTimeout));
}

#[tokio::test]
async fn what_is_not_http_is_an_invalid_response() {
    assert_eq!(
        failure_of(Answer::Bytes(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec())).await,
        retried(AttemptError::InvalidResponse)
    );
    let endless_head =
        Answer::Endless(b"HTTP/1.1 200 OK\r\n", b"X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n");
    assert_eq!(failure_of(endless_head).await, retried(AttemptError::InvalidResponse));
}

#[tokio::test]
async fn tls_where_there_is_none_is_a_tls_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // What a plain web server says to a TLS greeting.
            let _ = stream.try_write(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let attempt = World::with_endpoint(&url).await.first_attempt().await;
    assert_eq!(attempt.error_code, Some(AttemptError::TlsError));
}

#[tokio::test]
async fn literal_ip_bypasses_resolver_but_not_the_guard() {
    let receiver = Receiver::start(vec![status(200)]).await;
    for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost"] {
        let url = format!("http://{host}:{}/", receiver.address.port());
        let world = World::with(&url, quick()).await;
        let attempt = world.first_attempt().await;
        assert_eq!(
            (attempt.error_code, attempt.status),
            (Some(AttemptError::BlockedAddress), AttemptStatus::DeadLettered),
            "{host}"
        );
        assert_eq!(world.inbox().await[0].reason, DeadLetterReason::BlockedAddress);
    }
    assert!(receiver.requests().is_empty(), "nothing was sent");
}

#[tokio::test]
async fn redirect_to_private_is_not_followed() {
    let target = Receiver::start(vec![status(200)]).await;
    let receiver = Receiver::start(vec![with_headers(302, &format!("Location: {}\r\n", target.url()))]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    let attempt = world.first_attempt().await;
    assert_eq!((attempt.status, attempt.response_status_code), (AttemptStatus::Retrying, Some(302)));
    assert!(target.requests().is_empty());
}

#[tokio::test]
async fn head_decides_and_an_endless_body_is_cut_and_marked() {
    let receiver = Receiver::start(vec![Answer::Endless(b"HTTP/1.1 200 OK\r\n\r\n", &[b'x'; 8_192])]).await;
    let attempt = World::with_endpoint(&receiver.url()).await.first_attempt().await;
    assert_eq!(attempt.status, AttemptStatus::Delivered);
    let payload = attempt.payload.unwrap();
    assert_eq!(payload.response_body.unwrap().len(), 4_096);
    assert!(payload.response_body_truncated);
}

#[tokio::test]
async fn a_body_of_exactly_4096_bytes_is_whole() {
    let body = "y".repeat(4_096);
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 4096\r\nConnection: close\r\n\r\n{body}");
    let receiver = Receiver::start(vec![Answer::Bytes(answer.into_bytes())]).await;
    let payload = World::with_endpoint(&receiver.url()).await.first_attempt().await.payload.unwrap();
    assert_eq!((payload.response_body.as_deref(), payload.response_body_truncated), (Some(body.as_str()), false));
}
