//! The `Idempotency-Key` header (contract section 5).

use std::fmt;

/// The header's name.
pub const HEADER: &str = "Idempotency-Key";
/// The longest key.
pub const MAX_LEN: usize = 255;

/// 1 to 255 visible ASCII characters. A structured-field string (`"k"`) and the bare `k` are the
/// same key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(String);

/// Why a header is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidIdempotencyKey {
    /// Nothing in it: as good as absent.
    #[error("must not be blank")]
    Blank,
    /// More than [`MAX_LEN`].
    #[error("must be at most 255 characters")]
    TooLong,
    /// Something else than visible ASCII.
    #[error("must be visible ASCII characters only")]
    NotVisibleAscii,
    /// Begins with a quote and is no structured-field string.
    #[error("must be a complete quoted string when it begins with a quote")]
    Unterminated,
}

impl IdempotencyKey {
    /// Reads the value of the header.
    ///
    /// # Errors
    /// [`InvalidIdempotencyKey`].
    pub fn parse(value: &[u8]) -> Result<Self, InvalidIdempotencyKey> {
        let value = value.trim_ascii();
        let key = match value.strip_prefix(b"\"") {
            Some(quoted) => unquote(quoted)?,
            None => value.to_vec(),
        };
        match key.len() {
            0 => Err(InvalidIdempotencyKey::Blank),
            1..=MAX_LEN if key.iter().all(u8::is_ascii_graphic) => {
                String::from_utf8(key).map(Self).map_err(|_| InvalidIdempotencyKey::NotVisibleAscii)
            }
            1..=MAX_LEN if key.iter().all(|b| *b == b' ') => Err(InvalidIdempotencyKey::Blank),
            1..=MAX_LEN => Err(InvalidIdempotencyKey::NotVisibleAscii),
            _ => Err(InvalidIdempotencyKey::TooLong),
        }
    }

    /// The key without quotes.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What stands between the quotes (RFC 9651, section 4.2.5).
fn unquote(quoted: &[u8]) -> Result<Vec<u8>, InvalidIdempotencyKey> {
    let mut key = Vec::with_capacity(quoted.len());
    let mut bytes = quoted.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                return if bytes.len() == 0 { Ok(key) } else { Err(InvalidIdempotencyKey::Unterminated) };
            }
            b'\\' => match bytes.next() {
                Some(escaped @ (b'"' | b'\\')) => key.push(escaped),
                _ => return Err(InvalidIdempotencyKey::Unterminated),
            },
            _ => key.push(byte),
        }
    }
    Err(InvalidIdempotencyKey::Unterminated)
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use InvalidIdempotencyKey::{Blank, NotVisibleAscii, TooLong, Unterminated};

    fn key(value: &str) -> Result<String, InvalidIdempotencyKey> {
        IdempotencyKey::parse(value.as_bytes()).map(|key| key.to_string())
    }

    #[test]
    fn a_quoted_and_a_bare_key_are_the_same() {
        assert_eq!(key("k-1"), Ok("k-1".into()));
        assert_eq!(key("\"k-1\""), Ok("k-1".into()));
        assert_eq!(key(r#""a\"b\\c""#), Ok(r#"a"b\c"#.into()));
        assert_eq!(key("a\"b"), Ok("a\"b".into()));
    }

    #[test]
    fn blank_keys_count_as_absent() {
        for blank in ["", "   ", "\"\"", "\"  \""] {
            assert_eq!(key(blank), Err(Blank), "{blank:?}");
        }
    }

    #[test]
    fn other_characters_and_lengths_are_refused() {
        assert_eq!(key(&"k".repeat(255)).map(|k| k.len()), Ok(255));
        assert_eq!(key(&"k".repeat(256)), Err(TooLong));
        assert_eq!(key(&format!("\"{}\"", "k".repeat(255))).map(|k| k.len()), Ok(255));
        for bad in ["a b", "ключ", "a\tb", "\"a b\"", "a\u{7f}"] {
            assert_eq!(key(bad), Err(NotVisibleAscii), "{bad:?}");
        }
        for bad in ["\"a", "\"a\"b", "\"a\\", "\"a\\n\"", "\""] {
            assert_eq!(key(bad), Err(Unterminated), "{bad:?}");
        }
    }
}
