//! Why a command ended without success, in one line.

use std::fmt;
use std::process::ExitCode;

use store::StoreError;

use crate::config::ConfigError;

/// Shown on standard error.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A wrong setting.
    Config(ConfigError),
    /// Something that the caller can mend.
    Refused(String),
    /// The ledger does not add up.
    Unbalanced,
    /// The database that `DATABASE_URL` names can't be opened or asked; its driver never repeats the URL.
    Database(StoreError),
    /// The database.
    Store(StoreError),
    /// The system.
    Io(std::io::Error),
}

impl Failure {
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self::Refused(text.into())
    }

    /// 2 for what was asked wrongly, 1 for what went wrong.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Config(_) | Self::Refused(_) => 2,
            Self::Unbalanced | Self::Database(_) | Self::Store(_) | Self::Io(_) => 1,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Config(error) => error.to_string(),
            Self::Refused(text) => text.clone(),
            Self::Unbalanced => "the ledger does not balance: see faults and endpoints".to_owned(),
            Self::Database(error) => format!("DATABASE_URL: {error}"),
            Self::Store(error) => error.to_string(),
            Self::Io(error) => error.to_string(),
        };
        f.write_str(&text.replace('\n', " "))
    }
}

impl std::error::Error for Failure {}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
