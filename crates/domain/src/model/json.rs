//! JSON kept as the text it came in.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// JSON text that is passed on byte for byte: never parsed and written again, so that big numbers,
/// key order and spacing survive (a signature depends on them).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// From JSON text.
    ///
    /// # Errors
    /// The parser's, when the text is not one JSON value.
    pub fn parse(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self)
    }

    /// From a value that serialises to JSON.
    ///
    /// # Errors
    /// The serialiser's.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Self)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for RawJson {}
