//! API keys (contract section 4): `btx_live_`, 160 random bits, and a checksum.
//!
//! The checksum lets a form or a secret scanner tell a key of ours from a typo without asking the
//! database. Only a hash is stored: 160 random bits need no slow hash, nobody can try them all.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::entropy::{Entropy, random_bytes};

/// What every key begins with.
pub const PREFIX: &str = "btx_live_";
/// 20 random bytes, five bits a character.
const SECRET_LEN: usize = 32;
/// The first 35 bits of the checksum.
const CHECKSUM_LEN: usize = 7;
/// How much of the secret the hint shows.
const HINT_LEN: usize = 4;
/// Crockford's base 32 in lower case: no letter that is mistaken for another.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A whole key. Shown once, when it is made; never stored, never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKeySecret(String);

/// What is stored of a key, and by which it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ApiKeyHash(pub [u8; 32]);

/// The text is no key: a wrong prefix, length, letter or checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not an API key")]
pub struct InvalidApiKey;

impl ApiKeySecret {
    /// A fresh key.
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let mut text = PREFIX.to_owned();
        push_base32(&mut text, &random_bytes::<20>(entropy), SECRET_LEN);
        let checksum = checksum(&text);
        push_base32(&mut text, &checksum, CHECKSUM_LEN);
        Self(text)
    }

    /// Reads a key that somebody presents.
    ///
    /// # Errors
    /// [`InvalidApiKey`] for everything that [`Self::generate`] can't have made.
    pub fn parse(text: &str) -> Result<Self, InvalidApiKey> {
        let body = text.strip_prefix(PREFIX).ok_or(InvalidApiKey)?;
        let fine = body.len() == SECRET_LEN + CHECKSUM_LEN && body.bytes().all(|b| ALPHABET.contains(&b));
        if !fine {
            return Err(InvalidApiKey);
        }
        let (signed, given) = text.split_at(PREFIX.len() + SECRET_LEN);
        let mut expected = String::with_capacity(CHECKSUM_LEN);
        push_base32(&mut expected, &checksum(signed), CHECKSUM_LEN);
        if expected == given { Ok(Self(text.to_owned())) } else { Err(InvalidApiKey) }
    }

    /// The key itself, to show it once.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is stored.
    pub fn hash(&self) -> ApiKeyHash {
        ApiKeyHash(Sha256::digest(self.0.as_bytes()).into())
    }

    /// The first characters, to recognise the key by in a list.
    pub fn hint(&self) -> &str {
        &self.0[..PREFIX.len() + HINT_LEN]
    }
}

impl fmt::Debug for ApiKeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKeySecret({}…)", self.hint())
    }
}

fn checksum(text: &str) -> [u8; 5] {
    let digest = Sha256::new().chain_update(b"api key checksum").chain_update(text.as_bytes()).finalize();
    [digest[0], digest[1], digest[2], digest[3], digest[4]]
}

/// Appends the first `len` characters of the base 32 form of `bytes`.
fn push_base32(text: &mut String, bytes: &[u8], len: usize) {
    for at in 0..len {
        let (byte, shift) = (at * 5 / 8, at * 5 % 8);
        let pair = u16::from_be_bytes([bytes[byte], bytes.get(byte + 1).copied().unwrap_or(0)]);
        let five_bits = (pair >> (11 - shift)) & 0x1f;
        text.push(char::from(ALPHABET[usize::from(five_bits)]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting(std::sync::atomic::AtomicU8);
    impl Entropy for Counting {
        fn fill(&self, buffer: &mut [u8]) {
            for byte in buffer {
                *byte = self.0.fetch_add(37, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }

    fn key() -> ApiKeySecret {
        ApiKeySecret::generate(&Counting(3.into()))
    }

    #[test]
    fn a_key_reads_back_as_itself_and_two_keys_differ() {
        let source = Counting(3.into());
        let (one, two) = (ApiKeySecret::generate(&source), ApiKeySecret::generate(&source));
        assert_ne!(one, two);
        assert_ne!(one.hash(), two.hash());
        assert_eq!(ApiKeySecret::parse(one.expose()), Ok(one.clone()));
        assert_eq!(one.expose().len(), PREFIX.len() + 39);
    }

    #[test]
    fn every_bit_of_the_randomness_is_in_the_key() {
        let mut seen = std::collections::HashSet::new();
        for bit in 0..160 {
            let mut bytes = [0_u8; 20];
            bytes[bit / 8] = 1 << (bit % 8);
            let mut text = String::new();
            push_base32(&mut text, &bytes, SECRET_LEN);
            assert!(seen.insert(text), "bit {bit}");
        }
    }

    #[test]
    fn each_changed_character_is_told_from_a_real_key() {
        let key = key();
        for at in 0..key.expose().len() {
            let mut changed = key.expose().as_bytes().to_vec();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            assert!(ApiKeySecret::parse(&String::from_utf8(changed).unwrap()).is_err(), "character {at}");
        }
        for junk in ["", PREFIX, "btx_test_x", &key.expose()[..30], &format!("{}0", key.expose()), "btx_live_ключ"]
        {
            assert!(ApiKeySecret::parse(junk).is_err(), "{junk}");
        }
    }

    #[test]
    fn the_log_never_sees_the_key() {
        let key = key();
        assert!(!format!("{key:?}").contains(&key.expose()[PREFIX.len() + HINT_LEN..]));
    }
}
