//! Passwords: Argon2id with the crate's recommended parameters (19 MiB, two passes: OWASP's first
//! choice), always on a thread of its own, because one hash takes tens of milliseconds.

use std::fmt;
use std::str::FromStr;

use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};
use domain::Entropy;
use domain::entropy::random_bytes;

use crate::error::StoreError;

/// A password's hash in PHC form. Says nothing when printed for debugging.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

/// The text is no password hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no password hash")]
pub struct InvalidHash;

impl PasswordHash {
    /// The PHC text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PasswordHash {
    type Err = InvalidHash;
    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        argon2::PasswordHash::new(text).map(|_| Self(text.to_owned())).map_err(|_| InvalidHash)
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash")
    }
}

/// Hashes a password with a fresh salt.
pub async fn hash(password: String, entropy: &dyn Entropy) -> Result<PasswordHash, StoreError> {
    let salt = random_bytes::<16>(entropy);
    let work = move || Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map(|h| h.to_string());
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(text)) => Ok(PasswordHash(text)),
        Ok(Err(error)) => Err(StoreError::Inconsistent(format!("password: {error}"))),
        Err(_) => Err(StoreError::Unavailable("hashing was interrupted".to_owned())),
    }
}

/// Whether the password is the one that was hashed.
pub async fn verify(password: String, hash: PasswordHash) -> Result<bool, StoreError> {
    let work = move || {
        argon2::PasswordHash::new(hash.as_str())
            .is_ok_and(|parsed| Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok())
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Unavailable("hashing was interrupted".to_owned()))
}

/// A hash that nothing matches, checked when the address is unknown, so that the time taken does not
/// tell which addresses exist.
pub fn decoy() -> PasswordHash {
    PasswordHash(
        "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;
    impl Entropy for Sevens {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    #[tokio::test]
    async fn only_the_hashed_password_matches() {
        let hashed = hash("correct horse".to_owned(), &Sevens).await.unwrap();
        assert!(hashed.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(verify("correct horse".to_owned(), hashed.clone()).await.unwrap());
        assert!(!verify("Correct horse".to_owned(), hashed).await.unwrap());
    }

    #[tokio::test]
    async fn the_decoy_is_a_readable_hash_that_nothing_matches() {
        assert!(decoy().as_str().parse::<PasswordHash>().is_ok());
        assert!(!verify(String::new(), decoy()).await.unwrap());
    }
}
