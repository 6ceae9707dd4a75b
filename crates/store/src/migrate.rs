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

/// Number, description, SQLite text, PostgreSQL text.
const MIGRATIONS: &[(i64, &str, &str, &str)] = &[
    (
        1,
        "foundation",
        include_str!("../../../migrations/sqlite/0001_foundation.sql"),
        include_str!("../../../migrations/postgres/0001_foundation.sql"),
    ),
    (
        2,
        "messages",
        include_str!("../../../migrations/sqlite/0002_messages.sql"),
        include_str!("../../../migrations/postgres/0002_messages.sql"),
    ),
    (
        3,
        "scenarios",
        include_str!("../../../migrations/sqlite/0003_scenarios.sql"),
        include_str!("../../../migrations/postgres/0003_scenarios.sql"),
    ),
    (
        4,
        "catalog",
        include_str!("../../../migrations/sqlite/0004_catalog.sql"),
        include_str!("../../../migrations/postgres/0004_catalog.sql"),
    ),
    (
        5,
        "retry jobs",
        include_str!("../../../migrations/sqlite/0005_retry_jobs.sql"),
        include_str!("../../../migrations/postgres/0005_retry_jobs.sql"),
    ),
    (
        6,
        "inspector",
        include_str!("../../../migrations/sqlite/0006_inspector.sql"),
        include_str!("../../../migrations/postgres/0006_inspector.sql"),
    ),
    (
        7,
        "engine",
        include_str!("../../../migrations/sqlite/0007_engine.sql"),
        include_str!("../../../migrations/postgres/0007_engine.sql"),
    ),
    (
        9,
        "people",
        include_str!("../../../migrations/sqlite/0009_people.sql"),
        include_str!("../../../migrations/postgres/0009_people.sql"),
    ),
    (
        10,
        "endpoint walk",
        include_str!("../../../migrations/sqlite/0010_endpoint_walk.sql"),
        include_str!("../../../migrations/postgres/0010_endpoint_walk.sql"),
    ),
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
