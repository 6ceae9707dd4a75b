//! What an operation says about itself, beside its handler: the part of the OpenAPI document that
//! can't be read off its types.

use axum::http::StatusCode;
use domain::ErrorCode;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// One text in both languages of the docs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) en: &'static str,
    pub(crate) ru: &'static str,
}

/// English and Russian.
pub(crate) const fn words(en: &'static str, ru: &'static str) -> Words {
    Words { en, ru }
}

/// An operation in words and schemas.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    /// One line. `None` until somebody writes it: a test names the routes that lack one.
    pub(crate) title: Option<Words>,
    /// What else is to be known.
    pub(crate) note: Option<Words>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) status: StatusCode,
    pub(crate) answer: Shape,
    /// The codes that are not every operation's of its kind.
    pub(crate) errors: Vec<ErrorCode>,
}

/// What a success carries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Nothing,
    One(fn(&mut SchemaGenerator) -> Schema),
    List(fn(&mut SchemaGenerator) -> Schema),
}

/// A query parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) about: Option<Words>,
    /// Several values, separated by commas.
    pub(crate) many: bool,
    pub(crate) deprecated: bool,
    pub(crate) schema: Value,
}

/// A body of one content type.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) content_type: &'static str,
    pub(crate) schema: Value,
    pub(crate) example: Value,
}

impl Default for Description {
    fn default() -> Self {
        Self {
            title: None,
            note: None,
            parameters: Vec::new(),
            bodies: Vec::new(),
            status: StatusCode::OK,
            answer: Shape::Nothing,
            errors: Vec::new(),
        }
    }
}

impl Description {
    /// Begins with one line.
    pub(crate) fn of(title: Words) -> Self {
        Self { title: Some(title), ..Self::default() }
    }

    /// What else is to be known.
    pub(crate) fn note(mut self, note: Words) -> Self {
        self.note = Some(note);
        self
    }

    /// The JSON object that is sent: `properties` and what is `required` of them, as JSON Schema.
    /// Unknown fields are refused.
    pub(crate) fn json(self, required: &[&str], properties: impl Into<Value>, example: Value) -> Self {
        let properties = properties.into();
        let mut schema = serde_json::json!({
            "type": "object", "properties": properties, "additionalProperties": false,
        });
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        self.body(Body { content_type: "application/json", schema, example })
    }

    /// A body of some content type.
    pub(crate) fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Answers with one object under this status.
    pub(crate) fn answers<T: JsonSchema>(mut self, status: StatusCode) -> Self {
        self.status = status;
        self.answer = Shape::One(SchemaGenerator::subschema_for::<T>);
        self
    }

    /// 200 with a page of a list.
    pub(crate) fn lists<T: JsonSchema>(mut self) -> Self {
        self.answer = Shape::List(SchemaGenerator::subschema_for::<T>);
        self
    }

    /// 204.
    pub(crate) const fn answers_nothing(mut self) -> Self {
        self.status = StatusCode::NO_CONTENT;
        self
    }

    /// May also fail with this code.
    pub(crate) fn or(mut self, code: ErrorCode) -> Self {
        self.errors.push(code);
        self
    }

    /// Takes this query parameter.
    pub(crate) fn parameter(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }
}
