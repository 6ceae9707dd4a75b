//! A row of either database, read by column name.

use std::fmt::Display;
use std::str::FromStr;

use domain::Timestamp;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use crate::error::StoreError;

/// One row of a result.
pub enum Row {
    /// From SQLite.
    Sqlite(SqliteRow),
    /// From PostgreSQL.
    Postgres(PgRow),
}

impl Row {
    /// A number.
    pub fn int(&self, column: &str) -> Result<i64, StoreError> {
        self.opt_int(column)?.ok_or_else(|| null(column))
    }

    /// A number or nothing.
    pub fn opt_int(&self, column: &str) -> Result<Option<i64>, StoreError> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// A number that fits a smaller type.
    pub fn small<T: TryFrom<i64>>(&self, column: &str) -> Result<T, StoreError> {
        T::try_from(self.int(column)?).map_err(|_| inconsistent(column, "out of range"))
    }

    /// A number that fits a smaller type, or nothing.
    pub fn opt_small<T: TryFrom<i64>>(&self, column: &str) -> Result<Option<T>, StoreError> {
        let Some(number) = self.opt_int(column)? else { return Ok(None) };
        T::try_from(number).map(Some).map_err(|_| inconsistent(column, "out of range"))
    }

    /// A flag.
    pub fn flag(&self, column: &str) -> Result<bool, StoreError> {
        Ok(self.int(column)? != 0)
    }

    /// A time.
    pub fn time(&self, column: &str) -> Result<Timestamp, StoreError> {
        self.int(column).map(Timestamp::from_micros)
    }

    /// A time or nothing.
    pub fn opt_time(&self, column: &str) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.opt_int(column)?.map(Timestamp::from_micros))
    }

    /// Text.
    pub fn text(&self, column: &str) -> Result<String, StoreError> {
        self.opt_text(column)?.ok_or_else(|| null(column))
    }

    /// Text or nothing.
    pub fn opt_text(&self, column: &str) -> Result<Option<String>, StoreError> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// Bytes.
    pub fn bytes(&self, column: &str) -> Result<Vec<u8>, StoreError> {
        self.opt_bytes(column)?.ok_or_else(|| null(column))
    }

    /// Bytes or nothing.
    pub fn opt_bytes(&self, column: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// An id, a word of a closed vocabulary, or whatever else reads from text.
    pub fn parse<T: FromStr<Err: Display>>(&self, column: &str) -> Result<T, StoreError> {
        self.text(column)?.parse().map_err(|error| inconsistent(column, error))
    }

    /// As [`Self::parse`], or nothing.
    pub fn opt_parse<T: FromStr<Err: Display>>(&self, column: &str) -> Result<Option<T>, StoreError> {
        let Some(text) = self.opt_text(column)? else { return Ok(None) };
        text.parse().map(Some).map_err(|error| inconsistent(column, error))
    }

    /// JSON stored as bytes.
    pub fn json<T: serde::de::DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        serde_json::from_slice(&self.bytes(column)?).map_err(|error| inconsistent(column, error))
    }
}

fn null(column: &str) -> StoreError {
    StoreError::Inconsistent(format!("{column} is null"))
}

fn inconsistent(column: &str, why: impl Display) -> StoreError {
    StoreError::Inconsistent(format!("{column}: {why}"))
}
