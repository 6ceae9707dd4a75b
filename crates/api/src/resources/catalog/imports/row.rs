//! One row: what it may say, from JSON and from CSV.

use std::collections::BTreeMap;

use domain::model::RawJson;
use serde_json::value::RawValue;
use store::items::NewItem;

use crate::body::{DEEPEST, Pairs, depth, not_json};

/// The longest SKU, in characters.
pub(super) const SKU: usize = 128;
/// The longest name, in characters.
pub(super) const NAME: usize = 500;
/// The longest price, in digits and its point.
const PRICE: usize = 30;

type Attributes = BTreeMap<String, Box<RawValue>>;

/// From a JSON object. Fields that are no column become attributes.
pub(super) fn from_json(text: &str) -> Result<NewItem, String> {
    if !text.starts_with('{') {
        return Err("must be a JSON object".to_owned());
    }
    if depth(text) > DEEPEST {
        return Err(format!("must not nest deeper than {DEEPEST} levels"));
    }
    let Pairs(given) = serde_json::from_str(text).map_err(|error| not_json(&error))?;
    let mut fields = Attributes::new();
    for (name, value) in given {
        if fields.contains_key(&name) {
            return Err(format!("{} must be given once", name.escape_debug()));
        }
        fields.insert(name, value);
    }
    fields.retain(|_, value| value.get() != "null");
    let mut text = |name: &str| match fields.remove(name) {
        None => Ok(None),
        Some(raw) => serde_json::from_str::<String>(raw.get()).map(Some).map_err(|_| format!("{name} must be text")),
    };
    let (sku, name, currency) = (text("sku")?, text("name")?, text("currency")?);
    let price = fields.remove("price").map(|raw| match serde_json::from_str::<String>(raw.get()) {
        Ok(text) => text,
        Err(_) => raw.get().to_owned(),
    });
    let given = fields.remove("attributes");
    if given.as_ref().is_some_and(|raw| !raw.get().starts_with('{')) {
        return Err("attributes must be a JSON object".to_owned());
    }
    let attributes = match given {
        Some(given) if fields.is_empty() => RawJson::of(&given),
        Some(given) => {
            let mut all: Attributes = serde_json::from_str(given.get()).map_err(|error| error.to_string())?;
            all.extend(fields);
            RawJson::of(&all)
        }
        None => RawJson::of(&fields),
    };
    item(sku, name, price, currency, attributes.map_err(|error| error.to_string())?)
}

/// From the named fields of a CSV record; empty ones are left out.
pub(super) fn from_csv<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Result<NewItem, String> {
    let (mut sku, mut name, mut price, mut currency) = (None, None, None, None);
    let mut attributes = BTreeMap::new();
    for (column, value) in fields.filter(|(_, value)| !value.is_empty()) {
        match column {
            "sku" => sku = Some(value.trim().to_owned()),
            "name" => name = Some(value.to_owned()),
            "price" => price = Some(value.trim().to_owned()),
            "currency" => currency = Some(value.trim().to_owned()),
            other => drop(attributes.insert(other, value)),
        }
    }
    item(sku, name, price, currency, RawJson::of(&attributes).map_err(|error| error.to_string())?)
}

fn item(
    sku: Option<String>,
    name: Option<String>,
    price: Option<String>,
    currency: Option<String>,
    attributes: RawJson,
) -> Result<NewItem, String> {
    let sku = said("sku", sku, SKU)?.ok_or("sku is required")?;
    let name = said("name", name, NAME)?;
    let price = match price {
        Some(price) if is_decimal(&price) => Some(RawJson::parse(price).map_err(|error| error.to_string())?),
        Some(_) => return Err("price must be a decimal of 0 or more, such as 19.90".to_owned()),
        None => None,
    };
    let currency = match currency {
        Some(code) if code.len() == 3 && code.bytes().all(|b| b.is_ascii_alphabetic()) => {
            Some(code.to_ascii_uppercase())
        }
        Some(_) => return Err("currency must be three letters (ISO 4217)".to_owned()),
        None => None,
    };
    Ok(NewItem { sku, name, price, currency, attributes })
}

fn said(field: &str, text: Option<String>, most: usize) -> Result<Option<String>, String> {
    let Some(text) = text else { return Ok(None) };
    if text.trim().is_empty() {
        return Err(format!("{field} must not be empty"));
    }
    if text.contains('\0') {
        return Err(format!("{field} must not contain NUL (U+0000)"));
    }
    if text.chars().count() > most {
        return Err(format!("{field} must be at most {most} characters"));
    }
    Ok(Some(text))
}

/// Digits, with a point between them or none: what every database, language and ledger reads alike.
fn is_decimal(text: &str) -> bool {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.len() <= PRICE && digits(whole) && digits(rest) && (whole == "0" || !whole.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_keeps_its_digits_and_what_else_it_says() {
        let item = from_json(r#"{"sku":"A","price":19.90,"currency":"rub","size": [1.10],"name":null}"#).unwrap();
        assert_eq!((item.price.unwrap().as_str(), item.currency.as_deref()), ("19.90", Some("RUB")));
        assert_eq!((item.attributes.as_str(), item.name), (r#"{"size":[1.10]}"#, None));
        let both = from_json(r#"{"sku":"A","attributes":{"b":1},"a":2,"price":"7"}"#).unwrap();
        assert_eq!((both.attributes.as_str(), both.price.unwrap().as_str()), (r#"{"a":2,"b":1}"#, "7"));
        let item = from_csv([("sku", " A "), ("price", "5"), ("colour", "red"), ("size", "")].into_iter()).unwrap();
        assert_eq!((item.sku.as_str(), item.attributes.as_str()), ("A", r#"{"colour":"red"}"#));
    }

    #[test]
    fn a_bad_row_says_what_is_wrong_with_it() {
        for (row, why) in [
            ("[]", "JSON object"),
            ("{\"sku\":", "breaks off before its JSON ends, at line 1 column 7"),
            ("{\"sku\":\"A\",}", "is not valid JSON: trailing comma"),
            ("{}", "sku is required"),
            (r#"{"sku":"A","sku":"B"}"#, "sku must be given once"),
            (r#"{"sku":"A","size":1,"size":null}"#, "size must be given once"),
            (r#"{"sku":7}"#, "sku must be text"),
            (r#"{"sku":" "}"#, "sku must not be empty"),
            (r#"{"sku":"a\u0000"}"#, "NUL"),
            (r#"{"sku":"A","price":-1}"#, "price"),
            (r#"{"sku":"A","price":1e3}"#, "price"),
            (r#"{"sku":"A","price":"01"}"#, "price"),
            (r#"{"sku":"A","price":[]}"#, "price"),
            (r#"{"sku":"A","currency":"roubles"}"#, "currency"),
            (r#"{"sku":"A","attributes":[]}"#, "attributes"),
        ] {
            assert!(from_json(row).unwrap_err().contains(why), "{row}: {:?}", from_json(row).unwrap_err());
        }
        assert!(from_json(&format!("{{\"sku\":\"{}\"}}", "я".repeat(SKU + 1))).is_err());
        assert!(from_json(&format!("{{\"sku\":\"{}\"}}", "я".repeat(SKU))).is_ok());
    }
}
