//! What commits together, and what doesn't.

use std::time::Duration;

use futures::future::join_all;
use store::{Sql, StoreError, projects};

async fn names(store: &crate::harness::TestStore) -> Vec<String> {
    let all = projects::all(&mut store.conn().await, 1_000).await.unwrap();
    all.into_iter().map(|project| project.name).collect()
}

crate::contract! {
    async fn a_failed_write_leaves_nothing_and_its_neighbours_commit(store: TestStore) {
        let writes = (0..50).map(|n| {
            store.write::<_, _, StoreError>(move |tx| Box::pin(async move {
                projects::insert(tx, &format!("{n:02}"), None).await?;
                if n % 2 == 1 { Err(StoreError::Fenced) } else { Ok(()) }
            }))
        });
        let outcomes = join_all(writes).await;
        assert_eq!(outcomes.iter().filter(|o| o.is_ok()).count(), 25);
        let expected: Vec<_> = (0..50).step_by(2).map(|n| format!("{n:02}")).collect();
        assert_eq!(names(&store).await, expected);
    }

    async fn a_panic_in_one_write_is_an_error_to_its_caller_alone(store: TestStore) {
        let bad = store.write::<_, (), StoreError>(|tx| Box::pin(async move {
            projects::insert(tx, "half", None).await?;
            panic!("on purpose");
        }));
        let good = store.write::<_, _, StoreError>(|tx| Box::pin(async move { projects::insert(tx, "whole", None).await }));
        let (bad, good) = futures::future::join(bad, good).await;
        assert!(bad.unwrap_err().is_transient());
        good.unwrap();
        assert_eq!(names(&store).await, ["whole"]);
    }

    async fn a_write_whose_caller_hung_up_still_commits(store: TestStore) {
        let inner = store.store.clone();
        let caller = tokio::spawn(async move {
            inner.write::<_, _, StoreError>(|tx| Box::pin(async move {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                projects::insert(tx, "kept", None).await
            })).await
        });
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        caller.abort();
        for _ in 0..100 {
            if names(&store).await == ["kept"] { return }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("never committed");
    }

    async fn a_savepoint_undoes_what_came_after_it_alone(store: TestStore) {
        store.write::<_, _, StoreError>(|tx| Box::pin(async move {
            projects::insert(tx, "before", None).await?;
            tx.savepoint().await?;
            projects::insert(tx, "after", None).await?;
            // A refused row poisons a PostgreSQL transaction unless one goes back.
            Sql::new("INSERT INTO btx_project SELECT * FROM btx_project").execute(tx).await.unwrap_err();
            tx.rollback_to_savepoint().await?;
            projects::insert(tx, "later", None).await.map(drop)
        })).await.unwrap();
        assert_eq!(names(&store).await, ["before", "later"]);
    }

    async fn a_savepoint_before_the_first_statement_is_the_transaction_s_beginning(store: TestStore) {
        let one = |name: &'static str| store.write::<_, _, StoreError>(move |tx| Box::pin(async move {
            tx.savepoint().await?;
            projects::insert(tx, "undone", None).await?;
            tx.savepoint().await?;
            projects::insert(tx, "undone within", None).await?;
            tx.rollback_to_savepoint().await?;
            projects::insert(tx, "undone after", None).await?;
            Sql::new("INSERT INTO btx_project SELECT * FROM btx_project").execute(tx).await.unwrap_err();
            tx.rollback_to_savepoint().await?;
            projects::insert(tx, name, None).await.map(drop)
        }));
        // Together, so that SQLite's writer puts them into one commit: each has a beginning of its own.
        let (a, b, c) = futures::join!(one("a"), one("b"), one("c"));
        a.unwrap();
        b.unwrap();
        c.unwrap();
        let mut left = names(&store).await;
        left.sort();
        assert_eq!(left, ["a", "b", "c"]);
    }

    async fn a_duplicate_is_told_apart_from_other_failures(store: TestStore) {
        let twice = store.write::<_, _, StoreError>(|tx| Box::pin(async move {
            projects::insert(tx, "one", None).await?;
            Sql::new("INSERT INTO btx_project SELECT * FROM btx_project").execute(tx).await
        })).await;
        assert!(matches!(twice, Err(StoreError::Unique { .. })), "{twice:?}");
    }
}

/// SQLite alone: the log is copied beside the writer, which never stops, and starts anew all the same.
#[tokio::test]
async fn under_writes_without_a_pause_the_log_stays_short() {
    let store = crate::harness::TestStore::sqlite().await;
    let table = store.write::<_, _, StoreError>(|tx| {
        Box::pin(async move { Sql::new("CREATE TABLE ballast (id INTEGER PRIMARY KEY, bytes BLOB)").execute(tx).await })
    });
    table.await.unwrap();
    // 256 pages each, 56,000 in all: fewer than the writer would let gather before it copied them itself.
    for n in 0..220_i64 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let written = store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                let query = Sql::new("INSERT OR REPLACE INTO ballast VALUES (").bind(n % 8).push(", ");
                query.bind(vec![0_u8; 1 << 20]).push(")").execute(tx).await
            })
        });
        written.await.unwrap();
    }
    let log = Sql::new("PRAGMA wal_checkpoint(NOOP)").fetch_one(&mut store.conn().await).await.unwrap();
    let pages = log.int("log").unwrap();
    assert!(pages < 40_000, "{pages} pages");
}
