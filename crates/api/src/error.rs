//! Every way in which a request can fail, and what the caller is told (contract section 3).

use std::collections::BTreeMap;

use axum::http::header::{ALLOW, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use domain::cursor::InvalidCursor;
use domain::filter::Rejected;
use domain::id::RequestId;
use domain::status::Scope;
use domain::{ErrorCode, Timestamp};
use serde_json::{Value, json};
use store::StoreError;

/// When to come back after [`ApiError::InProgress`].
const IN_PROGRESS_RETRY: u32 = 5;
/// When to come back after [`ApiError::Unavailable`].
const UNAVAILABLE_RETRY: u32 = 5;

/// A refused or failed request.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// Not understood.
    Malformed { reason: String },
    /// A body of the wrong kind.
    WrongContentType { reason: String },
    /// A `POST` without its key.
    IdempotencyKeyRequired,
    /// Not a cursor of this list.
    InvalidCursor(InvalidCursor),
    /// No valid API key.
    Unauthorized,
    /// The key may not do this.
    Forbidden { required: Scope },
    /// The project is full.
    ContactLimit { limit: u32, current: u32 },
    /// Not in this project.
    NotFound { resource_type: &'static str, resource_id: String },
    /// Not by this method.
    MethodNotAllowed { allowed: Vec<String> },
    /// The resource's state, or another resource, is in the way.
    Conflict { resource_type: &'static str, field: &'static str, existing_id: Option<String> },
    /// The idempotency key belongs to another request.
    KeyReuse { first_request_id: RequestId, first_seen_at: Timestamp },
    /// The key's first request still runs.
    InProgress,
    /// A body over the limit.
    TooLarge { limit_bytes: usize },
    /// Fields that can't be accepted, each with what can.
    Validation(BTreeMap<String, String>),
    /// Too many requests.
    RateLimited { retry_after: u32, limit: u32 },
    /// Our fault; the cause is for the log only.
    Internal { cause: String },
    /// Not now; the cause is for the log only.
    Unavailable { cause: String },
}

impl ApiError {
    pub(crate) fn malformed(reason: impl Into<String>) -> Self {
        Self::Malformed { reason: reason.into() }
    }

    pub(crate) fn not_found(resource_type: &'static str, id: &(impl std::fmt::Display + ?Sized)) -> Self {
        Self::NotFound { resource_type, resource_id: id.to_string() }
    }

    pub(crate) fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal { cause: cause.into().to_string() }
    }

    /// From what a panic carries.
    pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::internal(format!("panicked: {}", text.unwrap_or_default()))
    }

    pub(crate) const fn code(&self) -> ErrorCode {
        match self {
            Self::Malformed { .. } | Self::WrongContentType { .. } => ErrorCode::MalformedRequest,
            Self::IdempotencyKeyRequired => ErrorCode::IdempotencyKeyRequired,
            Self::InvalidCursor(_) => ErrorCode::InvalidCursor,
            Self::Unauthorized => ErrorCode::Unauthorized,
            Self::Forbidden { .. } => ErrorCode::Forbidden,
            Self::ContactLimit { .. } => ErrorCode::ContactLimitExceeded,
            Self::NotFound { .. } => ErrorCode::ResourceNotFound,
            Self::MethodNotAllowed { .. } => ErrorCode::MethodNotAllowed,
            Self::Conflict { .. } => ErrorCode::ResourceConflict,
            Self::KeyReuse { .. } => ErrorCode::IdempotencyKeyReuseConflict,
            Self::InProgress => ErrorCode::IdempotencyKeyInProgress,
            Self::TooLarge { .. } => ErrorCode::PayloadTooLarge,
            Self::Validation(_) => ErrorCode::ValidationError,
            Self::RateLimited { .. } => ErrorCode::RateLimitExceeded,
            Self::Internal { .. } => ErrorCode::InternalError,
            Self::Unavailable { .. } => ErrorCode::ServiceUnavailable,
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        let status = match self {
            Self::WrongContentType { .. } => 415,
            other => other.code().status(),
        };
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The cause of what is our fault, for the log.
    pub(crate) fn cause(&self) -> Option<&str> {
        match self {
            Self::Internal { cause } | Self::Unavailable { cause } => Some(cause),
            _ => None,
        }
    }

    /// One sentence for a person.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Malformed { reason } | Self::WrongContentType { reason } => {
                format!("The request could not be understood: {reason}.")
            }
            Self::IdempotencyKeyRequired => "This request needs an Idempotency-Key header.".to_owned(),
            Self::InvalidCursor(_) => "The cursor does not belong to this walk; start again without one.".to_owned(),
            Self::Unauthorized => "A valid API key is required: Authorization: Bearer btx_live_….".to_owned(),
            Self::Forbidden { required } => format!("The API key lacks the scope {required}."),
            Self::ContactLimit { limit, .. } => format!("The project holds its limit of {limit} contacts."),
            Self::NotFound { resource_type: "route", .. } => "There is no such path.".to_owned(),
            Self::NotFound { resource_type, .. } => format!("There is no such {resource_type} in this project."),
            Self::MethodNotAllowed { .. } => "This path does not take this method.".to_owned(),
            Self::Conflict { resource_type, field, .. } => {
                format!("The {field} of this {resource_type} is in the way.")
            }
            Self::KeyReuse { .. } => "The Idempotency-Key was used for another request.".to_owned(),
            Self::InProgress => "The first request with this Idempotency-Key is still running.".to_owned(),
            Self::TooLarge { limit_bytes } => format!("The body is larger than {limit_bytes} bytes."),
            Self::Validation(_) => "One or more fields were refused.".to_owned(),
            Self::RateLimited { limit, .. } => format!("More than {limit} requests in a minute."),
            Self::Internal { .. } => "Something went wrong on our side.".to_owned(),
            Self::Unavailable { .. } => "The service is not available right now; try again shortly.".to_owned(),
        }
    }

    /// The facts, for a program.
    pub(crate) fn details(&self) -> Value {
        match self {
            Self::Malformed { reason } | Self::WrongContentType { reason } => json!({ "reason": reason }),
            Self::IdempotencyKeyRequired => json!({ "header": domain::idempotency_key::HEADER }),
            Self::InvalidCursor(reason) => json!({ "reason": reason.to_string() }),
            Self::Unauthorized | Self::Internal { .. } => json!({}),
            Self::Forbidden { required } => json!({ "required_scope": required }),
            Self::ContactLimit { limit, current } => json!({ "limit": limit, "current": current }),
            Self::NotFound { resource_type, resource_id } => {
                json!({ "resource_type": resource_type, "resource_id": resource_id })
            }
            Self::MethodNotAllowed { allowed } => json!({ "allowed": allowed }),
            Self::Conflict { resource_type, field, existing_id } => {
                json!({ "resource_type": resource_type, "field": field, "existing_id": existing_id })
            }
            Self::KeyReuse { first_request_id, first_seen_at } => {
                json!({ "first_request_id": first_request_id, "first_seen_at": first_seen_at })
            }
            Self::InProgress => json!({ "retry_after_seconds": IN_PROGRESS_RETRY }),
            Self::TooLarge { limit_bytes } => json!({ "limit_bytes": limit_bytes }),
            Self::Validation(fields) => json!({ "fields": fields }),
            Self::RateLimited { retry_after, limit } => json!({ "retry_after_seconds": retry_after, "limit": limit }),
            Self::Unavailable { .. } => json!({ "retry_after_seconds": UNAVAILABLE_RETRY }),
        }
    }

    /// The headers that HTTP wants beside the body.
    pub(crate) fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::Unauthorized => Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Self::MethodNotAllowed { allowed } => Some((ALLOW, HeaderValue::from_str(&allowed.join(", ")).ok()?)),
            Self::InProgress => Some((RETRY_AFTER, HeaderValue::from(IN_PROGRESS_RETRY))),
            Self::RateLimited { retry_after, .. } => Some((RETRY_AFTER, HeaderValue::from(*retry_after))),
            Self::Unavailable { .. } => Some((RETRY_AFTER, HeaderValue::from(UNAVAILABLE_RETRY))),
            _ => None,
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            // Somebody took the capture over after its lease: the work is theirs now.
            StoreError::Fenced => Self::InProgress,
            error if error.is_transient() => Self::Unavailable { cause: error.to_string() },
            error => Self::internal(error),
        }
    }
}

impl From<Rejected> for ApiError {
    fn from(Rejected(fields): Rejected) -> Self {
        Self::Validation(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_stay_in_the_log() {
        let error = ApiError::internal("SELECT secret FROM btx_api_key");
        let told = format!("{} {}", error.message(), error.details());
        assert!(!told.contains("btx_") && !told.contains("SELECT"));
        assert_eq!(error.cause(), Some("SELECT secret FROM btx_api_key"));
    }

    #[test]
    fn a_wrong_content_type_is_malformed_with_a_status_of_its_own() {
        let error = ApiError::WrongContentType { reason: String::new() };
        assert_eq!((error.code(), error.status().as_u16()), (ErrorCode::MalformedRequest, 415));
        assert_eq!(ApiError::malformed("x").status().as_u16(), 400);
    }
}
