//! An HTTP status or a whole class of them.

use std::fmt;
use std::str::FromStr;

/// `503`, or `5xx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatusCodeFilter {
    /// Exactly this status.
    Exact(u16),
    /// Every status of this hundred, 1 to 5.
    Class(u16),
}

impl StatusCodeFilter {
    /// The lowest and the highest status that match.
    pub const fn bounds(self) -> (u16, u16) {
        match self {
            Self::Exact(status) => (status, status),
            Self::Class(class) => (class * 100, class * 100 + 99),
        }
    }
}

/// The text is neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an HTTP status such as 503, or a class such as 5xx")]
pub struct InvalidStatusCode;

impl FromStr for StatusCodeFilter {
    type Err = InvalidStatusCode;

    fn from_str(text: &str) -> Result<Self, InvalidStatusCode> {
        match text.as_bytes() {
            [class @ b'1'..=b'5', b'x' | b'X', b'x' | b'X'] => Ok(Self::Class(u16::from(class - b'0'))),
            [b'1'..=b'9', b'0'..=b'9', b'0'..=b'9'] => text.parse().map(Self::Exact).map_err(|_| InvalidStatusCode),
            _ => Err(InvalidStatusCode),
        }
    }
}

impl fmt::Display for StatusCodeFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(status) => write!(f, "{status}"),
            Self::Class(class) => write!(f, "{class}xx"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_and_classes_are_read_and_nothing_else() {
        assert_eq!("5xx".parse::<StatusCodeFilter>().unwrap().bounds(), (500, 599));
        assert_eq!("503".parse::<StatusCodeFilter>().unwrap().bounds(), (503, 503));
        for bad in ["", "6xx", "5x", "50", "5000", "abc", "+50", "5xy"] {
            assert!(bad.parse::<StatusCodeFilter>().is_err(), "{bad}");
        }
    }
}
