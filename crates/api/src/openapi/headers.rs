//! The headers of answers.

use axum::http::{Method, StatusCode};
use domain::ErrorCode;
use serde_json::{Map, Value, json};

use super::Document;
use crate::describe::Shape;
use crate::routes::Operation;

/// On every answer.
const ALWAYS: [&str; 6] = [
    "X-Request-ID",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "RateLimit",
    "RateLimit-Policy",
];
/// On what may be a replay.
const REPLAY: [&str; 2] = ["Idempotent-Replayed", "X-Replay-Request-ID"];
/// On lists read by offset.
const OFFSET: [&str; 4] = ["X-API-Notice", "Deprecation", "Sunset", "Link"];

/// Every header once, to be referred to.
pub(super) fn components(document: &Document<'_>) -> Value {
    let number = || json!({"type": "integer", "minimum": 0});
    let id = || json!({"type": "string", "pattern": "^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$"});
    let text = || json!({"type": "string"});
    let sunset = document.config.offset_sunset.to_rfc3339();
    let date = &sunset[..10];
    let list = [
        (
            "X-Request-ID",
            true,
            id(),
            "Our id of this request; of a replay, that of the first attempt.",
            json!("req_01KSQ4ZP7V8M3F6T2X9BCDEHJK"),
        ),
        ("X-RateLimit-Limit", true, number(), "Requests a minute.", json!(document.config.rate_limit)),
        ("X-RateLimit-Remaining", true, number(), "How many are left now. Slow down below 5.", json!(599)),
        (
            "X-RateLimit-Reset",
            true,
            number(),
            "When the next place becomes free, in Unix seconds.",
            json!(1_780_000_060),
        ),
        (
            "RateLimit",
            true,
            text(),
            "The same by the IETF draft: r is what remains, t the seconds until the next place.",
            json!("\"default\";r=599;t=60"),
        ),
        (
            "RateLimit-Policy",
            true,
            text(),
            "The quota by the IETF draft: q requests in w seconds.",
            json!("\"default\";q=600;w=60"),
        ),
        ("Retry-After", true, number(), "Seconds to wait before another try.", json!(5)),
        (
            "WWW-Authenticate",
            true,
            json!({"type": "string", "const": "Bearer"}),
            "How to authenticate.",
            json!("Bearer"),
        ),
        (
            "Location",
            true,
            json!({"type": "string", "format": "uri-reference"}),
            "Where what was created is found.",
            json!("/public/v1/contacts/con_01KSQ4ZP7V8M3F6T2X9BCDEHJK"),
        ),
        (
            "Idempotent-Replayed",
            false,
            json!({"type": "string", "const": "1"}),
            "This is the stored answer of the first attempt.",
            json!("1"),
        ),
        (
            "X-Replay-Request-ID",
            false,
            id(),
            "Our id of the request that got the replay.",
            json!("req_01KSQ4ZQ00000000000000000A"),
        ),
        (
            "X-API-Notice",
            false,
            text(),
            "What to migrate, and until when.",
            json!(format!("pagination=offset deprecated, migrate by {date}")),
        ),
        ("Deprecation", false, text(), "Since when the mode is deprecated (RFC 9745).", json!("@1779408000")),
        ("Sunset", false, text(), "When the mode ends (RFC 8594).", json!("Sun, 01 Nov 2026 00:00:00 GMT")),
        (
            "Link",
            false,
            text(),
            "Where the migration is described.",
            json!(format!("<{}/migration-1.0-1.1>; rel=\"deprecation\"; type=\"text/html\"", document.config.docs_url)),
        ),
    ];
    let by_offset = document.offset_until().is_some();
    let headers = list.into_iter().filter(|(name, ..)| by_offset || !OFFSET.contains(name));
    headers
        .map(|(name, required, schema, description, example)| {
            let header =
                json!({"required": required, "description": description, "schema": schema, "example": example});
            (name.to_owned(), header)
        })
        .collect::<Map<String, Value>>()
        .into()
}

/// Those of a success.
pub(super) fn of_success(document: &Document<'_>, operation: &Operation) -> Value {
    let mut names = ALWAYS.to_vec();
    if operation.changes() {
        names.extend(REPLAY);
    }
    if operation.method == Method::POST && operation.description.status == StatusCode::CREATED {
        names.push("Location");
    }
    if matches!(operation.description.answer, Shape::List(_)) && document.offset_until().is_some() {
        names.extend(OFFSET);
    }
    references(&names)
}

/// Those of an error with one of these codes.
pub(super) fn of_error(codes: &[ErrorCode]) -> Value {
    let mut names = ALWAYS.to_vec();
    if codes.iter().any(|code| is_stored(*code)) {
        names.extend(REPLAY);
    }
    if let [ErrorCode::Unauthorized] = codes {
        names.push("WWW-Authenticate");
    }
    let mut headers = references(&names);
    let waits = |code: &ErrorCode| {
        matches!(
            code,
            ErrorCode::IdempotencyKeyInProgress | ErrorCode::RateLimitExceeded | ErrorCode::ServiceUnavailable
        )
    };
    if codes.iter().all(waits) {
        headers["Retry-After"] = json!({"$ref": "#/components/headers/Retry-After"});
    } else if codes.iter().any(waits) {
        headers["Retry-After"] = json!({
            "description": "Seconds to wait before another try, with IDEMPOTENCY_KEY_IN_PROGRESS.",
            "schema": {"type": "integer", "minimum": 0},
        });
    }
    headers
}

/// Whether an operation's answer with this code is kept and replayed (contract section 5).
const fn is_stored(code: ErrorCode) -> bool {
    match code {
        ErrorCode::MalformedRequest
        | ErrorCode::ContactLimitExceeded
        | ErrorCode::ResourceNotFound
        | ErrorCode::ResourceConflict
        | ErrorCode::ValidationError => true,
        ErrorCode::IdempotencyKeyRequired
        | ErrorCode::InvalidCursor
        | ErrorCode::Unauthorized
        | ErrorCode::Forbidden
        | ErrorCode::MethodNotAllowed
        | ErrorCode::IdempotencyKeyReuseConflict
        | ErrorCode::IdempotencyKeyInProgress
        | ErrorCode::PayloadTooLarge
        | ErrorCode::RateLimitExceeded
        | ErrorCode::InternalError
        | ErrorCode::ServiceUnavailable => false,
    }
}

fn references(names: &[&str]) -> Value {
    let pairs = names.iter().map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")})));
    pairs.collect::<Map<String, Value>>().into()
}
