//! Many rows at once.

use store::{Sql, StoreError, Tx, Value};

/// Parameters of one statement at most, well below what either database takes.
const PARAMETERS: usize = 12_000;

/// Inserts rows of `columns` (separated by commas) into `table`.
pub(super) async fn insert(tx: &mut Tx, table: &str, columns: &str, rows: Vec<Vec<Value>>) -> Result<(), StoreError> {
    let each = columns.split(',').count();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let mut query = Sql::new(&format!("INSERT INTO {table} ({columns}) VALUES ")).uncached();
        for (n, row) in rows.by_ref().take(PARAMETERS / each).enumerate() {
            query = query.push(if n == 0 { "(" } else { ", (" });
            for (m, value) in row.into_iter().enumerate() {
                query = if m == 0 { query } else { query.push(", ") }.bind_value(value);
            }
            query = query.push(")");
        }
        query.execute(tx).await?;
    }
    Ok(())
}

/// A row out of values of any kind.
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$(store::Bind::value($value)),*] };
}

pub(super) use row;
