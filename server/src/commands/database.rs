//! Opening the database as configured.

use std::path::Path;
use std::sync::Arc;

use domain::Clock;
use store::spans::Spans;
use store::{Environment, MigrationState, Store, StoreConfig};

use crate::config::{Config, Database, keyring, private_folder, private_if_missing};
use crate::failure::Failure;
use crate::surroundings::{SystemClock, SystemEntropy};

/// Connections to PostgreSQL of one process.
const MAX_CONNECTIONS: u32 = 16;

/// Opens the database. Does not migrate it.
pub(crate) async fn open(config: &Config) -> Result<Store, Failure> {
    open_with(config, Arc::new(SystemClock), None).await
}

/// Opens the database with a clock of one's own, and with whoever collects spans.
pub(crate) async fn open_with(
    config: &Config,
    clock: Arc<dyn Clock>,
    spans: Option<Arc<dyn Spans>>,
) -> Result<Store, Failure> {
    let keys = keyring(config, &SystemEntropy)?;
    let place = match &config.database {
        Database::Sqlite { path } => {
            if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
                private_folder(folder)?;
            }
            // To SQLite an empty file is an empty database; its companions take after it.
            private_if_missing(path)?;
            StoreConfig::Sqlite { path: path.clone() }
        }
        Database::Postgres { url } => {
            StoreConfig::Postgres { url: url.expose().to_owned(), max_connections: MAX_CONNECTIONS }
        }
    };
    let environment = Environment {
        clock,
        entropy: Arc::new(SystemEntropy),
        keys,
        schedule: config.retry_schedule.clone(),
        auto_disable_after: config.auto_disable_after,
        spans,
    };
    Store::open(place, environment).await.map_err(Failure::Database)
}

/// Opens the database for a command. A SQLite file is migrated, PostgreSQL must have been.
pub(crate) async fn ready(config: &Config) -> Result<Store, Failure> {
    let store = open(config).await?;
    prepare(&store, config, false).await?;
    Ok(store)
}

/// SQLite migrates by itself, PostgreSQL only when asked.
pub(crate) async fn prepare(store: &Store, config: &Config, migrate: bool) -> Result<(), Failure> {
    let state = store.migration_state().await.map_err(Failure::Database)?;
    let by_itself = matches!(config.database, Database::Sqlite { .. });
    match state {
        MigrationState::Behind if by_itself || migrate => Ok(store.migrate().await?),
        MigrationState::Behind => {
            Err(Failure::refused("the database is not migrated: run botix migrate, or botix serve --migrate"))
        }
        MigrationState::Ahead => Err(Failure::refused("the database is newer than this program: update botix")),
        MigrationState::Current => Ok(()),
    }
}
