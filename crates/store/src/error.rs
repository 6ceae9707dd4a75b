//! What can go wrong with the database, as its callers need to tell it apart.

/// A failed database operation. The text is for the log; callers must not show it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database can't be reached, is overloaded, or gave up a call: try again later.
    #[error("database unavailable: {0}")]
    Unavailable(String),
    /// A unique constraint refused the row.
    #[error("unique constraint {constraint} violated")]
    Unique {
        /// PostgreSQL: the constraint's name; SQLite: `table.column, table.column`.
        constraint: String,
    },
    /// A stored row makes no sense to this version.
    #[error("inconsistent row: {0}")]
    Inconsistent(String),
    /// The claim or capture was lost to somebody else meanwhile.
    #[error("the row was taken over meanwhile")]
    Fenced,
    /// Anything else that the driver reports.
    #[error("database error: {0}")]
    Driver(#[source] sqlx::Error),
    /// The migrations failed.
    #[error("migration failed: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

impl StoreError {
    /// Whether the same call may succeed a little later.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }

    /// Whether a unique constraint whose name or columns contain `part` refused the row.
    pub fn is_unique(&self, part: &str) -> bool {
        matches!(self, Self::Unique { constraint } if constraint.contains(part))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::Io(_)
            | sqlx::Error::Tls(_) => Self::Unavailable(error.to_string()),
            sqlx::Error::Database(database) if database.is_unique_violation() => Self::Unique {
                constraint: database.constraint().map_or_else(|| database.message().to_owned(), str::to_owned),
            },
            sqlx::Error::Database(database) if is_passing(database.code().as_deref()) => {
                Self::Unavailable(error.to_string())
            }
            _ => Self::Driver(error),
        }
    }
}

/// Codes of conditions that pass by themselves: SQLite busy and locked; PostgreSQL's connection,
/// resource, operator-intervention, serialisation, deadlock and read-only classes.
fn is_passing(code: Option<&str>) -> bool {
    let Some(code) = code else { return false };
    if code.len() == 5 {
        return ["08", "53", "57"].iter().any(|class| code.starts_with(class))
            || ["40001", "40P01", "25006", "55P03"].contains(&code);
    }
    code.parse::<u32>().is_ok_and(|number| matches!(number & 0xff, 5 | 6))
}
