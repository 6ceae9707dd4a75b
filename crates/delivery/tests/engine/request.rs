//! What a receiver gets.

use domain::secret::WebhookSecret;
use domain::signature;
use domain::time::Timestamp;

use crate::harness::World;
use crate::receiver::{Receiver, status};

#[tokio::test]
async fn a_request_carries_both_families_of_headers_and_verifies() {
    let receiver = Receiver::start(vec![status(200)]).await;
    let world = World::with_endpoint(&receiver.url()).await;
    let attempt = world.first_attempt().await;
    let requests = receiver.requests();
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /hook?a=1 HTTP/1.1\r\n"), "{head}");
    let header = |name: &str| {
        head.lines().find_map(|line| {
            line.split_once(": ").filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.to_owned())
        })
    };
    let secret = WebhookSecret::parse(&world.secret).unwrap();
    assert_eq!(header("X-Botix-Signature").unwrap(), signature::botix(&secret, body.as_bytes()));
    let at = Timestamp::from_secs(header("webhook-timestamp").unwrap().parse().unwrap());
    assert_eq!(
        header("webhook-signature").unwrap(),
        signature::standard(&secret, attempt.event_id, at, body.as_bytes())
    );
    assert_eq!(header("webhook-id").unwrap(), attempt.event_id.to_string());
    assert_eq!(header("X-Botix-Request-Id").unwrap(), attempt.request_id.to_string());
    assert_eq!(header("X-Botix-Event").as_deref(), Some("contact.created"));
    assert_eq!(header("X-Delivery-Attempt").as_deref(), Some("1"));
    assert_eq!(header("User-Agent").as_deref(), Some("BOTIX-Webhooks/1.1"));
    assert_eq!(header("Content-Length").unwrap(), body.len().to_string());
    for absent in ["Accept-Encoding", "Transfer-Encoding", "X-Botix-Signature-Previous"] {
        assert_eq!(header(absent), None);
    }
    let sent: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(sent["id"], attempt.event_id.to_string());
    assert!(body.contains(r#""data":{"id":"con_1","n":1.10}"#), "{body}");
    let logged = attempt.payload.unwrap();
    assert_eq!(logged.request_body, body);
    assert_eq!(logged.request_headers.get("x-botix-signature"), header("X-Botix-Signature").as_deref());
}
