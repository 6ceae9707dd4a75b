//! The answer that is given again, and what a look-up shows of it.

use crate::error::StoreError;
use crate::keys::Keyring;
use crate::row::Row;

/// A stored answer: what a replay repeats byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The HTTP status.
    pub status_code: u16,
    /// The operation's own headers, in their order.
    pub headers: Vec<(String, String)>,
    /// The body, before any content encoding.
    pub body: Vec<u8>,
}

impl StoredAnswer {
    /// The body as a look-up shows it: signing secrets taken out.
    pub fn redacted_body(&self) -> String {
        redacted(&self.body)
    }

    pub(super) fn headers_json(&self) -> Result<Vec<u8>, StoreError> {
        serde_json::to_vec(&self.headers).map_err(|error| StoreError::Inconsistent(format!("headers: {error}")))
    }

    pub(super) fn open(keys: &Keyring, context: &str, status_code: u16, row: &Row) -> Result<Self, StoreError> {
        let open = |column: &str| {
            let sealed = row.bytes(column)?;
            keys.open(&sealed, context).map_err(|error| StoreError::Inconsistent(format!("{column}: {error}")))
        };
        let headers = serde_json::from_slice(&open("response_headers")?)
            .map_err(|error| StoreError::Inconsistent(format!("response_headers: {error}")))?;
        Ok(Self { status_code, headers, body: open("response_body")? })
    }
}

/// A body as a look-up shows it: as text, signing secrets taken out.
pub fn redacted(body: &[u8]) -> String {
    const SECRET: &str = "whsec_";
    let body = String::from_utf8_lossy(body);
    let mut parts = body.split(SECRET);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str(SECRET);
        shown.push('…');
        shown.push_str(part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c)));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::StoredAnswer;

    #[test]
    fn a_look_up_shows_no_secret() {
        let body = br#"{"data":{"secret":"whsec_AbC+/12==","url":"https://x"},"also":"whsec_zz"}"#.to_vec();
        let answer = StoredAnswer { status_code: 201, headers: Vec::new(), body };
        assert_eq!(
            answer.redacted_body(),
            "{\"data\":{\"secret\":\"whsec_…\",\"url\":\"https://x\"},\"also\":\"whsec_…\"}"
        );
    }
}
