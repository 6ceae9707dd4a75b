//! What an operation answers, and the one form in which it leaves (contract section 3).

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::http::{HeaderValue, Response, StatusCode};
use bytes::Bytes;
use domain::ErrorCode;
use domain::id::RequestId;
use domain::page::{Listed, Page};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::ApiError;

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// What an operation answers when it succeeds. The request id is put in when it is rendered.
#[derive(Debug)]
pub(crate) struct Answer {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Nothing,
    One(Box<RawValue>),
    List { data: Box<RawValue>, next_cursor: Option<String>, has_more: bool },
}

impl Answer {
    /// 200 with one object.
    pub(crate) fn ok<T: Serialize>(object: &T) -> Result<Self, ApiError> {
        Self::one(StatusCode::OK, object)
    }

    /// 201 with what was created, and where it is to be found.
    pub(crate) fn created<T: Serialize>(object: &T, path: &str) -> Result<Self, ApiError> {
        let location = format!("{}/{path}", crate::PREFIX);
        let location = HeaderValue::from_str(&location).map_err(ApiError::internal)?;
        Ok(Self::one(StatusCode::CREATED, object)?.with(axum::http::header::LOCATION, location))
    }

    /// 202 with what runs on.
    pub(crate) fn accepted<T: Serialize>(object: &T) -> Result<Self, ApiError> {
        Self::one(StatusCode::ACCEPTED, object)
    }

    /// 204.
    pub(crate) const fn no_content() -> Self {
        Self { status: StatusCode::NO_CONTENT, headers: Vec::new(), content: Content::Nothing }
    }

    /// 200 with one page of a list.
    pub(crate) fn page<T: Serialize + Listed>(page: &Page<T>, next_cursor: Option<String>) -> Result<Self, ApiError> {
        let data = to_raw_value(&page.data).map_err(ApiError::internal)?;
        let content = Content::List { data, next_cursor, has_more: page.has_more };
        Ok(Self { status: StatusCode::OK, headers: Vec::new(), content })
    }

    /// With a header more.
    #[must_use]
    pub(crate) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    fn one<T: Serialize>(status: StatusCode, object: &T) -> Result<Self, ApiError> {
        let content = Content::One(to_raw_value(object).map_err(ApiError::internal)?);
        Ok(Self { status, headers: Vec::new(), content })
    }
}

/// A finished answer: its bytes are what is stored for a replay.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Bytes,
    pub(crate) error: Option<ErrorCode>,
}

/// Marks an answer as ours; the framework's own rejections lack it and are put into the envelope.
#[derive(Clone, Copy)]
pub(crate) struct Ours(pub(crate) Option<ErrorCode>);

impl Reply {
    pub(crate) fn success(answer: Answer, request_id: RequestId) -> Self {
        #[derive(Serialize)]
        struct One<'a> {
            data: &'a RawValue,
            request_id: RequestId,
        }
        #[derive(Serialize)]
        struct List<'a> {
            data: &'a RawValue,
            next_cursor: Option<&'a str>,
            has_more: bool,
            request_id: RequestId,
        }
        let mut headers = answer.headers;
        let body = match &answer.content {
            Content::Nothing => Bytes::new(),
            Content::One(data) => json(&One { data, request_id }),
            Content::List { data, next_cursor, has_more } => {
                json(&List { data, next_cursor: next_cursor.as_deref(), has_more: *has_more, request_id })
            }
        };
        if !matches!(answer.content, Content::Nothing) {
            headers.push((CONTENT_TYPE, JSON));
        }
        Self { status: answer.status, headers, body, error: None }
    }

    /// An error, in the form that the caller asked for.
    pub(crate) fn failure(error: &ApiError, request_id: RequestId, problem: Option<&str>) -> Self {
        #[derive(Serialize)]
        struct Plain {
            code: ErrorCode,
            message: String,
            details: Value,
            request_id: RequestId,
        }
        #[derive(Serialize)]
        struct Problem<'a> {
            r#type: String,
            title: &'a str,
            status: u16,
            detail: String,
            code: ErrorCode,
            details: Value,
            request_id: RequestId,
        }
        let (code, status) = (error.code(), error.status());
        let (body, content_type) = match problem {
            None => {
                let plain = Plain { code, message: error.message(), details: error.details(), request_id };
                (json(&plain), JSON)
            }
            Some(docs_url) => {
                let problem = Problem {
                    r#type: format!("{docs_url}/error-codes#{}", code.as_str()),
                    title: status.canonical_reason().unwrap_or("Error"),
                    status: status.as_u16(),
                    detail: error.message(),
                    code,
                    details: error.details(),
                    request_id,
                };
                (json(&problem), PROBLEM_JSON)
            }
        };
        let headers = error.header().into_iter().chain([(CONTENT_TYPE, content_type)]).collect();
        Self { status, headers, body, error: Some(code) }
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        for (name, value) in self.headers {
            response.headers_mut().append(name, value);
        }
        response.extensions_mut().insert(Ours(self.error));
        response
    }
}

fn json<T: Serialize>(value: &T) -> Bytes {
    // Structs of text, numbers and JSON that has been serialised before can't fail.
    serde_json::to_vec(value).unwrap_or_default().into()
}
