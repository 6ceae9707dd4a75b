//! Opaque, signed cursors (contract section 6).
//!
//! A cursor is URL-safe base64 of JSON that names its list, project and filters, the row it stands
//! behind, and an HMAC over all of it. Whoever holds one can continue that walk and no other.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::id::ProjectId;
use crate::time::Timestamp;

const VERSION: u8 = 1;
const MAX_TEXT: usize = 1024;

/// The place of a row in a list ordered by `(created_at, id)` descending. The id is kept as the 16
/// bytes of its ULID, which sort as its text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The row's `created_at`.
    pub created_at: Timestamp,
    /// The row's id without its prefix.
    pub ulid: ulid::Ulid,
}

/// What a cursor is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk<'a> {
    /// The list's name, e.g. `attempts`.
    pub list: &'a str,
    /// The project whose rows are walked.
    pub project: ProjectId,
    /// The filters in their canonical form: sorted, defaults left out.
    pub filters: &'a str,
}

/// Why a cursor was refused; the words of `details.reason`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCursor {
    /// Not base64 of the expected JSON.
    #[error("malformed")]
    Malformed,
    /// Nothing of ours signed it.
    #[error("signature")]
    Signature,
    /// Other filters than the walk began with.
    #[error("filters_changed")]
    FiltersChanged,
    /// Another list or another project.
    #[error("wrong_list")]
    WrongList,
    /// Signed by a key that has been retired.
    #[error("expired")]
    Expired,
}

/// Signs and reads cursors. The current key signs; the previous one still verifies.
#[derive(Clone)]
pub struct CursorSigner {
    current: Key,
    previous: Option<Key>,
}

#[derive(Clone)]
struct Key {
    id: String,
    bytes: [u8; 32],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Token {
    v: u8,
    k: String,
    l: String,
    p: ProjectId,
    f: String,
    t: i64,
    i: String,
    m: String,
}

impl CursorSigner {
    /// From keys derived for this purpose alone.
    pub fn new(current: [u8; 32], previous: Option<[u8; 32]>) -> Self {
        Self { current: Key::new(current), previous: previous.map(Key::new) }
    }

    /// The cursor that continues `walk` behind `position`.
    pub fn sign(&self, walk: Walk<'_>, position: Position) -> String {
        let mut token = Token {
            v: VERSION,
            k: self.current.id.clone(),
            l: walk.list.to_owned(),
            p: walk.project,
            f: filter_hash(walk.filters),
            t: position.created_at.as_micros(),
            i: position.ulid.to_string(),
            m: String::new(),
        };
        token.m = URL_SAFE_NO_PAD.encode(self.current.mac(&token).finalize().into_bytes());
        // A struct of strings and numbers always serialises.
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&token).unwrap_or_default())
    }

    /// The place that `text` continues behind.
    ///
    /// # Errors
    /// [`InvalidCursor`] when it is not a cursor of ours, or belongs to another walk.
    pub fn read(&self, text: &str, walk: Walk<'_>) -> Result<Position, InvalidCursor> {
        if text.len() > MAX_TEXT {
            return Err(InvalidCursor::Malformed);
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidCursor::Malformed)?;
        let token: Token = serde_json::from_slice(&bytes).map_err(|_| InvalidCursor::Malformed)?;
        let ulid = ulid::Ulid::from_string(&token.i).map_err(|_| InvalidCursor::Malformed)?;
        let mac = URL_SAFE_NO_PAD.decode(&token.m).map_err(|_| InvalidCursor::Malformed)?;
        if token.v != VERSION {
            return Err(InvalidCursor::Malformed);
        }
        let key = self.key(&token.k).ok_or(InvalidCursor::Expired)?;
        key.mac(&token).verify_slice(&mac).map_err(|_| InvalidCursor::Signature)?;
        if token.l != walk.list || token.p != walk.project {
            return Err(InvalidCursor::WrongList);
        }
        if token.f != filter_hash(walk.filters) {
            return Err(InvalidCursor::FiltersChanged);
        }
        Ok(Position { created_at: Timestamp::from_micros(token.t), ulid })
    }

    fn key(&self, id: &str) -> Option<&Key> {
        std::iter::once(&self.current).chain(&self.previous).find(|key| key.id == id)
    }
}

impl Key {
    fn new(bytes: [u8; 32]) -> Self {
        // The id only tells keys apart; it reveals nothing that helps to forge.
        let digest = Sha256::new().chain_update(b"cursor key id").chain_update(bytes).finalize();
        Self { id: URL_SAFE_NO_PAD.encode(&digest[..6]), bytes }
    }

    fn mac(&self, token: &Token) -> Hmac<Sha256> {
        // HMAC takes a key of any length, so this can't fail.
        #[expect(clippy::expect_used, reason = "HMAC-SHA256 accepts every key length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.bytes).expect("any length");
        let project = token.p.to_string();
        for field in [token.k.as_str(), &token.l, &project, &token.f, &token.i] {
            mac.update(&(field.len() as u64).to_be_bytes());
            mac.update(field.as_bytes());
        }
        mac.update(&[token.v]);
        mac.update(&token.t.to_be_bytes());
        mac
    }
}

fn filter_hash(filters: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(filters.as_bytes())[..12])
}

impl std::fmt::Debug for CursorSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CursorSigner")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(filters: &str) -> Walk<'_> {
        Walk { list: "attempts", project: "prj_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap(), filters }
    }

    fn place() -> Position {
        Position { created_at: Timestamp::from_micros(1_780_000_000_123_456), ulid: ulid::Ulid(42) }
    }

    #[test]
    fn a_cursor_continues_its_own_walk() {
        let signer = CursorSigner::new([1; 32], None);
        let cursor = signer.sign(walk("status=retrying"), place());
        assert_eq!(signer.read(&cursor, walk("status=retrying")), Ok(place()));
    }

    #[test]
    fn every_flipped_bit_is_refused() {
        let signer = CursorSigner::new([1; 32], None);
        let json = URL_SAFE_NO_PAD.decode(signer.sign(walk(""), place())).unwrap();
        for bit in 0..json.len() * 8 {
            let mut changed = json.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(signer.read(&URL_SAFE_NO_PAD.encode(changed), walk("")).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn every_changed_character_is_refused() {
        let signer = CursorSigner::new([1; 32], None);
        let cursor = signer.sign(walk(""), place());
        for at in 0..cursor.len() {
            let mut changed = cursor.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(signer.read(&changed, walk("")).is_err(), "character {at}");
        }
    }

    #[test]
    fn other_filters_lists_and_projects_are_refused_by_name() {
        let signer = CursorSigner::new([1; 32], None);
        let cursor = signer.sign(walk("status=retrying"), place());
        assert_eq!(signer.read(&cursor, walk("")), Err(InvalidCursor::FiltersChanged));
        let other_list = Walk { list: "events", ..walk("status=retrying") };
        assert_eq!(signer.read(&cursor, other_list), Err(InvalidCursor::WrongList));
        let other_project =
            Walk { project: "prj_01ARZ3NDEKTSV4RRFFQ69G5FAW".parse().unwrap(), ..walk("status=retrying") };
        assert_eq!(signer.read(&cursor, other_project), Err(InvalidCursor::WrongList));
    }

    #[test]
    fn a_rotated_key_still_verifies_and_a_retired_one_is_expired() {
        let old = CursorSigner::new([1; 32], None).sign(walk(""), place());
        assert_eq!(CursorSigner::new([2; 32], Some([1; 32])).read(&old, walk("")), Ok(place()));
        assert_eq!(CursorSigner::new([2; 32], None).read(&old, walk("")), Err(InvalidCursor::Expired));
    }

    #[test]
    fn junk_is_malformed() {
        let signer = CursorSigner::new([1; 32], None);
        let cursor = signer.sign(walk(""), place());
        for junk in ["", "x", "e30", "eyJ2IjoxfQ", &cursor[..cursor.len() - 4], &"A".repeat(5000)] {
            assert_eq!(signer.read(junk, walk("")), Err(InvalidCursor::Malformed), "{junk}");
        }
    }
}
