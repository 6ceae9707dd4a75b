//! One SQL text for two databases: a builder that numbers its `$n` parameters.

use domain::Timestamp;
use domain::event_type::EventType;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::row::Row;

/// A parameter. Each kind is nullable; arrays exist on PostgreSQL only.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number, a flag or a time.
    Int(Option<i64>),
    /// Text.
    Text(Option<String>),
    /// Bytes.
    Bytes(Option<Vec<u8>>),
    /// For `UNNEST`.
    IntArray(Vec<Option<i64>>),
    /// For `UNNEST`.
    TextArray(Vec<Option<String>>),
    /// For `UNNEST`.
    BytesArray(Vec<Option<Vec<u8>>>),
}

/// What can be a parameter.
pub trait Bind {
    /// The parameter that stands for absence.
    const NULL: Value;
    /// As a parameter.
    fn value(self) -> Value;
}

impl<T: Bind> Bind for Option<T> {
    const NULL: Value = T::NULL;
    fn value(self) -> Value {
        self.map_or(T::NULL, Bind::value)
    }
}

macro_rules! bind {
    ($variant:ident: $($kind:ty = $with:expr),* $(,)?) => {$(
        impl Bind for $kind {
            const NULL: Value = Value::$variant(None);
            fn value(self) -> Value {
                let with: fn(Self) -> _ = $with;
                Value::$variant(Some(with(self)))
            }
        }
    )*};
}

bind!(Int: i64 = |v| v, u32 = i64::from, u16 = i64::from, bool = i64::from, Timestamp = Timestamp::as_micros);
bind!(Text: String = |v| v, &str = str::to_owned, &String = Clone::clone);
bind!(Bytes: Vec<u8> = |v| v, &[u8] = <[u8]>::to_vec, &Vec<u8> = Clone::clone);

macro_rules! bind_display {
    ($($kind:ty),* $(,)?) => { bind!(Text: $($kind = |v| v.to_string()),*); };
}

bind_display!(
    domain::id::ProjectId,
    domain::id::UserId,
    domain::id::ApiKeyId,
    domain::id::ContactId,
    domain::id::MessageId,
    domain::id::ImportId,
    domain::id::ItemId,
    domain::id::ScenarioId,
    domain::id::RunId,
    domain::id::EndpointId,
    domain::id::EventId,
    domain::id::DeliveryId,
    domain::id::AttemptId,
    domain::id::DeadLetterId,
    domain::id::JobId,
    domain::id::BinId,
    domain::id::CaptureId,
    domain::id::RequestId,
    domain::id::AuditId,
    domain::status::CaptureKind,
    domain::status::DeliveryStatus,
    domain::status::SkipReason,
    domain::status::CancelReason,
    domain::status::DisabledReason,
    domain::status::DeliveryTrigger,
    domain::status::AttemptTrigger,
    domain::status::AttemptStatus,
    domain::status::AttemptError,
    domain::status::DeadLetterReason,
    domain::status::Resolution,
    domain::status::Role,
    domain::status::IdempotencyStatus,
    domain::status::MessageStatus,
    domain::status::RunStatus,
    domain::status::ImportFormat,
    domain::status::ImportStatus,
    domain::status::RetryJobStatus,
    domain::status::AuditAction,
    domain::status::IdempotencyOutcome,
    &EventType,
);

/// A statement under construction.
#[derive(Clone, Debug)]
pub struct Sql {
    text: String,
    args: Vec<Value>,
    cached: bool,
}

impl Sql {
    /// Begins with `text`. Never put a value into it: that is what [`Self::bind`] is for.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), args: Vec::new(), cached: true }
    }

    /// Appends text.
    #[must_use]
    pub fn push(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Appends a parameter.
    #[must_use]
    pub fn bind(self, value: impl Bind) -> Self {
        self.bind_value(value.value())
    }

    /// Appends a parameter.
    #[must_use]
    pub fn bind_value(mut self, value: Value) -> Self {
        self.args.push(value);
        self.text.push('$');
        self.text.push_str(&self.args.len().to_string());
        self
    }

    /// Appends `(a, b, c)`. An empty list matches nothing.
    #[must_use]
    pub fn bind_list<T: Bind>(mut self, values: impl IntoIterator<Item = T>) -> Self {
        self.text.push('(');
        let mut first = true;
        for value in values {
            if !first {
                self.text.push_str(", ");
            }
            first = false;
            self = self.bind(value);
        }
        self.text.push_str(if first { "NULL)" } else { ")" });
        self
    }

    /// For a text that varies without end (lists of any length): don't keep its prepared statement.
    #[must_use]
    pub const fn uncached(mut self) -> Self {
        self.cached = false;
        self
    }

    /// The text, for plans and tests.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// For whoever wants to see what is asked of the database (`BOTIX_LOG=store::sql=trace`): the text, whose
    /// parameters are numbers, and never a value.
    fn note(&self) {
        tracing::trace!(statement = self.text);
    }

    /// All rows.
    pub async fn fetch_all(self, conn: &mut Conn) -> Result<Vec<Row>, StoreError> {
        self.note();
        match conn {
            Conn::Sqlite(c) => {
                let text = AssertSqlSafe(positional(&self.text));
                let query = sqlx::query_with(text, sqlite_args(self.args)?).persistent(self.cached);
                Ok(query.fetch_all(&mut **c).await?.into_iter().map(Row::Sqlite).collect())
            }
            Conn::Postgres(c) => {
                let query =
                    sqlx::query_with(AssertSqlSafe(self.text), postgres_args(self.args)?).persistent(self.cached);
                Ok(query.fetch_all(c.as_mut()).await?.into_iter().map(Row::Postgres).collect())
            }
        }
    }

    /// The first row, if any.
    pub async fn fetch_optional(self, conn: &mut Conn) -> Result<Option<Row>, StoreError> {
        Ok(self.fetch_all(conn).await?.into_iter().next())
    }

    /// The first row.
    ///
    /// # Errors
    /// Also when there is none.
    pub async fn fetch_one(self, conn: &mut Conn) -> Result<Row, StoreError> {
        self.fetch_optional(conn).await?.ok_or(StoreError::Driver(sqlx::Error::RowNotFound))
    }

    /// How many rows were changed.
    pub async fn execute(self, conn: &mut Conn) -> Result<u64, StoreError> {
        self.note();
        match conn {
            Conn::Sqlite(c) => {
                let text = AssertSqlSafe(positional(&self.text));
                let query = sqlx::query_with(text, sqlite_args(self.args)?).persistent(self.cached);
                Ok(query.execute(&mut **c).await?.rows_affected())
            }
            Conn::Postgres(c) => {
                let query =
                    sqlx::query_with(AssertSqlSafe(self.text), postgres_args(self.args)?).persistent(self.cached);
                Ok(query.execute(c.as_mut()).await?.rows_affected())
            }
        }
    }
}

/// `?` for each `$n`, which the builder numbers in their order anyway. To SQLite `$n` is a name, and it
/// looks each name up along the list of all others: a batch of thousands would cost their square.
fn positional(text: &str) -> String {
    let mut parts = text.split('$');
    let mut positional = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        positional.push('?');
        positional.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    positional
}

fn encode(error: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
    StoreError::Driver(sqlx::Error::Encode(error))
}

fn sqlite_args(values: Vec<Value>) -> Result<SqliteArguments, StoreError> {
    let mut args = SqliteArguments::default();
    for value in values {
        match value {
            Value::Int(v) => args.add(v),
            Value::Text(v) => args.add(v),
            Value::Bytes(v) => args.add(v),
            Value::IntArray(_) | Value::TextArray(_) | Value::BytesArray(_) => {
                Err("arrays are for PostgreSQL only".into())
            }
        }
        .map_err(encode)?;
    }
    Ok(args)
}

fn postgres_args(values: Vec<Value>) -> Result<PgArguments, StoreError> {
    let mut args = PgArguments::default();
    for value in values {
        match value {
            Value::Int(v) => args.add(v),
            Value::Text(v) => args.add(v),
            Value::Bytes(v) => args.add(v),
            Value::IntArray(v) => args.add(v),
            Value::TextArray(v) => args.add(v),
            Value::BytesArray(v) => args.add(v),
        }
        .map_err(encode)?;
    }
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::{Sql, positional};

    #[test]
    fn sqlite_reads_parameters_by_position() {
        let sql = Sql::new("a = ").bind(1_i64).push(" AND b IN ").bind_list(["x"; 10]).push(" LIMIT ").bind(3_u32);
        assert_eq!(positional(sql.text()), "a = ? AND b IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) LIMIT ?");
    }

    #[test]
    fn parameters_are_numbered_in_order_and_an_empty_list_matches_nothing() {
        let sql = Sql::new("a = ").bind(1_i64).push(" AND b IN ").bind_list(["x", "y"]).push(" AND c IN ");
        assert_eq!(sql.bind_list(Vec::<i64>::new()).text(), "a = $1 AND b IN ($2, $3) AND c IN (NULL)");
    }
}
