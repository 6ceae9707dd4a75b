//! The OpenAPI 3.1 document at `/public/v1/openapi.json` (contract section 1), made from the routes.
//!
//! Objects come from the types that are serialised, parameters from the filters that read them,
//! statuses and codes from the order of the steps every operation goes through. What can't be read
//! off the code stands beside each handler, in its [`Description`](crate::describe::Description).

mod errors;
mod examples;
mod headers;
mod links;
mod names;
mod operation;
mod parameters;
mod served;
mod tags;

use domain::Timestamp;
use domain::cursor::InvalidCursor;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::routes::Operation;
use crate::state::ApiConfig;

const DESCRIPTION: &str = "\
The public API of BOTIX. Every answer is JSON in one of three forms: `{data, request_id}` for one object, \
`{data, next_cursor, has_more, request_id}` for a page of a list, `{code, message, details, request_id}` for an error. \
Branch on `code`, never on `message`; the 16 codes are frozen. Send `Accept: application/problem+json` to get \
errors as RFC 9457.

**Repeat safely.** Every `POST` needs an `Idempotency-Key`: a UUIDv4 or ULID made once for each logical operation \
and sent again with each retry of it. A counter, a timestamp or a hash of the body is wrong: two operations may share \
one. The first answer is kept for 24 hours and given again, byte for byte, with `Idempotent-Replayed: 1`.

**Walk lists by cursor.** Ask without a cursor first, then with `next_cursor` until `has_more` is false. The order is \
newest first; changing a filter in the middle of a walk is refused.

**Retry the right things.** Connection errors, time-outs, 502, 503, 504, and 429 after `Retry-After`; with jitter. \
Never 400, 401, 403, 404, 422.

**Limits.** A body has at most 1 MiB (a catalog import 64 MiB and 50,000 rows), a request at most 100 header lines. \
Objects may gain fields: ignore those you \
don't know.";

pub(crate) use served::Served;
pub(crate) use tags::about as tag_about;

/// The operations and what they are described with.
pub(crate) struct Document<'a> {
    operations: &'a [Operation],
    config: &'a ApiConfig,
    now: Timestamp,
}

impl<'a> Document<'a> {
    /// As things stand at `now`: a mode that has ended is not in the document.
    pub(crate) const fn new(operations: &'a [Operation], config: &'a ApiConfig, now: Timestamp) -> Self {
        Self { operations, config, now }
    }

    /// Until when lists may be read by offset; `None` once that has ended.
    fn offset_until(&self) -> Option<Timestamp> {
        Some(self.config.offset_sunset).filter(|sunset| self.now < *sunset)
    }

    /// The whole document.
    pub(crate) fn to_json(&self) -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let mut generator = settings.into_generator();
        let mut paths = Map::new();
        for described in self.operations {
            let path = paths.entry(full_path(described)).or_insert_with(|| json!({}));
            path[described.method.as_str().to_ascii_lowercase()] = operation::object(self, described, &mut generator);
        }
        let mut schemas = generator.take_definitions(true);
        schemas.extend(errors::schemas(&self.config.docs_url));
        schemas.values_mut().for_each(number_formats);
        let mut document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "BOTIX public API",
                "version": env!("CARGO_PKG_VERSION"),
                "description": DESCRIPTION,
            },
            "servers": [{"url": self.server()}],
            "externalDocs": {"url": self.config.docs_url, "description": "Guides, error codes and changelog"},
            "security": [{"apiKey": []}],
            "tags": tags::list(self.operations),
            "paths": paths,
            "components": {
                "schemas": schemas,
                "headers": headers::components(self),
                "securitySchemes": {
                    "apiKey": {
                        "type": "http",
                        "scheme": "bearer",
                        "bearerFormat": "btx_live_…",
                        "description": "An API key of one project. Scopes: `read` for GET, `write` for everything that changes.",
                    },
                },
            },
        });
        examples::fill(&mut document);
        links::connect(&mut document);
        document
    }

    fn server(&self) -> &str {
        if self.config.api_url.is_empty() { "/" } else { &self.config.api_url }
    }
}

/// The path as it stands in the document, prefix included.
fn full_path(operation: &Operation) -> String {
    format!("{}{}", crate::PREFIX, operation.path)
}

/// Every reason for which a cursor is refused.
const CURSOR_REASONS: [InvalidCursor; 5] = [
    InvalidCursor::Malformed,
    InvalidCursor::Signature,
    InvalidCursor::FiltersChanged,
    InvalidCursor::WrongList,
    InvalidCursor::Expired,
];

/// `uint16` and `uint32` are Rust's names; `minimum` says the same to everybody.
fn number_formats(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
                fields.remove("format");
            }
            fields.values_mut().for_each(number_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(number_formats),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
