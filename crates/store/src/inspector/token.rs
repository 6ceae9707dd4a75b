//! The secret part of a bin's address.

use std::fmt;
use std::sync::Arc;

use domain::Entropy;
use domain::entropy::random_bytes;
use domain::id::BinId;
use sha2::{Digest as _, Sha256};

use crate::keys::Keyring;

/// 160 random bits: nobody can try them all, and a fast hash hides them.
const BYTES: usize = 20;

/// A token, in lower-case hexadecimal digits. Printing it for debugging hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct BinToken(String);

impl BinToken {
    /// A fresh one.
    pub(super) fn generate(entropy: &dyn Entropy) -> Self {
        let digits = random_bytes::<BYTES>(entropy).iter().flat_map(|byte| [byte >> 4, byte & 15]).collect::<Vec<_>>();
        Self(digits.into_iter().filter_map(|digit| char::from_digit(digit.into(), 16)).collect())
    }

    /// Reads a part of a path; `None` when it can't be a token.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        (text.len() == BYTES * 2 && digits).then(|| Self(text.to_owned()))
    }

    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    pub(super) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }
}

impl fmt::Debug for BinToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BinToken")
    }
}

/// What turns a sealed token into the address that its owner sees.
#[derive(Clone, Debug)]
pub struct Addresses {
    keys: Keyring,
    inspector_url: Arc<str>,
}

impl Addresses {
    /// For the inspector at this absolute URL (`BOTIX_INSPECTOR_URL`), without a slash at the end.
    pub fn new(keys: &Keyring, inspector_url: &str) -> Self {
        Self { keys: keys.clone(), inspector_url: inspector_url.into() }
    }

    /// The address with this token.
    pub(super) fn of(&self, token: &BinToken) -> String {
        format!("{}/inspect/{}", self.inspector_url, token.expose())
    }

    /// The address of a stored bin. One whose key was taken away too early has lost its own, and no
    /// other bin's.
    pub(super) fn open(&self, bin: BinId, sealed: &[u8]) -> String {
        let opened = self.keys.open(sealed, &bin.to_string()).ok();
        let token = opened.and_then(|plain| BinToken::parse(&String::from_utf8_lossy(&plain)));
        token.map_or_else(
            || {
                tracing::error!(%bin, "the address of a bin can't be opened");
                String::new()
            },
            |token| self.of(&token),
        )
    }
}
