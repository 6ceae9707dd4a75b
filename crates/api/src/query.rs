//! Query parameters: every one is known, or the request is not understood.

use domain::filter::FilterReader;
use url::form_urlencoded;

use crate::error::ApiError;

/// The decoded parameters.
///
/// # Errors
/// When one is no percent-encoded UTF-8, or carries a NUL, which no field of ours can hold.
pub(crate) fn params(query: Option<&str>) -> Result<FilterReader, ApiError> {
    let query = query.unwrap_or_default();
    if let Some(pair) = query.split('&').find(|pair| !is_well_formed(pair.as_bytes())) {
        let name = pair.split('=').next().unwrap_or_default();
        return Err(ApiError::malformed(format!("query parameter {name} is not percent-encoded UTF-8")));
    }
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    if let Some((name, _)) = pairs.iter().find(|(name, value)| name.contains('\0') || value.contains('\0')) {
        return Err(ApiError::malformed(format!("query parameter {} contains NUL", name.escape_debug())));
    }
    Ok(FilterReader::new(pairs).strict())
}

/// Whether every `%` begins two hexadecimal digits, and the bytes that come out are UTF-8. (The decoder
/// itself forgives both, and would search for something nobody asked for.)
fn is_well_formed(encoded: &[u8]) -> bool {
    let mut decoded = Vec::with_capacity(encoded.len());
    let mut rest = encoded;
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            decoded.push(*first);
            continue;
        }
        let digits = tail.first_chunk::<2>().and_then(|digits| str::from_utf8(digits).ok());
        let plain = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(byte) = plain.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else { return false };
        decoded.push(byte);
        rest = &tail[2..];
    }
    str::from_utf8(&decoded).is_ok()
}

/// Refuses the first parameter that nobody took.
pub(crate) fn all_known(params: &FilterReader) -> Result<(), ApiError> {
    match params.left_over().next() {
        None => Ok(()),
        Some(name) => Err(ApiError::malformed(format!("unknown query parameter {name}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::is_well_formed;

    #[test]
    fn escapes_are_whole_and_make_utf_8() {
        for good in ["", "a=b", "type=%D1%8F", "type=a+b%20c", "type=я"] {
            assert!(is_well_formed(good.as_bytes()), "{good}");
        }
        for bad in ["type=%", "type=%4", "type=%zz", "type=%+1", "type=%ff", "type=%D1"] {
            assert!(!is_well_formed(bad.as_bytes()), "{bad}");
        }
    }
}
