//! A JSON object taken apart field by field, collecting everything that is wrong with it.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use domain::model::RawJson;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::wording::{BYTE_ORDER_MARK, not_an_object};
use crate::error::ApiError;

/// How deep JSON that is kept as it came may nest: what every parser behind us can follow.
pub(crate) const DEEPEST: usize = 64;
/// More fields than any body of ours has: each one that is unknown is named.
const MOST: usize = 500;

/// The fields of a body that have not been taken yet, and those that were refused.
#[derive(Default)]
pub(crate) struct Fields {
    given: Vec<(String, Box<RawValue>)>,
    refused: BTreeMap<String, String>,
    /// There was no body at all. Who asks for fields is told which are missing; where none is needed, a body that
    /// got lost must not be taken for a wish that says nothing.
    is_missing: bool,
}

impl Fields {
    /// Reads a body that must be one JSON object.
    pub(crate) fn parse(body: &[u8]) -> Result<Self, ApiError> {
        let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
        if body.is_empty() {
            return Ok(Self { is_missing: true, ..Self::default() });
        }
        let read = serde_json::from_slice(body);
        let Pairs(given) = read.map_err(|error| ApiError::malformed(not_an_object(&error)))?;
        if given.len() > MOST {
            return Err(ApiError::malformed(format!("more than {MOST} fields")));
        }
        let mut refused = BTreeMap::new();
        for (at, (name, _)) in given.iter().enumerate() {
            if given[..at].iter().any(|(earlier, _)| earlier == name) {
                refused.insert(name.clone(), "must be given once".to_owned());
            }
        }
        Ok(Self { given, refused, is_missing: false })
    }

    /// Whether the body says something about a field, be it null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| given == name)
    }

    /// A field of any JSON type; null is as good as absent.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, name: &str, expected: &str) -> Option<T> {
        let raw = self.take_raw(name)?;
        let value = serde_json::from_str(raw.get()).ok();
        if value.is_none() {
            self.refuse(name, expected);
        }
        value
    }

    /// A text without NUL.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        let text = self.take::<String>(name, "must be text")?;
        self.without_nul(name, text)
    }

    /// A text that `check` accepts.
    pub(crate) fn checked<T, E: Display>(
        &mut self,
        name: &str,
        check: impl FnOnce(String) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.text(name)?;
        match check(text) {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(name, error);
                None
            }
        }
    }

    /// A JSON object, kept byte for byte.
    pub(crate) fn object(&mut self, name: &str) -> Option<RawJson> {
        let raw = self.take_raw(name)?;
        self.as_object(name, &raw)
    }

    /// A list of JSON objects, each kept byte for byte.
    pub(crate) fn objects(&mut self, name: &str, most: usize) -> Option<Vec<RawJson>> {
        let raws: Vec<Box<RawValue>> = self.take(name, "must be a list of JSON objects")?;
        if raws.len() > most {
            self.refuse(name, format_args!("must be at most {most}"));
            return None;
        }
        raws.iter().map(|raw| self.as_object(name, raw)).collect()
    }

    /// A text that `check` accepts, or a JSON object; either is kept byte for byte.
    pub(crate) fn text_or_object(
        &mut self,
        name: &str,
        check: impl FnOnce(String) -> Result<String, String>,
    ) -> Option<RawJson> {
        let raw = self.take_raw(name)?;
        let Ok(text) = serde_json::from_str::<String>(raw.get()) else { return self.as_object(name, &raw) };
        let text = self.without_nul(name, text)?;
        if let Err(reason) = check(text) {
            self.refuse(name, reason);
            return None;
        }
        RawJson::of(&raw).ok()
    }

    fn as_object(&mut self, name: &str, raw: &RawValue) -> Option<RawJson> {
        if !raw.get().starts_with('{') {
            self.refuse(name, "must be a JSON object");
            return None;
        }
        if depth(raw.get()) > DEEPEST {
            self.refuse(name, format_args!("must not nest deeper than {DEEPEST} levels"));
            return None;
        }
        RawJson::of(&raw).ok()
    }

    /// Says that a field must be there, unless something else is wrong with it.
    pub(crate) fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && !self.refused.contains_key(name) {
            self.refuse(name, "is required");
        }
        value
    }

    pub(crate) fn refuse(&mut self, name: &str, reason: impl Display) {
        self.refused.entry(name.to_owned()).or_insert_with(|| reason.to_string());
    }

    /// `value`, which is there unless something was refused; fields that nobody took are unknown.
    pub(crate) fn finish<T>(mut self, value: Option<T>) -> Result<T, ApiError> {
        for (name, _) in std::mem::take(&mut self.given) {
            self.refuse(&name, "is not a known field");
        }
        match value {
            Some(_) if self.refused.is_empty() && self.is_missing => {
                Err(ApiError::malformed("the body is empty; it must be a JSON object"))
            }
            Some(value) if self.refused.is_empty() => Ok(value),
            _ => Err(ApiError::Validation(self.refused)),
        }
    }

    fn without_nul(&mut self, name: &str, text: String) -> Option<String> {
        if text.contains('\0') {
            self.refuse(name, "must not contain NUL (U+0000)");
            return None;
        }
        Some(text)
    }

    fn take_raw(&mut self, name: &str) -> Option<Box<RawValue>> {
        let at = self.given.iter().position(|(given, _)| given == name)?;
        let (_, raw) = self.given.remove(at);
        self.given.retain(|(given, _)| given != name);
        (raw.get() != "null").then_some(raw)
    }
}

/// How deep JSON that is known to be well-formed nests.
pub(crate) fn depth(json: &str) -> usize {
    let (mut now, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                now += 1;
                deepest = deepest.max(now);
            }
            b'}' | b']' if !in_text => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// An object's pairs in their order, repeated names included.
pub(crate) struct Pairs(pub(crate) Vec<(String, Box<RawValue>)>);

impl<'de> serde::Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(error: ApiError) -> Vec<(String, String)> {
        match error {
            ApiError::Validation(fields) => fields.into_iter().collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let mut fields =
            Fields::parse(br#"{"a": 1, "b": "x\u0000", "d": null, "zz": [], "e": "1", "e": "2"}"#).unwrap();
        let a = fields.text("a");
        let b = fields.text("b");
        let c: Option<String> = None;
        let c = fields.require("c", c);
        let d = fields.text("d");
        let d = fields.require("d", d);
        fields.text("e");
        let all = a.zip(b).zip(c).zip(d);
        let wrong = refused(fields.finish(all).unwrap_err());
        let expected = [
            ("a", "must be text"),
            ("b", "must not contain NUL (U+0000)"),
            ("c", "is required"),
            ("d", "is required"),
            ("e", "must be given once"),
            ("zz", "is not a known field"),
        ];
        assert_eq!(wrong, expected.map(|(name, why)| (name.to_owned(), why.to_owned())));
    }

    #[test]
    fn bad_json_is_located() {
        let Err(ApiError::Malformed { reason }) = Fields::parse(b"{\n  \"a\": nope}").map(|_| ()) else { panic!() };
        assert!(reason.contains("line 2 column"), "{reason}");
        for bad in [&b"[]"[..], b"1", b"\"x\"", b"null", b"{} {}", b"{\"a\":\"\xff\"}"] {
            assert!(matches!(Fields::parse(bad), Err(ApiError::Malformed { .. })), "{bad:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_says_nothing() {
        assert_eq!(Fields::parse(b"\xef\xbb\xbf{\"a\": \"b\"}").unwrap().text("a").as_deref(), Some("b"));
        assert!(Fields::parse(b"\xef\xbb{}").is_err());
    }

    #[test]
    fn objects_are_kept_byte_for_byte() {
        let body = r#"{"data": {"b" : 1.10,  "a": 12345678901234567890123, "t": "]}\"{["}}"#;
        let data = Fields::parse(body.as_bytes()).unwrap().object("data").unwrap();
        assert_eq!(data.as_str(), r#"{"b" : 1.10,  "a": 12345678901234567890123, "t": "]}\"{["}"#);
        assert_eq!(depth(data.as_str()), 1);
    }

    #[test]
    fn what_nests_too_deep_is_refused() {
        let nested = |n: usize| format!("{{\"data\":{}{}}}", "{\"a\":".repeat(n - 1) + "{", "}".repeat(n));
        assert!(Fields::parse(nested(DEEPEST).as_bytes()).unwrap().object("data").is_some());
        assert!(Fields::parse(nested(DEEPEST + 1).as_bytes()).unwrap().object("data").is_none());
    }
}
