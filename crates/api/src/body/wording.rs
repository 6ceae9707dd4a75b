//! What is told of a body that is not the JSON that was wanted. A parser's own words are for programmers.

/// What some editors and spreadsheets put before UTF-8; it says nothing.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Why a body is not the JSON object that was wanted, for whoever wrote it.
pub(crate) fn not_an_object(error: &serde_json::Error) -> String {
    if error.is_data() { "the body must be a JSON object".to_owned() } else { format!("the body {}", not_json(error)) }
}

/// What is wrong with a text that should be JSON, and where.
pub(crate) fn not_json(error: &serde_json::Error) -> String {
    if error.is_eof() {
        format!("breaks off before its JSON ends, at line {} column {}", error.line(), error.column())
    } else {
        format!("is not valid JSON: {error}")
    }
}

#[cfg(test)]
mod tests {
    use crate::body::Fields;
    use crate::error::ApiError;

    #[test]
    fn what_is_wrong_with_a_body_is_said_in_words_of_ours() {
        for (body, said) in [
            ("[]", "the body must be a JSON object"),
            ("\"x\"", "the body must be a JSON object"),
            ("{\"a\"", "the body breaks off before its JSON ends, at line 1 column 4"),
            ("{\"a\": 1,}", "the body is not valid JSON: trailing comma at line 1 column 9"),
        ] {
            let Err(ApiError::Malformed { reason }) = Fields::parse(body.as_bytes()).map(|_| ()) else { panic!() };
            assert_eq!(reason, said);
        }
    }
}
