//! The schema and what is asked about it.

use store::MigrationState;

crate::contract! {
    async fn migrating_twice_changes_nothing_and_the_state_is_current(store: TestStore) {
        assert_eq!(store.migration_state().await.unwrap(), MigrationState::Current);
        store.migrate().await.unwrap();
        assert_eq!(store.migration_state().await.unwrap(), MigrationState::Current);
        store.ping().await.unwrap();
    }

    async fn a_schema_of_a_newer_program_is_told_apart(store: TestStore) {
        store
            .write(|tx| Box::pin(async move {
                store::Sql::new("UPDATE _sqlx_migrations SET version = 9999 WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)").execute(tx).await
            }))
            .await
            .unwrap();
        assert_eq!(store.migration_state().await.unwrap(), MigrationState::Ahead);
    }
}
