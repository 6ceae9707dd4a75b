//! The 16 codes of the contract, section 3: frozen. Adding, removing or renaming one is a breaking
//! change, and the exhaustive matches below make the compiler say so.

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:literal;)*) => {
        /// What went wrong, for a program to branch on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $code)] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in the contract's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code),* }
            }

            /// The HTTP status it comes with (a wrong content type answers 415 instead of 400).
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),* }
            }
        }
    };
}

codes! {
    /// The server does not understand the request.
    MalformedRequest = "MALFORMED_REQUEST", 400;
    /// A `POST` came without its key.
    IdempotencyKeyRequired = "IDEMPOTENCY_KEY_REQUIRED", 400;
    /// The cursor is not one of this list's.
    InvalidCursor = "INVALID_CURSOR", 400;
    /// No valid API key.
    Unauthorized = "UNAUTHORIZED", 401;
    /// The key lacks a scope.
    Forbidden = "FORBIDDEN", 403;
    /// The project is full.
    ContactLimitExceeded = "CONTACT_LIMIT_EXCEEDED", 403;
    /// No such thing in this project.
    ResourceNotFound = "RESOURCE_NOT_FOUND", 404;
    /// The path has no such method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", 405;
    /// The resource's state forbids it.
    ResourceConflict = "RESOURCE_CONFLICT", 409;
    /// The key was used for another request.
    IdempotencyKeyReuseConflict = "IDEMPOTENCY_KEY_REUSE_CONFLICT", 409;
    /// The key's first attempt is still running.
    IdempotencyKeyInProgress = "IDEMPOTENCY_KEY_IN_PROGRESS", 409;
    /// The body is over the limit.
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", 413;
    /// Understood, and cannot be carried out.
    ValidationError = "VALIDATION_ERROR", 422;
    /// Too many requests.
    RateLimitExceeded = "RATE_LIMIT_EXCEEDED", 429;
    /// Our fault.
    InternalError = "INTERNAL_ERROR", 500;
    /// Not now.
    ServiceUnavailable = "SERVICE_UNAVAILABLE", 503;
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn there_are_sixteen_and_their_names_are_distinct() {
        let names: std::collections::BTreeSet<_> = ErrorCode::ALL.iter().map(|c| c.as_str()).collect();
        assert_eq!(names.len(), 16);
    }
}
