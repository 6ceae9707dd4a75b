//! Webhook signing secrets: `whsec_` and base64 of random bytes, as Standard Webhooks writes them.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::entropy::{Entropy, random_bytes};

const PREFIX: &str = "whsec_";

/// A signing secret. Printing it for debugging hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

/// The text is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be whsec_ followed by base64")]
pub struct InvalidSecret;

impl WebhookSecret {
    /// A fresh secret of 256 bits.
    pub fn generate(entropy: &dyn Entropy) -> Self {
        Self(format!("{PREFIX}{}", STANDARD.encode(random_bytes::<32>(entropy))))
    }

    /// Reads a stored or pasted secret.
    ///
    /// # Errors
    /// [`InvalidSecret`].
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        let body = text.strip_prefix(PREFIX).ok_or(InvalidSecret)?;
        STANDARD.decode(body).map_err(|_| InvalidSecret)?;
        Ok(Self(text.to_owned()))
    }

    /// The secret as it is shown to its owner: the key of `X-Botix-Signature`, prefix included.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The key of `webhook-signature`: what follows the prefix, decoded.
    pub fn standard_key(&self) -> Vec<u8> {
        // Checked when it was made.
        STANDARD.decode(&self.0[PREFIX.len()..]).unwrap_or_default()
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whsec_…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;
    impl Entropy for Sevens {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    #[test]
    fn a_secret_reads_back_and_is_never_printed() {
        let secret = WebhookSecret::generate(&Sevens);
        assert_eq!(WebhookSecret::parse(secret.expose()), Ok(secret.clone()));
        assert_eq!(secret.standard_key(), [7; 32]);
        assert_eq!(format!("{secret:?}"), "whsec_…");
        assert!(WebhookSecret::parse("whsec_!").is_err() && WebhookSecret::parse("BwcH").is_err());
    }
}
