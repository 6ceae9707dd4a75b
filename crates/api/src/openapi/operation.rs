//! One operation: what it takes, and everything it may answer.

use axum::http::StatusCode;
use domain::ErrorCode;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::{Document, errors, headers, names, parameters};
use crate::describe::Shape;
use crate::routes::Operation;

/// The operation object.
pub(super) fn object(document: &Document<'_>, operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let description = &operation.description;
    let title = description.title.map_or("", |title| title.en);
    let scope = if operation.changes() { "write" } else { "read" };
    let mut object = json!({
        "operationId": names::operation_id(operation),
        "summary": title,
        "tags": [names::tag(operation)],
        "security": [{"apiKey": [scope]}],
        "parameters": parameters::of(document, operation),
        "responses": responses(document, operation, generator),
    });
    if let Some(note) = description.note {
        object["description"] = note.en.into();
    }
    if !description.bodies.is_empty() {
        let content: Map<String, Value> = description
            .bodies
            .iter()
            .map(|body| (body.content_type.to_owned(), json!({"schema": body.schema, "example": body.example})))
            .collect();
        object["requestBody"] = json!({"required": operation.takes_a_body, "content": content});
    }
    object
}

fn responses(document: &Document<'_>, operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    let status = operation.description.status;
    responses.insert(status.as_str().to_owned(), success(document, operation, generator));
    for (status, codes) in errors::by_status(operation) {
        responses.insert(status.to_string(), errors::response(status, &codes));
    }
    responses.into()
}

fn success(document: &Document<'_>, operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let status = operation.description.status;
    let request_id = generator.subschema_for::<domain::id::RequestId>();
    let schema = match operation.description.answer {
        Shape::Nothing => None,
        Shape::One(schema) => Some(json!({
            "type": "object",
            "required": ["data", "request_id"],
            "additionalProperties": false,
            "properties": {"data": schema(generator), "request_id": request_id},
        })),
        Shape::List(schema) => Some(json!({
            "type": "object",
            "required": ["data", "next_cursor", "has_more", "request_id"],
            "additionalProperties": false,
            "properties": {
                "data": {"type": "array", "items": schema(generator)},
                "next_cursor": {
                    "type": ["string", "null"],
                    "description": "Where the next page begins; null at the end.",
                    "examples": ["eyJ2IjoxLCJrIjoi…"],
                },
                "has_more": {"type": "boolean", "description": "Whether at least one older row matches."},
                "request_id": request_id,
            },
        })),
    };
    let mut response = json!({
        "description": meaning(status),
        "headers": headers::of_success(document, operation),
    });
    if let Some(schema) = schema {
        response["content"] = json!({"application/json": {"schema": schema}});
    }
    response
}

fn meaning(status: StatusCode) -> &'static str {
    match status {
        StatusCode::CREATED => "Created.",
        StatusCode::ACCEPTED => "Accepted; it runs on.",
        StatusCode::NO_CONTENT => "Done; there is nothing to say.",
        _ => "Here it is.",
    }
}

/// The codes that come from the steps every operation of its kind goes through, and its own.
pub(super) fn codes(operation: &Operation) -> Vec<ErrorCode> {
    let mut codes = vec![
        ErrorCode::MalformedRequest,
        ErrorCode::Unauthorized,
        ErrorCode::Forbidden,
        ErrorCode::RateLimitExceeded,
        ErrorCode::InternalError,
        ErrorCode::ServiceUnavailable,
    ];
    if operation.path.contains('{') {
        codes.push(ErrorCode::ResourceNotFound);
    }
    if operation.changes() {
        codes.extend([
            // A blank key is as good as none, wherever it stands.
            ErrorCode::IdempotencyKeyRequired,
            ErrorCode::IdempotencyKeyReuseConflict,
            ErrorCode::IdempotencyKeyInProgress,
            ErrorCode::PayloadTooLarge,
            ErrorCode::ValidationError,
        ]);
    }
    if matches!(operation.description.answer, Shape::List(_)) {
        codes.extend([ErrorCode::InvalidCursor, ErrorCode::ValidationError]);
    }
    if !operation.description.parameters.is_empty() {
        codes.push(ErrorCode::ValidationError);
    }
    codes.extend(&operation.description.errors);
    codes
}
