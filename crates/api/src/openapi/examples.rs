//! Examples made from the schemas, so that each success shows one and none can be out of date.

use serde_json::{Map, Value, json};

/// Puts an example beside each JSON answer, and into each property that lacks one.
pub(super) fn fill(document: &mut Value) {
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        for schema in schemas.values_mut() {
            properties(schema);
        }
    }
    let schemas = document["components"]["schemas"].clone();
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let Some(responses) = operation["responses"].as_object_mut() else { continue };
        for response in responses.values_mut() {
            let Some(media) = response.pointer_mut("/content/application~1json") else { continue };
            let schema = media["schema"].clone();
            match schema["oneOf"].as_array() {
                Some(several) => {
                    let named: Map<String, Value> = several
                        .iter()
                        .map(|each| of(each, &schemas))
                        .map(|value| (text(&value["code"]), json!({ "value": value })))
                        .collect();
                    media["examples"] = named.into();
                }
                None => media["example"] = of(&schema, &schemas),
            }
        }
    }
}

fn properties(schema: &mut Value) {
    let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, field) in fields {
        if field.get("examples").is_none()
            && field.get("enum").is_none()
            && let Some(example) = named(name)
        {
            field["examples"] = json!([example]);
        }
    }
}

/// One value that fits the schema.
fn of(schema: &Value, schemas: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return of(&schemas[reference.rsplit('/').next().unwrap_or_default()], schemas);
    }
    if let Some(fixed) = schema.get("const") {
        return fixed.clone();
    }
    for list in ["examples", "enum"] {
        if let Some(first) = schema[list].as_array().and_then(|values| values.first()) {
            return first.clone();
        }
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(first) = schema[choice].as_array().and_then(|schemas| schemas.first()) {
            return of(first, schemas);
        }
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"].as_array()?.first()?.as_str()).unwrap_or_default();
    match kind {
        "object" => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            fields.map(|(name, field)| (name.clone(), of(field, schemas))).collect::<Map<_, _>>().into()
        }
        "array" => json!([of(&schema["items"], schemas)]),
        "integer" => schema["minimum"].as_u64().unwrap_or(0).max(1).into(),
        "number" => json!(1.5),
        "boolean" => true.into(),
        _ if schema["format"] == "date-time" => "2026-05-22T14:37:00.123Z".into(),
        _ => "text".into(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What stands under a name everywhere.
fn named(name: &str) -> Option<Value> {
    let example = match name {
        "phone" => json!("+79161234567"),
        "name" => json!("Anna"),
        "email" => json!("anna@example.com"),
        "tags" => json!(["vip"]),
        "url" => json!("https://example.com/hooks/botix"),
        "description" => json!("CRM"),
        "text" => json!("Hello!"),
        "channel" => json!("telegram"),
        "secret" => json!("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
        "event_types" => json!(["contact.*"]),
        "event_type" => json!("contact.created"),
        "type" => json!("payment.succeeded"),
        "method" => json!("POST"),
        "path" => json!("/public/v1/contacts"),
        "status_code" | "response_status_code" => json!(201),
        "last_response_status_code" => json!(503),
        "error_code" | "last_error_code" => Value::Null,
        "duration_ms" => json!(18),
        "remote_ip" => json!("203.0.113.7"),
        "user_agent" => json!("botix-python/1.1"),
        "key" | "idempotency_key" => json!("0b7d3c1e-52f6-4c1b-9d5e-6f0a8f3b2c47"),
        "fingerprint" => json!("2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"),
        "request_body" => json!("{\"id\":\"evt_01KSQ4ZP7V8M3F6T2X9BCDEHJK\"}"),
        "response_body" => json!("ok"),
        "response_body_truncated" => json!(false),
        "sku" => json!("TEA-100"),
        _ => return None,
    };
    // Words of a closed set keep their own first one.
    Some(example).filter(|example| !example.is_null())
}
