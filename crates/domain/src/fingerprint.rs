//! What makes two requests the same request (contract section 5).

use std::fmt;

use sha2::{Digest as _, Sha256};

/// SHA-256 over method, path, query and the raw body bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// Of a request. Each part goes in with its length, so that no two requests can be cut
    /// differently into the same bytes.
    pub fn of(method: &str, path: &str, query: Option<&str>, body: &[u8]) -> Self {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        part(method.as_bytes());
        part(path.as_bytes());
        part(query.unwrap_or_default().as_bytes());
        part(body);
        Self(hash.finalize().into())
    }

    /// Of a request whose body is too large to be held: it is added piece by piece.
    pub fn streamed(method: &str, path: &str, query: Option<&str>) -> StreamedFingerprint {
        // The body comes last and needs no length: where it begins is known.
        let Self(head) = Self::of(method, path, query, b"");
        StreamedFingerprint(Sha256::new_with_prefix(head))
    }

    /// From the 32 stored bytes.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

/// A fingerprint in the making.
#[derive(Clone, Debug)]
pub struct StreamedFingerprint(Sha256);

impl StreamedFingerprint {
    /// Adds the next piece of the body; where it is cut makes no difference.
    pub fn add(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The fingerprint of all that was added.
    pub fn finish(self) -> Fingerprint {
        Fingerprint(self.0.finalize().into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;

    #[test]
    fn every_part_counts_and_none_runs_into_the_next() {
        let base = Fingerprint::of("POST", "/a", Some("q=1"), b"{}");
        assert_eq!(base, Fingerprint::of("POST", "/a", Some("q=1"), b"{}"));
        for other in [
            Fingerprint::of("PATCH", "/a", Some("q=1"), b"{}"),
            Fingerprint::of("POST", "/aq", Some("=1"), b"{}"),
            Fingerprint::of("POST", "/a", Some("q=1{"), b"}"),
            Fingerprint::of("POST", "/a", None, b"q=1{}"),
            Fingerprint::of("POST", "/a", Some("q=1"), b"{ }"),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn it_is_shown_in_lower_case_hex() {
        assert_eq!(Fingerprint([0xab; 32]).to_string(), "ab".repeat(32));
    }
}
