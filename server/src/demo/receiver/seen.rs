//! A request as the receiver remembers it.

use axum::http::HeaderMap;
use domain::Timestamp;
use domain::secret::WebhookSecret;
use domain::signature;

/// How many are remembered.
pub(super) const KEPT: usize = 10;

/// One request.
pub(super) struct Seen {
    pub(super) at: Timestamp,
    pub(super) event_type: String,
    pub(super) event_id: String,
    pub(super) attempt: String,
    /// Both signatures are the secret's.
    pub(super) verified: bool,
    /// How it was answered.
    pub(super) answer: &'static str,
}

impl Seen {
    pub(super) fn of(headers: &HeaderMap, body: &[u8], secret: &str, answer: &'static str, at: Timestamp) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        Self {
            at,
            event_type: text("x-botix-event"),
            event_id: text("webhook-id"),
            attempt: text("x-delivery-attempt"),
            verified: verify(&text, body, secret).unwrap_or(false),
            answer,
        }
    }
}

/// What a receiver should do with every webhook before it believes it.
fn verify(header: &impl Fn(&str) -> String, body: &[u8], secret: &str) -> Option<bool> {
    let secret = WebhookSecret::parse(secret).ok()?;
    let event = header("webhook-id").parse().ok()?;
    let sent_at = Timestamp::from_secs(header("webhook-timestamp").parse().ok()?);
    let standard = signature::standard(&secret, event, sent_at, body);
    let ours = signature::botix(&secret, body) == header("x-botix-signature");
    Some(ours && header("webhook-signature").split(' ').any(|each| each == standard))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_body_that_was_signed_is_verified() {
        let secret = WebhookSecret::parse("whsec_AAAA").unwrap();
        let event = "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        let at = Timestamp::from_secs(1_780_000_000);
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("webhook-id", "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned()),
            ("webhook-timestamp", at.as_secs().to_string()),
            ("webhook-signature", format!("v1,old {}", signature::standard(&secret, event, at, b"{}"))),
            ("x-botix-signature", signature::botix(&secret, b"{}")),
        ] {
            headers.insert(axum::http::HeaderName::from_static(name), value.parse().unwrap());
        }
        assert!(Seen::of(&headers, b"{}", "whsec_AAAA", "200", at).verified);
        assert!(!Seen::of(&headers, b"{ }", "whsec_AAAA", "200", at).verified);
        assert!(!Seen::of(&headers, b"{}", "whsec_BBBB", "200", at).verified);
        assert!(!Seen::of(&HeaderMap::new(), b"{}", "whsec_AAAA", "200", at).verified);
    }
}
