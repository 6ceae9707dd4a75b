//! Many rows as one part of a statement, such that few texts are ever prepared.
//!
//! PostgreSQL is given an array for each column, so one text does for any number of rows. SQLite has no
//! arrays: there a batch is cut into pieces of a few sizes.

use crate::conn::Dialect;
use crate::sql::{Sql, Value};

const SIZES: [usize; 7] = [64, 32, 16, 8, 4, 2, 1];
/// Bounds what a statement carries.
const MOST: usize = 1_024;

/// The pieces that go into one statement each.
pub(crate) fn pieces<T>(dialect: Dialect, mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = match dialect {
            Dialect::Postgres => rest.len().min(MOST),
            Dialect::Sqlite => SIZES.into_iter().find(|size| *size <= rest.len())?,
        };
        let (piece, after) = rest.split_at(size);
        rest = after;
        (size > 0).then_some(piece)
    })
}

impl Sql {
    /// Appends a table of the rows, of which there is at least one.
    #[must_use]
    pub(crate) fn table<const N: usize>(self, dialect: Dialect, rows: Vec<[Value; N]>) -> Self {
        match dialect {
            Dialect::Sqlite => self.values(rows),
            Dialect::Postgres => self.unnest(rows),
        }
    }

    fn values<const N: usize>(mut self, rows: Vec<[Value; N]>) -> Self {
        for (n, row) in rows.into_iter().enumerate() {
            self = self.push(if n == 0 { "VALUES (" } else { ", (" });
            for (m, value) in row.into_iter().enumerate() {
                self = if m == 0 { self } else { self.push(", ") }.bind_value(value);
            }
            self = self.push(")");
        }
        self
    }

    fn unnest<const N: usize>(mut self, rows: Vec<[Value; N]>) -> Self {
        let mut columns =
            rows.first().map(|row| row.each_ref().map(Value::column)).into_iter().flatten().collect::<Vec<_>>();
        for row in rows {
            for (column, value) in columns.iter_mut().zip(row) {
                column.append(value);
            }
        }
        self = self.push("SELECT * FROM UNNEST(");
        for (n, column) in columns.into_iter().enumerate() {
            let kind = column.kind();
            self = if n == 0 { self } else { self.push(", ") }.bind_value(column).push(kind);
        }
        self.push(")")
    }
}

impl Value {
    /// An empty array of values like this one.
    const fn column(&self) -> Self {
        match self {
            Self::Int(_) | Self::IntArray(_) => Self::IntArray(Vec::new()),
            Self::Text(_) | Self::TextArray(_) => Self::TextArray(Vec::new()),
            Self::Bytes(_) | Self::BytesArray(_) => Self::BytesArray(Vec::new()),
        }
    }

    /// A value of another kind is absent: the type of a column is the type of what is put there.
    fn append(&mut self, value: Self) {
        match (self, value) {
            (Self::IntArray(column), Self::Int(value)) => column.push(value),
            (Self::TextArray(column), Self::Text(value)) => column.push(value),
            (Self::BytesArray(column), Self::Bytes(value)) => column.push(value),
            (column, value) => debug_assert!(false, "{value:?} in {column:?}"),
        }
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Int(_) | Self::IntArray(_) => "::BIGINT[]",
            Self::Text(_) | Self::TextArray(_) => "::TEXT[]",
            Self::Bytes(_) | Self::BytesArray(_) => "::BYTEA[]",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pieces;
    use crate::conn::Dialect;
    use crate::sql::{Bind as _, Sql};

    #[test]
    fn every_row_is_in_one_piece_and_the_pieces_have_few_sizes() {
        let batch: Vec<_> = (0..151).collect();
        let lengths = |dialect| pieces(dialect, &batch).map(<[_]>::len).collect::<Vec<_>>();
        assert_eq!(lengths(Dialect::Sqlite), [64, 64, 16, 4, 2, 1]);
        assert_eq!(lengths(Dialect::Postgres), [151]);
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            assert_eq!(pieces(dialect, &batch).collect::<Vec<_>>().concat(), batch);
            assert_eq!(pieces::<u8>(dialect, &[]).count(), 0);
        }
    }

    #[test]
    fn rows_become_tuples_or_columns() {
        let rows = || vec![[1_i64.value(), "a".value()], [None::<i64>.value(), "b".value()]];
        let text = |dialect| Sql::new("").table(dialect, rows()).text().to_owned();
        assert_eq!(text(Dialect::Sqlite), "VALUES ($1, $2), ($3, $4)");
        assert_eq!(text(Dialect::Postgres), "SELECT * FROM UNNEST($1::BIGINT[], $2::TEXT[])");
    }
}
