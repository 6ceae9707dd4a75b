//! HTTP headers as they were sent or received.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Header lines in their order. On the wire one JSON object; lines of one name are joined by `, `
/// (RFC 9110, section 5.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(pub Vec<(String, String)>);

impl Headers {
    /// The first value under `name`, whatever its case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    fn joined(&self) -> Vec<(&str, String)> {
        let mut joined: Vec<(&str, String)> = Vec::with_capacity(self.0.len());
        for (name, value) in &self.0 {
            match joined.iter_mut().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
                Some((_, values)) => {
                    values.push_str(", ");
                    values.push_str(value);
                }
                None => joined.push((name, value.clone())),
            }
        }
        joined
    }
}

impl Serialize for Headers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let joined = self.joined();
        let mut map = serializer.serialize_map(Some(joined.len()))?;
        for (name, value) in joined {
            map.serialize_entry(name, &value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lines;
        impl<'de> Visitor<'de> for Lines {
            type Value = Headers;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of header names and values")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Headers, A::Error> {
                let mut lines = Vec::new();
                while let Some(line) = map.next_entry()? {
                    lines.push(line);
                }
                Ok(Headers(lines))
            }
        }
        deserializer.deserialize_map(Lines)
    }
}

#[cfg(test)]
mod tests {
    use super::Headers;

    #[test]
    fn lines_keep_their_order_and_repeated_names_are_joined() {
        let line = |n: &str, v: &str| (n.to_owned(), v.to_owned());
        let headers = Headers(vec![line("X-B", "1"), line("a", "2"), line("x-b", "3")]);
        assert_eq!(serde_json::to_string(&headers).unwrap(), r#"{"X-B":"1, 3","a":"2"}"#);
        assert_eq!(headers.get("x-B"), Some("1"));
    }
}
