//! The schema's versions, embedded, numbered alike for both databases.

use std::borrow::Cow;
use std::time::Duration;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::PgPool;
use sqlx::sqlite::SqliteConnection;

use crate::conn::{Conn, Dialect};
use crate::error::StoreError;
use crate::sql::Sql;

/// Number, file name, SQLite text, PostgreSQL text.
macro_rules! migrations {
    ($($number:literal $name:literal)*) => {
        &[$((
            $number,
            $name,
            include_str!(concat!("../../../migrations/sqlite/", $name, ".sql")),
            include_str!(concat!("../../../migrations/postgres/", $name, ".sql")),
        )),*]
    };
}

const MIGRATIONS: &[(i64, &str, &str, &str)] = migrations![
    1 "0001_foundation"
    2 "0002_messages"
    3 "0003_scenarios"
    4 "0004_catalog"
    5 "0005_retry_jobs"
    6 "0006_inspector"
    7 "0007_engine"
    9 "0009_people"
    10 "0010_endpoint_walk"
    11 "0011_key_indexes"
    12 "0012_conflicts"
];

/// How often a migration that failed is tried again, and after which pause: two seconds in all.
const MOST_TRIES: u32 = 40;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// How a database compares to this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationState {
    /// Just as this program expects.
    Current,
    /// Migrations are missing.
    Behind,
    /// A newer program has migrated it.
    Ahead,
}

fn migrator(dialect: Dialect) -> Migrator {
    let migrations = MIGRATIONS.iter().map(|&(version, description, sqlite, postgres)| {
        let text = if dialect == Dialect::Sqlite { sqlite } else { postgres };
        Migration::new(version, Cow::Borrowed(description), MigrationType::Simple, text.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// Two processes may find the same fresh file at once (a server, and a command beside it). SQLite has
/// no lock that spans migrations, so whoever comes second fails on the first's table, and finds its
/// work done when it looks again.
pub(crate) async fn sqlite(conn: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut tries = 0;
    loop {
        match migrator(Dialect::Sqlite).run_direct(None, conn, false).await {
            Ok(()) => return Ok(()),
            Err(error) if tries == MOST_TRIES => return Err(error.into()),
            Err(_) => tries += 1,
        }
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
}

pub(crate) async fn postgres(pool: &PgPool) -> Result<(), StoreError> {
    Ok(migrator(Dialect::Postgres).run(pool).await?)
}

pub(crate) async fn state(conn: &mut Conn) -> Result<MigrationState, StoreError> {
    let exists = match conn.dialect() {
        Dialect::Sqlite => "SELECT COUNT(*) AS n FROM sqlite_master WHERE name = '_sqlx_migrations'",
        Dialect::Postgres => "SELECT COUNT(*) AS n FROM pg_class WHERE oid = to_regclass('_sqlx_migrations')",
    };
    if Sql::new(exists).fetch_one(conn).await?.int("n")? == 0 {
        return Ok(MigrationState::Behind);
    }
    let applied = Sql::new("SELECT COALESCE(MAX(version), 0) AS version FROM _sqlx_migrations");
    let applied = applied.fetch_one(conn).await?.int("version")?;
    let newest = MIGRATIONS.last().map_or(0, |migration| migration.0);
    Ok(match applied.cmp(&newest) {
        std::cmp::Ordering::Less => MigrationState::Behind,
        std::cmp::Ordering::Equal => MigrationState::Current,
        std::cmp::Ordering::Greater => MigrationState::Ahead,
    })
}

#[cfg(test)]
mod tests {
    use super::MIGRATIONS;

    #[test]
    fn every_file_of_migrations_is_carried_out() {
        for kind in ["sqlite", "postgres"] {
            let folder = format!("{}/../../migrations/{kind}", env!("CARGO_MANIFEST_DIR"));
            let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
            let mut files: Vec<_> = files.collect();
            files.sort();
            let listed: Vec<_> = MIGRATIONS.iter().map(|(_, name, ..)| format!("{name}.sql")).collect();
            assert_eq!(files, listed, "{kind}");
        }
        for (number, name, ..) in MIGRATIONS {
            assert!(name.starts_with(&format!("{number:04}_")), "{name}");
        }
    }
}
