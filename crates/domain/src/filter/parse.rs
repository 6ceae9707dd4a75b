//! Reading filters from a query, collecting every bad field.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::TimeRange;
use crate::time::Timestamp;

/// The fields that were refused, each with what is accepted: `details.fields` of a 422.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("one or more fields were refused")]
pub struct Rejected(pub BTreeMap<String, String>);

/// A query string's parameters, taken out one by one.
#[derive(Clone, Debug, Default)]
pub struct FilterReader {
    pairs: Vec<(String, String)>,
    rejected: BTreeMap<String, String>,
    asked: Option<Vec<Asked>>,
    strict: bool,
}

/// A parameter that a filter reads, for the API's document.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its name.
    pub name: String,
    /// Whether it takes several values.
    pub many: bool,
    /// What a value looks like.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl FilterReader {
    /// Of decoded name-value pairs.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { pairs: pairs.into_iter().collect(), rejected: BTreeMap::new(), asked: None, strict: false }
    }

    /// For programs: an empty value is refused, and so is a second one where one is taken. A script whose
    /// variable is empty must not get everything.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    /// Of nothing, noting what it is asked for: whoever reads a filter says so by reading it.
    pub fn noting() -> Self {
        Self { asked: Some(Vec::new()), ..Self::default() }
    }

    /// What was asked for since [`Self::noting`], in order.
    pub fn into_asked(self) -> Vec<Asked> {
        self.asked.unwrap_or_default()
    }

    fn note<T: JsonSchema>(&mut self, name: &str, many: bool) {
        let Some(asked) = &mut self.asked else { return };
        if asked.iter().all(|earlier| earlier.name != name) {
            asked.push(Asked { name: name.to_owned(), many, schema: |generator| generator.subschema_for::<T>() });
        }
    }

    /// Takes the last value under `name`; an empty one counts as absent, as an untouched form sends it.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let value = self.take_even_empty(name)?;
        if self.strict && value.is_empty() {
            self.reject(name, &"must not be empty");
        }
        Some(value).filter(|value| !value.is_empty())
    }

    /// Takes the last value under `name`, empty or not.
    pub fn take_even_empty(&mut self, name: &str) -> Option<String> {
        self.note::<String>(name, false);
        let mut found = Vec::new();
        self.pairs.retain(|(n, value)| {
            let hit = n == name;
            if hit {
                found.push(value.clone());
            }
            !hit
        });
        if self.strict && found.len() > 1 {
            self.reject(name, &"must be given once");
        }
        found.pop()
    }

    /// One parsed value.
    pub fn one<T: FromStr<Err: Display> + JsonSchema>(&mut self, name: &str) -> Option<T> {
        self.note::<T>(name, false);
        let text = self.take(name)?;
        self.parsed(name, &text)
    }

    /// `true` or `false`. (What the standard library says of anything else is for programmers.)
    pub fn flag(&mut self, name: &str) -> Option<bool> {
        self.note::<bool>(name, false);
        let flag = match self.take(name)?.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        if flag.is_none() {
            self.reject(name, &"must be true or false");
        }
        flag
    }

    /// Comma-separated (or repeated) values: sorted, each once.
    pub fn many<T: FromStr<Err: Display> + Ord + JsonSchema>(&mut self, name: &str) -> Vec<T> {
        self.note::<T>(name, true);
        let texts: Vec<String> = self.pairs.iter().filter(|(n, _)| n == name).map(|(_, v)| v.clone()).collect();
        self.pairs.retain(|(n, _)| n != name);
        let words = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|word| !word.is_empty());
        if self.strict && texts.iter().flat_map(|text| text.split(',')).any(|word| word.trim().is_empty()) {
            self.reject(name, &"must not be empty");
        }
        let mut values = Vec::new();
        for word in words {
            values.extend(self.parsed::<T>(name, word));
        }
        values.sort();
        values.dedup();
        values
    }

    /// `created_after` and `created_before`.
    pub fn time_range(&mut self) -> TimeRange {
        TimeRange { created_after: self.time("created_after"), created_before: self.time("created_before") }
    }

    fn time(&mut self, name: &str) -> Option<Timestamp> {
        self.note::<Timestamp>(name, false);
        let text = self.take(name)?;
        match Timestamp::parse(&text) {
            Ok(time) => Some(time),
            Err(error) => {
                self.reject(name, &error);
                None
            }
        }
    }

    /// Notes that `name` was refused.
    pub fn reject(&mut self, name: &str, reason: &dyn Display) {
        self.rejected.insert(name.to_owned(), reason.to_string());
    }

    /// `value`, unless something was refused.
    ///
    /// # Errors
    /// What was refused so far.
    pub fn finish<T>(&mut self, value: T) -> Result<T, Rejected> {
        if self.rejected.is_empty() { Ok(value) } else { Err(Rejected(std::mem::take(&mut self.rejected))) }
    }

    /// The names that nobody took.
    pub fn left_over(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(name, _)| name.as_str())
    }

    fn parsed<T: FromStr<Err: Display>>(&mut self, name: &str, text: &str) -> Option<T> {
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.reject(name, &error);
                None
            }
        }
    }
}

pub(super) fn put<T: Display>(pairs: &mut BTreeMap<&'static str, String>, name: &'static str, value: Option<&T>) {
    if let Some(value) = value {
        pairs.insert(name, value.to_string());
    }
}

pub(super) fn put_many<T: Display>(pairs: &mut BTreeMap<&'static str, String>, name: &'static str, values: &[T]) {
    if !values.is_empty() {
        let words: Vec<String> = values.iter().map(ToString::to_string).collect();
        pairs.insert(name, words.join(","));
    }
}

pub(super) fn put_range(pairs: &mut BTreeMap<&'static str, String>, range: &TimeRange) {
    // Microseconds, so that two ranges that differ have texts that differ.
    let precise = |t: &Timestamp| {
        chrono::DateTime::from_timestamp_micros(t.as_micros())
            .unwrap_or_default()
            .to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)
    };
    put(pairs, "created_after", range.created_after.as_ref().map(precise).as_ref());
    put(pairs, "created_before", range.created_before.as_ref().map(precise).as_ref());
}
