//! What the document says about creating an import.

use axum::http::StatusCode;
use domain::model::{CatalogImport, MAX_ERRORS, MAX_ROWS};
use serde_json::json;

use super::row::{NAME, SKU};
use crate::describe::{Body, Description, words};

/// The operation in words and schemas.
pub(super) fn create() -> Description {
    let row = json!({
        "type": "object",
        "required": ["sku"],
        "description": format!(
            "A row that breaks these rules is reported by line (the first {MAX_ERRORS}) and the others are kept. \
             Fields of other names become attributes."
        ),
        "properties": {
            "sku": {"type": "string", "minLength": 1, "maxLength": SKU},
            "name": {"type": ["string", "null"], "minLength": 1, "maxLength": NAME},
            "price": {"type": ["number", "string", "null"], "minimum": 0, "description": "A decimal such as 19.90."},
            "currency": {"type": ["string", "null"], "pattern": "^[A-Za-z]{3}$"},
            "attributes": {"type": ["object", "null"]},
        },
    });
    // A bad row is taken and reported, so a document that refused it would say less than the truth.
    let anything = json!({"description": "Taken, and reported as a bad row."});
    let tea = json!({"sku": "TEA-100", "name": "Tea", "price": 199.9, "currency": "RUB", "colour": "green"});
    Description::of(words("Import catalog rows", "Импортировать строки каталога"))
        .note(words(
            "Up to 50,000 rows and 64 MiB, as application/json, application/x-ndjson or text/csv (UTF-8, commas, a \
             header line with sku). Rows are upserted by sku in the background; the import shows the progress. Bad \
             rows are reported by line, good ones kept. Emits catalog.import.completed, or catalog.import.failed \
             when no row was good.",
            "До 50 000 строк и 64 МиБ: application/json, application/x-ndjson или text/csv (UTF-8, запятые, строка \
             заголовка с sku). Строки добавляются или обновляются по sku в фоне; ход виден в импорте. Плохие строки \
             названы по номерам, хорошие сохраняются. Порождает catalog.import.completed или, если хороших строк не \
             было, catalog.import.failed.",
        ))
        .json(
            &["items"],
            json!({"items": {"type": "array", "minItems": 1, "maxItems": MAX_ROWS, "items": {"anyOf": [row, anything]}}}),
            json!({"items": [tea]}),
        )
        .body(Body {
            content_type: "application/x-ndjson",
            // What is sent is lines of JSON; a type would be that of a line, or of the text, and both are read into it.
            schema: json!({"description": "Text: one object a line, as in items. Other lines are reported as bad rows."}),
            example: json!("{\"sku\":\"TEA-100\",\"name\":\"Tea\",\"price\":199.90}\n{\"sku\":\"TEA-101\"}\n"),
        })
        .body(Body {
            content_type: "text/csv",
            schema: json!({
                "type": "string",
                "description": "A header line, then one row a line; an empty field is as good as none.",
            }),
            example: json!("sku,name,price,currency,colour\nTEA-100,Tea,199.90,RUB,green\n"),
        })
        .answers::<CatalogImport>(StatusCode::ACCEPTED)
}
