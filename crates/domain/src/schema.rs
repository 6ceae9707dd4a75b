//! How the vocabulary looks as JSON Schema, for the OpenAPI document (contract section 1).
//!
//! Objects derive theirs; the types here have a spelling of their own on the wire. All of them are
//! written where they are used: a document full of references to one-line types helps nobody.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::event_type::{EventPattern, EventType, MAX_LEN};
use crate::filter::StatusCodeFilter;
use crate::model::{Headers, RawJson};
use crate::time::Timestamp;

/// Where [`crate::id`] and [`crate::status`] say how one of their types looks.
macro_rules! inline_schema {
    ($name:ty, $schema:expr) => {
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}
pub(crate) use inline_schema;

/// A ULID behind `prefix`: 26 characters of Crockford's base 32, the first of which is 0 to 7.
pub(crate) fn id(prefix: &str) -> Schema {
    json_schema!({
        "type": "string",
        "pattern": format!("^{prefix}[0-7][0-9A-HJKMNP-TV-Z]{{25}}$"),
        "examples": [format!("{prefix}01KSQ4ZP7V8M3F6T2X9BCDEHJK")],
    })
}

/// One of a closed set.
pub(crate) fn words(words: &[&str]) -> Schema {
    json_schema!({"type": "string", "enum": words})
}

inline_schema!(
    Timestamp,
    json_schema!({"type": "string", "format": "date-time", "examples": ["2026-05-22T14:37:00.123Z"]})
);
inline_schema!(
    EventType,
    json_schema!({
        "type": "string",
        "pattern": r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$",
        "maxLength": MAX_LEN,
        "examples": ["payment.succeeded"],
    })
);
inline_schema!(
    EventPattern,
    json_schema!({
        "type": "string",
        "pattern": r"^(\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*\.\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+)$",
        "maxLength": MAX_LEN,
        "examples": ["contact.*"],
    })
);
inline_schema!(
    StatusCodeFilter,
    json_schema!({"type": "string", "pattern": "^([1-9][0-9]{2}|[1-5][xX]{2})$", "examples": ["5xx"]})
);
inline_schema!(RawJson, json_schema!({"type": "object", "examples": [{"source": "landing"}]}));

/// JSON of the project's own that is a name or an object.
pub(crate) fn text_or_object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "object"], "examples": ["contact.created"]})
}

/// A number that is kept digit for digit.
pub(crate) fn number_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["number", "null"], "examples": [19.9]})
}

impl JsonSchema for Headers {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Headers".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": {"type": "string"},
            "examples": [{"Content-Type": "application/json"}],
        })
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;

    use crate::model::{Attempt, Contact, RequestWithTrace};

    fn schema<T: JsonSchema>() -> serde_json::Value {
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().into()
    }

    #[test]
    fn what_is_always_there_is_required_and_what_may_be_null_says_so() {
        let contact = schema::<Contact>();
        assert_eq!(contact["required"].as_array().map(Vec::len), Some(8), "{contact}");
        assert_eq!(contact["properties"]["email"]["type"], serde_json::json!(["string", "null"]));
        assert_eq!(contact["properties"]["created_at"]["format"], "date-time");
    }

    #[test]
    fn what_is_there_only_when_asked_for_is_not_required() {
        let attempt = schema::<Attempt>();
        assert!(attempt["properties"]["request_body"].is_object(), "{attempt}");
        assert!(!attempt["required"].to_string().contains("request_body"));
        let request = schema::<RequestWithTrace>();
        assert_eq!(request["required"], serde_json::json!(["trace"]));
    }
}
