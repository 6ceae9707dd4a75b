//! The 16 codes as schemas, and which of them an operation answers under which status.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use domain::ErrorCode;
use serde_json::{Map, Value, json};

use super::{CURSOR_REASONS, headers, operation};
use crate::routes::Operation;

/// The codes of an operation by their status.
pub(super) fn by_status(operation: &Operation) -> BTreeMap<u16, Vec<ErrorCode>> {
    let mut found: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for code in operation::codes(operation) {
        found.entry(code.status()).or_default().push(code);
    }
    if operation.changes() {
        // A wrong content type is malformed with a status of its own.
        found.insert(415, vec![ErrorCode::MalformedRequest]);
    }
    for codes in found.values_mut() {
        codes.sort_by_key(|code| ErrorCode::ALL.iter().position(|each| each == code));
        codes.dedup();
    }
    found
}

/// The response with one of these codes.
pub(super) fn response(status: u16, codes: &[ErrorCode]) -> Value {
    let refs: Vec<Value> = codes.iter().map(|code| json!({"$ref": reference(*code)})).collect();
    let schema = if let [one] = &refs[..] {
        one.clone()
    } else {
        let mapping: Map<String, Value> =
            codes.iter().map(|code| (code.as_str().to_owned(), reference(*code).into())).collect();
        json!({"oneOf": refs, "discriminator": {"propertyName": "code", "mapping": mapping}})
    };
    let words: Vec<String> = codes.iter().map(|code| format!("`{}`", code.as_str())).collect();
    let title = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Error");
    json!({
        "description": format!("{title}: {}", words.join(", ")),
        "headers": headers::of_error(codes),
        "content": {
            "application/json": {"schema": schema},
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}},
        },
    })
}

/// One schema for each code, and the form of RFC 9457.
pub(super) fn schemas(docs_url: &str) -> Map<String, Value> {
    let mut schemas = Map::new();
    for code in ErrorCode::ALL.iter().copied() {
        let schema = json!({
            "type": "object",
            "description": format!("See {docs_url}/error-codes#{}", code.as_str()),
            "required": ["code", "message", "details", "request_id"],
            "additionalProperties": false,
            "properties": {
                "code": {"type": "string", "const": code.as_str()},
                "message": {
                    "type": "string",
                    "description": "For people and logs; its words may change.",
                    "examples": ["What happened, in a sentence."],
                },
                "details": details(code),
                "request_id": request_id(),
            },
        });
        schemas.insert(name(code), schema);
    }
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    let problem = json!({
        "type": "object",
        "description": "An error as RFC 9457 has it, for those who accept application/problem+json.",
        "required": ["type", "title", "status", "detail", "code", "details", "request_id"],
        "additionalProperties": false,
        "properties": {
            "type": {
                "type": "string",
                "format": "uri-reference",
                "examples": [format!("{docs_url}/error-codes#RESOURCE_NOT_FOUND")],
            },
            "title": {"type": "string", "examples": ["Not Found"]},
            "status": {"type": "integer", "minimum": 400, "maximum": 599, "examples": [404]},
            "detail": {"type": "string", "examples": ["There is no such contact in this project."]},
            "code": {"type": "string", "enum": codes, "examples": ["RESOURCE_NOT_FOUND"]},
            "details": {
                "type": "object",
                "description": "As in the plain form.",
                "examples": [{"resource_type": "contact", "resource_id": "con_01KSQ4ZP7V8M3F6T2X9BCDEHJK"}],
            },
            "request_id": request_id(),
        },
    });
    schemas.insert("Problem".to_owned(), problem);
    schemas
}

fn request_id() -> Value {
    json!({
        "type": "string",
        "pattern": "^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$",
        "description": "The same as in X-Request-ID; quote it to support.",
        "examples": ["req_01KSQ4ZP7V8M3F6T2X9BCDEHJK"],
    })
}

/// What `details` holds.
fn details(code: ErrorCode) -> Value {
    let text = |example: &str| json!({"type": "string", "examples": [example]});
    let number = |example: u32| json!({"type": "integer", "minimum": 0, "examples": [example]});
    let properties = match code {
        ErrorCode::MalformedRequest => json!({"reason": text("unknown query parameter colour")}),
        ErrorCode::IdempotencyKeyRequired => json!({"header": {"type": "string", "const": "Idempotency-Key"}}),
        ErrorCode::InvalidCursor => {
            let reasons: Vec<String> = CURSOR_REASONS.iter().map(ToString::to_string).collect();
            json!({"reason": {"type": "string", "enum": reasons}})
        }
        ErrorCode::Unauthorized | ErrorCode::InternalError => json!({}),
        ErrorCode::Forbidden => json!({"required_scope": {"type": "string", "enum": ["read", "write"]}}),
        ErrorCode::ContactLimitExceeded => json!({"limit": number(1_000), "current": number(1_000)}),
        ErrorCode::ResourceNotFound => {
            json!({"resource_type": text("contact"), "resource_id": text("con_01KSQ4ZP7V8M3F6T2X9BCDEHJK")})
        }
        ErrorCode::MethodNotAllowed => {
            json!({"allowed": {"type": "array", "items": text("GET"), "examples": [["GET", "HEAD", "POST"]]}})
        }
        ErrorCode::ResourceConflict => json!({
            "resource_type": text("contact"),
            "field": text("phone"),
            "existing_id": {"type": ["string", "null"], "examples": ["con_01KSQ4ZP7V8M3F6T2X9BCDEHJK"]},
        }),
        ErrorCode::IdempotencyKeyReuseConflict => json!({
            "first_request_id": text("req_01KSQ4ZP7V8M3F6T2X9BCDEHJK"),
            "first_seen_at": {"type": "string", "format": "date-time"},
        }),
        ErrorCode::IdempotencyKeyInProgress | ErrorCode::ServiceUnavailable => {
            json!({"retry_after_seconds": number(5)})
        }
        ErrorCode::PayloadTooLarge => json!({"limit_bytes": number(1_048_576)}),
        ErrorCode::ValidationError => json!({
            "fields": {
                "type": "object",
                "description": "Every bad field with what it must be.",
                "additionalProperties": {"type": "string"},
                "minProperties": 1,
                "examples": [{"phone": "must start with +"}],
            },
        }),
        ErrorCode::RateLimitExceeded => json!({"retry_after_seconds": number(12), "limit": number(600)}),
    };
    let required: Vec<&String> = properties.as_object().map(|fields| fields.keys().collect()).unwrap_or_default();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

fn reference(code: ErrorCode) -> String {
    format!("#/components/schemas/{}", name(code))
}

/// `VALIDATION_ERROR` becomes `ValidationError`, `UNAUTHORIZED` `UnauthorizedError`.
fn name(code: ErrorCode) -> String {
    let words = code.as_str().split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        format!("{first}{}", rest.to_ascii_lowercase())
    });
    let name: String = words.collect();
    if name.ends_with("Error") { name } else { format!("{name}Error") }
}
