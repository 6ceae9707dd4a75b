//! The two families of webhook signatures (contract section 8): our own `X-Botix-Signature`, and
//! that of the Standard Webhooks specification.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::id::EventId;
use crate::secret::WebhookSecret;
use crate::time::Timestamp;

/// `X-Botix-Signature`: lower-case hex HMAC-SHA256 of the body. The key is the secret exactly as
/// shown, so that `openssl dgst -sha256 -hmac "$SECRET"` agrees.
pub fn botix(secret: &WebhookSecret, body: &[u8]) -> String {
    let digest = hmac(secret.expose().as_bytes(), &[body]);
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// One `v1,…` of `webhook-signature`: base64 HMAC-SHA256 of `id.timestamp.body`.
pub fn standard(secret: &WebhookSecret, event: EventId, at: Timestamp, body: &[u8]) -> String {
    let head = format!("{event}.{}.", at.as_secs());
    format!("v1,{}", STANDARD.encode(hmac(&secret.standard_key(), &[head.as_bytes(), body])))
}

/// `webhook-signature` while a rotation overlaps: the new secret's and the old one's, separated by
/// a space.
pub fn standard_all(secrets: &[&WebhookSecret], event: EventId, at: Timestamp, body: &[u8]) -> String {
    let each: Vec<String> = secrets.iter().map(|secret| standard(secret, event, at, body)).collect();
    each.join(" ")
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC-SHA256 accepts every key length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with: `printf '{"a":1}' | openssl dgst -sha256 -hmac 'whsec_AAAA'`
    #[test]
    fn our_own_signature_is_what_openssl_prints() {
        let secret = WebhookSecret::parse("whsec_AAAA").unwrap();
        assert_eq!(botix(&secret, br#"{"a":1}"#), "ef82e76eb8c0d1829a4d6f057bfad4f928ceb78989ad2cb6f02928fbf37ef9f5");
    }

    /// Made with openssl over `id.timestamp.body` and the decoded key (three zero bytes).
    #[test]
    fn the_standard_signature_covers_id_time_and_body() {
        let secret = WebhookSecret::parse("whsec_AAAA").unwrap();
        let event = "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        let signed = standard(&secret, event, Timestamp::from_secs(1_780_000_000), br#"{"a":1}"#);
        assert_eq!(signed, "v1,zQez2SpjWgu5gVTZ8+VdyprmQBrImRnshvJqeyFVCQQ=");
    }

    #[test]
    fn both_secrets_sign_during_a_rotation() {
        let (new, old) = (WebhookSecret::parse("whsec_AAAA").unwrap(), WebhookSecret::parse("whsec_BBBB").unwrap());
        let event = "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        let at = Timestamp::from_secs(1);
        let both = standard_all(&[&new, &old], event, at, b"x");
        assert_eq!(both, format!("{} {}", standard(&new, event, at, b"x"), standard(&old, event, at, b"x")));
    }
}
