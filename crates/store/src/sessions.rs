//! Signed-in browsers. The database holds a hash of each token only: whoever reads the table can't
//! sign in with it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use domain::entropy::random_bytes;
use domain::id::UserId;
use domain::model::User;
use sha2::{Digest as _, Sha256};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::users;

const TOKEN_BYTES: usize = 32;

/// What the cookie carries: 256 random bits. Says nothing when printed for debugging.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken([u8; TOKEN_BYTES]);

/// The text is no session token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no session token")]
pub struct InvalidToken;

/// Somebody who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Who.
    pub user: User,
    /// Until when.
    pub expires_at: Timestamp,
}

impl SessionToken {
    /// For the cookie.
    pub fn expose(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }
}

impl FromStr for SessionToken {
    type Err = InvalidToken;
    fn from_str(text: &str) -> Result<Self, InvalidToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidToken)?;
        bytes.try_into().map(Self).map_err(|_| InvalidToken)
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken")
    }
}

/// Opens a session, and clears away those that have expired.
pub async fn create(tx: &mut Tx, user: UserId, lifetime: Duration) -> Result<SessionToken, StoreError> {
    let now = tx.now();
    let token = SessionToken(random_bytes(tx.entropy()));
    Sql::new("DELETE FROM btx_session WHERE expires_at <= ").bind(now).execute(tx).await?;
    Sql::new("INSERT INTO btx_session (token_hash, user_id, created_at, expires_at) VALUES (")
        .bind(token.hash())
        .push(", ")
        .bind(user)
        .push(", ")
        .bind(now)
        .push(", ")
        .bind(now.plus(lifetime))
        .push(")")
        .execute(tx)
        .await?;
    Ok(token)
}

/// Who holds this token, unless it has expired by `now`.
pub async fn find(conn: &mut Conn, token: &SessionToken, now: Timestamp) -> Result<Option<Session>, StoreError> {
    let query = Sql::new("SELECT u.id, u.email, u.created_at, s.expires_at FROM btx_session s ")
        .push("JOIN btx_user u ON u.id = s.user_id WHERE s.token_hash = ")
        .bind(token.hash())
        .push(" AND s.expires_at > ")
        .bind(now);
    let Some(row) = query.fetch_optional(conn).await? else { return Ok(None) };
    Ok(Some(Session { user: users::read(&row)?, expires_at: row.time("expires_at")? }))
}

/// Ends a session.
pub async fn delete(tx: &mut Tx, token: &SessionToken) -> Result<(), StoreError> {
    Sql::new("DELETE FROM btx_session WHERE token_hash = ").bind(token.hash()).execute(tx).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_from_the_cookie_and_nothing_else_does() {
        let token = SessionToken([9; TOKEN_BYTES]);
        assert_eq!(token.expose().parse(), Ok(token.clone()));
        assert_eq!(format!("{token:?}"), "SessionToken");
        for wrong in ["", "abc", "!!", &token.expose()[1..], &format!("{}AA", token.expose())] {
            assert_eq!(wrong.parse::<SessionToken>(), Err(InvalidToken), "{wrong}");
        }
    }
}
