//! Pieces of the reference: types in words, tables of fields, a curl line, JSON.

use serde_json::Value;

use crate::docs::fields::russian;
use crate::docs::html::Html;
use crate::docs::reader::Reader;
use crate::routes::Operation;

/// A type in a few words, as markup: a named object is a link to it.
pub(super) fn schema_type(schema: &Value, reader: &Reader) -> String {
    let mut html = Html::default();
    write_type(&mut html, schema, reader);
    html.finish()
}

fn write_type(html: &mut Html, schema: &Value, reader: &Reader) {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        html.link(&format!("#object-{name}"), name);
        return;
    }
    if let Some(words) = schema["enum"].as_array() {
        for (at, word) in words.iter().enumerate() {
            html.raw(if at == 0 { "" } else { " · " });
            html.element("code", &word.as_str().map_or_else(|| word.to_string(), str::to_owned));
        }
        return;
    }
    for choice in schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()).into_iter().flatten().enumerate() {
        html.raw(if choice.0 == 0 { "" } else { " · " });
        write_type(html, choice.1, reader);
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    for (at, kind) in kinds.iter().enumerate() {
        html.raw(if at == 0 { "" } else { " · " });
        if *kind == "array" {
            html.text(reader.pick("list of ", "список: "));
            write_type(html, &schema["items"], reader);
        } else {
            html.text(kind_name(kind, schema, reader));
        }
    }
    limits(html, schema, reader);
}

fn kind_name<'k>(kind: &'k str, schema: &Value, reader: &Reader) -> &'k str {
    match kind {
        "string" if schema["format"] == "date-time" => reader.pick("time", "время"),
        "string" => reader.pick("text", "текст"),
        "integer" => reader.pick("number", "число"),
        "boolean" => "true · false",
        "object" => reader.pick("object", "объект"),
        other => other,
    }
}

fn limits(html: &mut Html, schema: &Value, reader: &Reader) {
    let bounds = [("minimum", "≥ "), ("maximum", "≤ ")];
    for (name, sign) in bounds {
        if let Some(bound) = schema[name].as_u64().filter(|bound| *bound > 0) {
            html.raw(" ").text(sign).text(&bound.to_string());
        }
    }
    if let Some(most) = schema["maxLength"].as_u64() {
        html.raw(" ≤ ").text(&most.to_string()).raw(" ").text(reader.pick("characters", "знаков"));
    }
    if let Some(most) = schema["maxItems"].as_u64() {
        html.raw(" ≤ ").text(&most.to_string());
    }
}

/// A table of an object's fields, `id` first.
pub(super) fn fields(html: &mut Html, object: &str, schema: &Value, reader: &Reader) {
    let Some(properties) = schema["properties"].as_object() else { return };
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|each| each == name));
    let mut names: Vec<&String> = properties.keys().collect();
    names.sort_by_key(|name| (name.as_str() != "id", object.is_empty() && !required(name)));
    html.raw("<div class=\"scroll\"><table><tbody>");
    for name in names {
        let field = &properties[name];
        let english = field["description"].as_str().unwrap_or_default();
        let about = if reader.language == "ru" { russian(object, name).unwrap_or(english) } else { english };
        html.raw("<tr><th scope=\"row\"><code>").text(name).raw("</code>");
        // In an answer everything is there; in a body it matters what must be.
        marks(html, object.is_empty() && required(name), false, reader);
        html.raw("</th><td>").raw(&schema_type(field, reader)).raw("</td><td>").text(about).raw("</td></tr>");
    }
    html.raw("</tbody></table></div>");
}

pub(super) fn marks(html: &mut Html, required: bool, deprecated: bool, reader: &Reader) {
    for (is, mark) in
        [(required, reader.pick("required", "обязательно")), (deprecated, reader.pick("deprecated", "устарело"))]
    {
        if is {
            html.raw(" ").element("small", mark);
        }
    }
}

/// Parameters that are not filters.
pub(super) fn russian_parameter(name: &str) -> Option<&'static str> {
    Some(match name {
        "cursor_limit" => "Сколько строк на странице, не больше.",
        "cursor" => "next_cursor предыдущей страницы. Чёрный ящик.",
        "pagination" | "offset" | "limit" => "Из устаревшего режима 1.0.",
        "Idempotency-Key" => "UUIDv4 или ULID: один на логическую операцию, тот же при каждом её повторе.",
        _ => return None,
    })
}

/// A line to try it with.
pub(super) fn curl(operation: &Operation, object: &Value, document: &Value) -> String {
    let server = document["servers"][0]["url"].as_str().unwrap_or_default().trim_end_matches('/');
    let mut path = format!("{server}{}{}", crate::PREFIX, operation.path);
    for parameter in object["parameters"].as_array().into_iter().flatten().filter(|each| each["in"] == "path") {
        let name = parameter["name"].as_str().unwrap_or_default();
        let example = parameter["schema"]["examples"][0].as_str().unwrap_or("KEY");
        path = path.replace(&format!("{{{name}}}"), example);
    }
    let method = match operation.method.as_str() {
        "GET" => String::new(),
        method => format!("-X {method} "),
    };
    let mut line = format!("curl {method}'{path}' \\\n  -H \"Authorization: Bearer $KEY\"");
    if operation.method.as_str() == "POST" {
        line.push_str(" \\\n  -H \"Idempotency-Key: $(openssl rand -hex 16)\"");
    }
    let json = &object["requestBody"]["content"]["application/json"]["example"];
    if !json.is_null() {
        line.push_str(" \\\n  -H 'Content-Type: application/json' \\\n  -d '");
        line.push_str(&json.to_string());
        line.push('\'');
    }
    line
}

/// JSON on several lines.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
