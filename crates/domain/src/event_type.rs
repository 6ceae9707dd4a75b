//! Event types and the patterns by which an endpoint subscribes to them (contract section 7).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The longest event type, in bytes.
pub const MAX_LEN: usize = 128;

/// A dotted lower-case name such as `payment.succeeded`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventType(String);

/// The text is no event type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a dotted lower-case name such as payment.succeeded")]
pub struct InvalidEventType;

impl EventType {
    /// What `webhook.test` is called: the type that only a test send makes.
    pub const TEST: &'static str = "webhook.test";

    /// What says that an endpoint was disabled, where endpoints may be disabled for failing.
    pub const ENDPOINT_DISABLED: &'static str = "webhook.endpoint.disabled";

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EventType {
    type Err = InvalidEventType;

    fn from_str(text: &str) -> Result<Self, InvalidEventType> {
        let segments = text.split('.').collect::<Vec<_>>();
        let fine = text.len() <= MAX_LEN && segments.len() >= 2 && segments.iter().all(|s| is_segment(s));
        if fine { Ok(Self(text.to_owned())) } else { Err(InvalidEventType) }
    }
}

fn is_segment(segment: &str) -> bool {
    segment.starts_with(|c: char| c.is_ascii_lowercase())
        && segment.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// What an endpoint subscribes to: one type, everything below a prefix, or everything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventPattern {
    /// `*`
    All,
    /// `contact.*`: every type that begins with `contact.`.
    Under(String),
    /// Exactly this type.
    Exact(EventType),
}

/// The text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an event type such as contact.created, a prefix such as contact.*, or *")]
pub struct InvalidPattern;

impl EventPattern {
    /// Whether an event of this type is wanted.
    pub fn matches(&self, event_type: &str) -> bool {
        match self {
            Self::All => true,
            Self::Under(prefix) => event_type.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.starts_with('.')),
            Self::Exact(wanted) => wanted.as_str() == event_type,
        }
    }
}

impl FromStr for EventPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        if text == "*" {
            return Ok(Self::All);
        }
        if text.len() > MAX_LEN {
            return Err(InvalidPattern);
        }
        if let Some(prefix) = text.strip_suffix(".*") {
            let fine = prefix.split('.').all(is_segment);
            return if fine { Ok(Self::Under(prefix.to_owned())) } else { Err(InvalidPattern) };
        }
        text.parse().map(Self::Exact).map_err(|_| InvalidPattern)
    }
}

impl fmt::Display for EventPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Under(prefix) => write!(f, "{prefix}.*"),
            Self::Exact(event_type) => f.write_str(event_type.as_str()),
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! as_text {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}
as_text!(EventType);
as_text!(EventPattern);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_dotted_lower_case() {
        for good in ["contact.created", "catalog.import.completed", "a1.b_2"] {
            assert!(good.parse::<EventType>().is_ok(), "{good}");
        }
        for bad in
            ["", "contact", "Contact.created", "contact..created", ".created", "contact.", "contact.*", "1a.b", "a.b\n"]
        {
            assert!(bad.parse::<EventType>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_prefix_matches_whole_segments_only() {
        let pattern: EventPattern = "contact.*".parse().unwrap();
        assert!(pattern.matches("contact.created") && pattern.matches("contact.tag.added"));
        assert!(!pattern.matches("contacts.created") && !pattern.matches("contact"));
        assert!("*".parse::<EventPattern>().unwrap().matches("anything.at.all"));
        assert!("con*".parse::<EventPattern>().is_err() && "*.created".parse::<EventPattern>().is_err());
    }
}
