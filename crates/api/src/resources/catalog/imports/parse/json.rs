//! `application/json`: one object whose `items` are read one by one.

use std::fmt;
use std::io::BufReader;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{Pieces, Sink};
use crate::body::not_an_object;
use crate::resources::catalog::imports::{Refusal, row};

/// More unknown fields than these are not named.
const MOST_UNKNOWN: usize = 20;

pub(super) fn parse(reader: Pieces, sink: &mut Sink) -> Result<(), Refusal> {
    let mut document = Document { sink, refusal: None, items: 0, inside: false, unknown: Vec::new() };
    let mut deserializer = serde_json::Deserializer::from_reader(BufReader::new(reader));
    let read = document.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    if let Some(refusal) = document.refusal {
        return Err(refusal);
    }
    match read {
        Ok(()) => {}
        Err(error) if error.is_io() => return Err(document.sink.too_large()),
        Err(error) if error.is_data() && document.inside => {
            return Err(Refusal::Invalid("items", "must be a list of objects".to_owned()));
        }
        Err(error) => return Err(Refusal::Malformed(not_an_object(&error))),
    }
    match document.items {
        _ if !document.unknown.is_empty() => Err(Refusal::Unknown(document.unknown)),
        0 => Err(Refusal::Invalid("items", "is required".to_owned())),
        1 => Ok(()),
        _ => Err(Refusal::Invalid("items", "must be given once".to_owned())),
    }
}

struct Document<'s> {
    sink: &'s mut Sink,
    /// Why reading was broken off.
    refusal: Option<Refusal>,
    /// How often `items` was met.
    items: u32,
    /// Whether what is being read is the value of `items`.
    inside: bool,
    unknown: Vec<String>,
}

impl<'de> DeserializeSeed<'de> for &mut Document<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            if name == "items" && self.items == 0 {
                self.inside = true;
                map.next_value_seed(Items(self))?;
                self.inside = false;
                self.items += 1;
                continue;
            }
            map.next_value::<IgnoredAny>()?;
            if name == "items" {
                self.items += 1;
            } else if self.unknown.len() < MOST_UNKNOWN {
                self.unknown.push(name);
            }
        }
        Ok(())
    }
}

struct Items<'d, 's>(&'d mut Document<'s>);

impl<'de> DeserializeSeed<'de> for Items<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        for place in 1.. {
            let Some(raw) = seq.next_element::<Box<RawValue>>()? else { break };
            let outcome = row::from_json(raw.get());
            if let Err(refusal) = self.0.sink.row(place, raw.get().len(), outcome) {
                self.0.refusal = Some(refusal);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}
