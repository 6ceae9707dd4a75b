//! Request bodies: read within limits, and taken apart field by field.

use std::time::Duration;

use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::time::timeout;

use crate::error::ApiError;

mod fields;
mod wording;

pub(crate) use fields::{DEEPEST, Fields, Pairs, depth};
pub(crate) use wording::{BYTE_ORDER_MARK, not_an_object, not_json};

/// The largest body.
pub(crate) const LIMIT: usize = 1024 * 1024;
/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a mutation wants to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A JSON object.
    Json,
    /// Nothing; an empty JSON object is as good.
    Nothing,
}

/// Reads a whole body of at most `limit` bytes.
pub(crate) async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, ApiError> {
    check_length(headers, limit)?;
    match timeout(PATIENCE, Limited::new(body, limit).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(ApiError::TooLarge { limit_bytes: limit }),
        Ok(Err(_)) => Err(broken_off()),
        Err(_) => Err(too_slow()),
    }
}

/// Refuses a body that is announced as too large.
pub(crate) fn check_length(headers: &HeaderMap, limit: usize) -> Result<(), ApiError> {
    let announced = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) {
        return Err(ApiError::TooLarge { limit_bytes: limit });
    }
    Ok(())
}

pub(crate) fn broken_off() -> ApiError {
    ApiError::malformed("the body broke off")
}

pub(crate) fn too_slow() -> ApiError {
    ApiError::malformed("the body did not arrive in time")
}

/// Refuses a body that is not announced as JSON.
pub(crate) fn check_content_type(headers: &HeaderMap, body: &[u8], wanted: Wanted) -> Result<(), ApiError> {
    if wanted == Wanted::Nothing && body.is_empty() {
        return Ok(());
    }
    let given = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let essence = given.as_deref().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let reason = match &given {
        None => "Content-Type is missing; it must be application/json".to_owned(),
        Some(given) => format!("Content-Type must be application/json, not {}", given.escape_debug()),
    };
    Err(ApiError::WrongContentType { reason })
}
