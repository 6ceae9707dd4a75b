//! The body of a contact, as the rules beside this file read it.

use serde_json::{Value, json};

use super::rules::{EMAIL, NAME, TAG, TAGS};

/// The fields of a new contact, or of a change: what may be null then differs.
pub(super) fn properties() -> Value {
    json!({
        "phone": {
            "type": "string",
            "pattern": "^\\+[1-9][0-9]{6,14}$",
            "description": "E.164, unique in the project.",
        },
        "name": {
            "type": "string",
            "minLength": 1,
            "maxLength": NAME,
            "pattern": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
            "description": "Not blank.",
        },
        "email": {
            "type": ["string", "null"],
            "maxLength": EMAIL,
            "pattern": "^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@.\\u0000-\\u001f\\u007f]+(\\.[^\\s@.\\u0000-\\u001f\\u007f]+)*$",
            "description": "In a change, null takes it away.",
        },
        "tags": {
            "type": ["array", "null"],
            "maxItems": TAGS,
            "items": {
                "type": "string",
                "minLength": 1,
                "maxLength": TAG,
                "pattern": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
            },
        },
        "attributes": {
            "type": ["object", "null"],
            "description": "Your own JSON, kept byte for byte; at most 64 levels deep.",
        },
    })
}

pub(super) fn example() -> Value {
    json!({"phone": "+79161234567", "name": "Anna", "email": "anna@example.com", "tags": ["vip"]})
}
