//! Parameters: of the path, the query, and the idempotency key.

use axum::http::Method;
use domain::idempotency_key::{HEADER, MAX_LEN};
use domain::page::{DEFAULT_LIMIT, MAX_LIMIT};
use serde_json::{Value, json};

use super::Document;
use crate::describe::{Parameter, Shape, Words, words};
use crate::list;
use crate::routes::Operation;

/// All parameters of an operation.
pub(super) fn of(document: &Document<'_>, operation: &Operation) -> Value {
    let mut found: Vec<Value> = in_path(operation);
    found.extend(operation.description.parameters.iter().map(in_query));
    if matches!(operation.description.answer, Shape::List(_)) {
        found.extend(walking().iter().map(in_query));
        if document.offset_until().is_some() {
            found.extend(by_offset().iter().map(in_query));
        }
    }
    if operation.changes() {
        found.push(idempotency_key(operation.method == Method::POST));
    }
    found.into()
}

fn in_path(operation: &Operation) -> Vec<Value> {
    let names = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names
        .map(|name| {
            let (about, schema) = if name == "key" {
                ("An idempotency key, as it was sent.", visible_ascii())
            } else {
                let prefix = match name {
                    "run_id" => "run_",
                    "capture_id" => "cap_",
                    _ => prefix(operation.path),
                };
                let pattern = format!("^{prefix}[0-7][0-9A-HJKMNP-TV-Z]{{25}}$");
                ("Its id.", json!({"type": "string", "pattern": pattern, "examples": [format!("{prefix}01KSQ4ZP7V8M3F6T2X9BCDEHJK")]}))
            };
            json!({"name": name, "in": "path", "required": true, "description": about, "schema": schema})
        })
        .collect()
}

/// The prefix of the ids that a path takes.
fn prefix(path: &str) -> &'static str {
    let before = path.split("/{").next().unwrap_or_default();
    match before {
        "/contacts" => "con_",
        "/messages" => "msg_",
        "/catalog/imports" => "imp_",
        "/catalog/items" => "itm_",
        "/scenarios" => "scn_",
        "/scenarios/runs" => "run_",
        "/events" => "evt_",
        "/webhooks/endpoints" => "whe_",
        "/webhooks/deliveries" => "dlv_",
        "/webhooks/attempts" => "att_",
        "/webhooks/dead-letters" => "dlq_",
        "/webhooks/retry-jobs" => "job_",
        "/inspector/bins" => "bin_",
        "/requests" => "req_",
        _ => "",
    }
}

fn in_query(parameter: &Parameter) -> Value {
    let about = parameter.about.or_else(|| list::about(&parameter.name)).map_or("", |about| about.en);
    let mut object = json!({"name": parameter.name, "in": "query", "description": about, "required": false});
    if parameter.many {
        object["schema"] = json!({"type": "array", "minItems": 1, "items": parameter.schema});
        object["style"] = "form".into();
        object["explode"] = false.into();
    } else {
        object["schema"] = parameter.schema.clone();
    }
    if parameter.deprecated {
        object["deprecated"] = true.into();
    }
    object
}

fn parameter(name: &str, about: Words, schema: Value) -> Parameter {
    Parameter { name: name.to_owned(), about: Some(about), many: false, deprecated: false, schema }
}

/// Every list is walked alike.
fn walking() -> [Parameter; 2] {
    let size = json!({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT});
    let cursor = json!({"type": "string", "minLength": 1, "maxLength": 1_024});
    [
        parameter(
            "cursor_limit",
            words("How many rows a page has at most.", "Сколько строк на странице, не больше."),
            size,
        ),
        parameter(
            "cursor",
            words("The previous page's next_cursor. A black box.", "next_cursor предыдущей страницы. Чёрный ящик."),
            cursor,
        ),
    ]
}

/// The deprecated mode of 1.0.
fn by_offset() -> [Parameter; 3] {
    let size = json!({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT});
    let offset = json!({"type": "integer", "minimum": 0, "maximum": list::MOST_OFFSET, "default": 0});
    let mode = json!({"type": "string", "enum": ["cursor", "offset"], "default": "cursor"});
    let about = words("Of the deprecated 1.0 mode.", "Из устаревшего режима 1.0.");
    [("pagination", mode), ("offset", offset), ("limit", size)]
        .map(|(name, schema)| Parameter { deprecated: true, ..parameter(name, about, schema) })
}

fn idempotency_key(required: bool) -> Value {
    let about = if required {
        "A UUIDv4 or ULID, made once for each logical operation and sent again with each retry of it."
    } else {
        "Honoured when present: a repetition then gets the first answer again."
    };
    json!({
        "name": HEADER,
        "in": "header",
        "required": required,
        "description": about,
        "schema": visible_ascii(),
        "example": "0b7d3c1e-52f6-4c1b-9d5e-6f0a8f3b2c47",
    })
}

/// What the server takes for a key; a quoted string of structured fields is the same as a bare one.
fn visible_ascii() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": MAX_LEN, "pattern": "^[!#-~][!-~]*$"})
}
