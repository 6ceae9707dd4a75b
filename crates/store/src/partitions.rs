//! Daily partitions of attempts and requests on PostgreSQL: retention drops a day instead of
//! deleting its rows. SQLite has none, and nothing here to do.

use std::time::Duration;

use domain::Timestamp;

use crate::conn::Dialect;
use crate::error::StoreError;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

const DAY: Duration = Duration::from_secs(86_400);
const PARTITIONED: [&str; 2] = ["btx_webhook_attempt", "btx_request"];
/// Behind today: what a seeded fortnight or an imported log may fall into.
const BEHIND: u32 = 15;
/// Ahead of today: how long the maintenance may be down before rows go to the default partition.
const AHEAD: u32 = 7;

/// Makes the partitions around today that are missing. Safe to run from several replicas at once.
///
/// # Errors
/// When the database refuses.
pub(crate) async fn ensure(store: &Store) -> Result<(), StoreError> {
    if store.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    let first = store.now().day().minus(DAY * BEHIND);
    let days: Vec<_> = (0..=BEHIND + AHEAD).map(|n| first.plus(DAY * n)).collect();
    store
        .write(move |tx| {
            Box::pin(async move {
                // One replica at a time; the others then find everything in place.
                Sql::new("SELECT pg_advisory_xact_lock(7166530)").execute(tx).await?;
                for table in PARTITIONED {
                    for day in &days {
                        let (from, to) = (day.as_micros(), day.plus(DAY).as_micros());
                        let name = format!("{table}_{}", day_suffix(*day));
                        if is_settled(tx, table, &name, *day).await? {
                            continue;
                        }
                        let ddl = format!(
                            "CREATE TABLE IF NOT EXISTS {name} PARTITION OF {table} FOR VALUES FROM ({from}) TO ({to})"
                        );
                        Sql::new(&ddl).uncached().execute(tx).await?;
                    }
                }
                Ok(())
            })
        })
        .await
}

/// Whether a day has its partition, or has begun in the default one: then it stays there, for rows
/// don't move, and PostgreSQL refuses a partition for what is already elsewhere.
async fn is_settled(tx: &mut Tx, table: &str, name: &str, day: Timestamp) -> Result<bool, StoreError> {
    let exists = Sql::new("SELECT 1 AS one WHERE to_regclass(").bind(name).push(") IS NOT NULL");
    if exists.fetch_optional(tx).await?.is_some() {
        return Ok(true);
    }
    let begun = Sql::new(&format!("SELECT 1 AS one FROM {table}_rest WHERE created_at >= "));
    let begun = begun.bind(day).push(" AND created_at < ").bind(day.plus(DAY)).push(" LIMIT 1");
    Ok(begun.fetch_optional(tx).await?.is_some())
}

/// Drops every day that ends before `limit`.
///
/// # Errors
/// When the database refuses.
pub(crate) async fn drop_before(store: &Store, limit: Timestamp) -> Result<(), StoreError> {
    let oldest_kept = day_suffix(limit);
    store
        .write(move |tx| {
            Box::pin(async move {
                Sql::new("SELECT pg_advisory_xact_lock(7166530)").execute(tx).await?;
                for table in PARTITIONED {
                    let query = Sql::new("SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass(")
                        .bind(table)
                        .push(")");
                    for row in query.fetch_all(tx).await? {
                        let name = row.text("name")?;
                        let day = name.rsplit('_').next().unwrap_or_default();
                        let is_day = day.len() == 8 && day.bytes().all(|b| b.is_ascii_digit());
                        if is_day && day < oldest_kept.as_str() {
                            Sql::new(&format!("DROP TABLE {name}")).uncached().execute(tx).await?;
                        }
                    }
                }
                Ok(())
            })
        })
        .await
}

/// `20260522`: how a day's partition is called.
fn day_suffix(day: Timestamp) -> String {
    day.to_rfc3339()[..10].replace('-', "")
}
