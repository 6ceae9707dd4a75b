//! Working keys, derived from the one secret key, and encryption at rest.
//!
//! Each purpose has its own key (HKDF-SHA256, RFC 5869). What is encrypted carries its key's id, so
//! that a rotated secret key still opens what the previous one sealed.

use std::fmt;
use std::sync::Arc;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use domain::Entropy;
use domain::cursor::CursorSigner;
use domain::entropy::random_bytes;
use hkdf::Hkdf;
use sha2::Sha256;

/// The shortest accepted secret key, in bytes (contract section 10).
pub(crate) const MIN_SECRET_KEY: usize = 32;
const KEY_ID: usize = 4;
const NONCE: usize = 12;

/// The secret key is shorter than [`MIN_SECRET_KEY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 32 bytes or more")]
pub struct SecretKeyTooShort;

/// What was stored can't be opened with any key at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sealed with a key that is not configured, or damaged")]
pub struct CannotOpen;

/// The keys of this installation.
#[derive(Clone)]
pub struct Keyring(Arc<Keys>);

struct Keys {
    current: Master,
    previous: Option<Master>,
}

struct Master {
    cursor: [u8; 32],
    seal: [u8; 32],
    seal_id: [u8; KEY_ID],
}

impl Keyring {
    /// From `BOTIX_SECRET_KEY` and `BOTIX_SECRET_KEY_PREVIOUS`.
    ///
    /// # Errors
    /// When one of them is too short.
    pub fn derive(secret: &[u8], previous: Option<&[u8]>) -> Result<Self, SecretKeyTooShort> {
        let previous = previous.map(Master::derive).transpose()?;
        Ok(Self(Arc::new(Keys { current: Master::derive(secret)?, previous })))
    }

    /// The signer of cursors.
    pub fn cursor_signer(&self) -> CursorSigner {
        CursorSigner::new(self.0.current.cursor, self.0.previous.as_ref().map(|master| master.cursor))
    }

    /// Encrypts `plain` for storage; `context` (e.g. the row's id) must be the same to open it.
    pub fn seal(&self, plain: &[u8], context: &str, entropy: &dyn Entropy) -> Vec<u8> {
        let master = &self.0.current;
        let nonce: [u8; NONCE] = random_bytes(entropy);
        let payload = Payload { msg: plain, aad: context.as_bytes() };
        #[expect(clippy::expect_used, reason = "fails only beyond 256 GiB")]
        let sealed = master.cipher().encrypt(&Nonce::from(nonce), payload).expect("a payload of bounded size");
        [&master.seal_id[..], &nonce, &sealed].concat()
    }

    /// Whether the current key sealed this, not the previous one.
    pub(crate) fn is_current(&self, stored: &[u8]) -> bool {
        stored.starts_with(&self.0.current.seal_id)
    }

    /// Decrypts what [`Self::seal`] made.
    ///
    /// # Errors
    /// [`CannotOpen`].
    pub fn open(&self, stored: &[u8], context: &str) -> Result<Vec<u8>, CannotOpen> {
        let (id, rest) = stored.split_at_checked(KEY_ID).ok_or(CannotOpen)?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE>().ok_or(CannotOpen)?;
        let keys = std::iter::once(&self.0.current).chain(&self.0.previous);
        let master = keys.into_iter().find(|master| master.seal_id == id).ok_or(CannotOpen)?;
        let payload = Payload { msg: sealed, aad: context.as_bytes() };
        master.cipher().decrypt(&Nonce::from(*nonce), payload).map_err(|_| CannotOpen)
    }
}

impl Master {
    fn derive(secret: &[u8]) -> Result<Self, SecretKeyTooShort> {
        if secret.len() < MIN_SECRET_KEY {
            return Err(SecretKeyTooShort);
        }
        let hkdf = Hkdf::<Sha256>::new(None, secret);
        Ok(Self {
            cursor: expand(&hkdf, "botix/cursor"),
            seal: expand(&hkdf, "botix/seal"),
            seal_id: expand(&hkdf, "botix/seal-id"),
        })
    }

    fn cipher(&self) -> ChaCha20Poly1305 {
        ChaCha20Poly1305::new(&Key::from(self.seal))
    }
}

fn expand<const N: usize>(hkdf: &Hkdf<Sha256>, purpose: &str) -> [u8; N] {
    let mut key = [0; N];
    #[expect(clippy::expect_used, reason = "fails only beyond 255 hashes")]
    hkdf.expand(purpose.as_bytes(), &mut key).expect("a short key");
    key
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keyring")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Zeros;
    impl Entropy for Zeros {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }

    #[test]
    fn what_is_sealed_opens_only_with_its_key_and_context() {
        let old = Keyring::derive(&[1; 32], None).unwrap();
        let sealed = old.seal(b"whsec_x", "whe_1", &Zeros);
        assert!(!sealed.windows(7).any(|w| w == b"whsec_x"));
        assert_eq!(old.open(&sealed, "whe_1").unwrap(), b"whsec_x");
        assert_eq!(old.open(&sealed, "whe_2"), Err(CannotOpen));
        let rotated = Keyring::derive(&[2; 32], Some(&[1; 32])).unwrap();
        assert_eq!(rotated.open(&sealed, "whe_1").unwrap(), b"whsec_x");
        assert_eq!(Keyring::derive(&[2; 32], None).unwrap().open(&sealed, "whe_1"), Err(CannotOpen));
    }

    #[test]
    fn short_keys_are_refused() {
        assert!(Keyring::derive(&[1; 31], None).is_err());
    }
}
