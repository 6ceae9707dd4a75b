//! Query parameters: every one is known, or the request is not understood.

use domain::filter::FilterReader;
use url::form_urlencoded;

use crate::error::ApiError;

/// The decoded parameters.
///
/// # Errors
/// When one carries a NUL, which no field of ours can hold.
pub(crate) fn params(query: Option<&str>) -> Result<FilterReader, ApiError> {
    let pairs: Vec<(String, String)> =
        form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    if let Some((name, _)) = pairs.iter().find(|(name, value)| name.contains('\0') || value.contains('\0')) {
        return Err(ApiError::malformed(format!("query parameter {} contains NUL", name.escape_debug())));
    }
    Ok(FilterReader::new(pairs))
}

/// Refuses the first parameter that nobody took.
pub(crate) fn all_known(params: &FilterReader) -> Result<(), ApiError> {
    match params.left_over().next() {
        None => Ok(()),
        Some(name) => Err(ApiError::malformed(format!("unknown query parameter {name}"))),
    }
}
