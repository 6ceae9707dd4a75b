//! Catalog imports: each row once, whoever works on them and whenever that one dies.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::filter::{ImportFilter, ItemFilter};
use domain::id::{ImportId, ProjectId, RequestId};
use domain::model::{CatalogImport, MAX_ERRORS};
use domain::page::{Listed, Page, PageRequest, PageStart};
use domain::status::{ImportFormat, ImportStatus};
use store::events::{self, EventListFilter};
use store::imports::{self, ImportRow, LEASE, NewImport};
use store::items::{self, NewItem};
use store::{Sql, StoreError};

use crate::harness::{TestStore as Store, json};
use crate::hold_to_the_law;

fn row(line: u64, sku: &str, price: &str) -> ImportRow {
    let item = NewItem {
        sku: sku.to_owned(),
        name: Some(format!("Tea {sku}")),
        price: Some(json(price)),
        currency: Some("RUB".to_owned()),
        attributes: json(r#"{"n": 1.10}"#),
    };
    ImportRow { line, outcome: Ok(item) }
}

fn bad(line: u64) -> ImportRow {
    ImportRow { line, outcome: Err("sku is required".to_owned()) }
}

/// Stores an import as the API does: its chunks first, then itself.
async fn import(store: &Store, project: ProjectId, chunks: Vec<Vec<ImportRow>>) -> ImportId {
    let id = ImportId::generate(store.now(), store.entropy());
    let request = RequestId::generate(store.now(), store.entropy());
    let total = chunks.iter().map(Vec::len).sum::<usize>().try_into().unwrap();
    let new = NewImport { id, format: ImportFormat::Csv, total, chunks: chunks.len().try_into().unwrap() };
    for (number, rows) in chunks.into_iter().enumerate() {
        imports::stage(store, id, number.try_into().unwrap(), rows).await.unwrap();
    }
    store.write::<_, _, StoreError>(move |tx| Box::pin(imports::insert(tx, project, request, new))).await.unwrap();
    id
}

async fn import_of(store: &Store, project: ProjectId, id: ImportId) -> CatalogImport {
    imports::get(&mut store.conn().await, project, id).await.unwrap().unwrap()
}

async fn prices(store: &Store, project: ProjectId) -> BTreeMap<String, String> {
    let page = items::list(&mut store.conn().await, project, &ItemFilter::default(), PageRequest::first(200)).await;
    page.unwrap().data.into_iter().map(|item| (item.sku, item.price.unwrap().as_str().to_owned())).collect()
}

async fn event_types(store: &Store, project: ProjectId) -> Vec<String> {
    let page =
        events::list(&mut store.conn().await, project, &EventListFilter::default(), PageRequest::first(20)).await;
    page.unwrap().data.into_iter().map(|event| event.event_type).collect()
}

async fn count_chunks(store: &Store) -> i64 {
    let row = Sql::new("SELECT COUNT(*) AS n FROM btx_catalog_chunk").fetch_one(&mut store.conn().await).await;
    row.unwrap().int("n").unwrap()
}

crate::contract! {
    async fn good_rows_are_kept_bad_ones_reported_and_the_end_announced(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let chunks = vec![vec![row(2, "A", "1.10"), bad(3)], vec![row(4, "B", "2"), row(5, "A", "3")]];
        let id = import(&store, project, chunks).await;
        let waiting = import_of(&store, project, id).await;
        assert_eq!((waiting.status, waiting.total, waiting.done), (ImportStatus::Pending, 4, 0));
        assert!(imports::run_next(&store).await.unwrap());
        assert!(!imports::run_next(&store).await.unwrap(), "nothing is left to do");
        let ended = import_of(&store, project, id).await;
        assert_eq!((ended.status, ended.done, ended.failed), (ImportStatus::Completed, 3, 1));
        assert_eq!((ended.errors[0].line, ended.errors[0].reason.as_str()), (3, "sku is required"));
        assert!(ended.started_at.is_some() && ended.finished_at.is_some());
        assert_eq!(prices(&store, project).await, [("A".to_owned(), "3".to_owned()), ("B".to_owned(), "2".to_owned())].into());
        assert_eq!(event_types(&store, project).await, ["catalog.import.completed"]);
        assert_eq!(count_chunks(&store).await, 0);
        let mut conn = store.conn().await;
        assert_eq!(imports::get(&mut conn, other, id).await.unwrap(), None);
        let item = items::list(&mut conn, project, &ItemFilter { sku: Some("A".to_owned()), ..ItemFilter::default() }, PageRequest::first(2)).await.unwrap().data.remove(0);
        assert_eq!(items::get(&mut conn, project, item.id).await.unwrap().as_ref(), Some(&item));
        assert_eq!(items::get(&mut conn, other, item.id).await.unwrap(), None);
        assert_eq!(item.attributes.as_str(), r#"{"n": 1.10}"#);
    }

    async fn an_import_without_a_good_row_fails_and_lists_no_more_than_it_may(store: TestStore) {
        let project = store.project().await;
        let id = import(&store, project, vec![(0..MAX_ERRORS as u64 + 7).map(bad).collect()]).await;
        assert!(imports::run_next(&store).await.unwrap());
        let ended = import_of(&store, project, id).await;
        assert_eq!((ended.status, ended.failed as usize, ended.errors.len()), (ImportStatus::Failed, MAX_ERRORS + 7, MAX_ERRORS));
        assert_eq!(event_types(&store, project).await, ["catalog.import.failed"]);
    }

    async fn what_a_dead_worker_left_is_taken_up_after_its_lease_and_no_row_is_counted_twice(store: TestStore) {
        let project = store.project().await;
        let id = import(&store, project, vec![vec![row(1, "A", "1")], vec![row(2, "B", "2")], vec![row(3, "C", "3")]]).await;
        // One step forward, and then its worker is gone: the row is as that worker's last commit left it.
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move {
            let until = tx.now().plus(LEASE);
            Sql::new("DELETE FROM btx_catalog_chunk WHERE number = 0").execute(tx).await?;
            Sql::new("UPDATE btx_catalog_import SET status = 'running', next_chunk = 1, done = 1, claim_token = 'gone', leased_until = ").bind(until).execute(tx).await
        })).await.unwrap();
        assert!(!imports::run_next(&store).await.unwrap(), "its lease still runs");
        store.clock.advance(LEASE);
        assert!(imports::run_next(&store).await.unwrap());
        let ended = import_of(&store, project, id).await;
        assert_eq!((ended.status, ended.done, ended.failed), (ImportStatus::Completed, 3, 0));
        assert_eq!(prices(&store, project).await.keys().collect::<Vec<_>>(), ["B", "C"]);
        assert_eq!(event_types(&store, project).await, ["catalog.import.completed"]);
    }

    async fn many_workers_store_each_row_once_and_the_latest_import_wins(store: TestStore) {
        let project = store.project().await;
        let mut ids = Vec::new();
        for price in ["1", "2", "3"] {
            let chunks = (0..4_u64).map(|n| (0..5).map(|m| row(n * 5 + m, &format!("S{n}{m}"), price)).collect()).collect();
            ids.push(import(&store, project, chunks).await);
            store.clock.advance(Duration::from_micros(1));
        }
        for _ in 0..3 {
            let ran = futures::future::join_all((0..4).map(|_| imports::run_next(&store))).await;
            assert!(ran.into_iter().all(|outcome| outcome.is_ok()));
        }
        while imports::run_next(&store).await.unwrap() {}
        for id in ids {
            let ended = import_of(&store, project, id).await;
            assert_eq!((ended.status, ended.done), (ImportStatus::Completed, 20));
        }
        let prices = prices(&store, project).await;
        assert_eq!(prices.len(), 20);
        assert!(prices.values().all(|price| price == "3"), "{prices:?}");
        assert_eq!(event_types(&store, project).await.len(), 3);
    }

    async fn an_import_that_never_moves_on_is_given_up(store: TestStore) {
        let project = store.project().await;
        let id = import(&store, project, vec![vec![row(1, "A", "1")]]).await;
        store.write::<_, _, StoreError>(|tx| Box::pin(async move {
            Sql::new("UPDATE btx_catalog_chunk SET content = ").bind(&b"junk"[..]).execute(tx).await
        })).await.unwrap();
        for _ in 0..10 {
            assert!(imports::run_next(&store).await.is_err());
        }
        assert!(imports::run_next(&store).await.unwrap());
        assert_eq!(import_of(&store, project, id).await.status, ImportStatus::Failed);
        assert_eq!(event_types(&store, project).await, ["catalog.import.failed"]);
        assert_eq!(count_chunks(&store).await, 0);
    }

    async fn rows_of_no_import_are_discarded_and_those_of_an_import_are_not(store: TestStore) {
        let project = store.project().await;
        let id = import(&store, project, vec![vec![row(1, "A", "1")]]).await;
        let lost = ImportId::generate(store.now(), store.entropy());
        imports::stage(&store, lost, 0, vec![row(1, "B", "1")]).await.unwrap();
        let forgotten = ImportId::generate(store.now(), store.entropy());
        imports::stage(&store, forgotten, 0, vec![row(1, "C", "1")]).await.unwrap();
        imports::discard(&store, id).await.unwrap();
        imports::discard(&store, lost).await.unwrap();
        assert_eq!(count_chunks(&store).await, 2);
        store.clock.advance(Duration::from_secs(3_601));
        store::maintenance::run(&store, store::maintenance::Retention::default()).await.unwrap();
        assert_eq!(count_chunks(&store).await, 1);
    }

    async fn imports_and_items_keep_the_law(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let mut first = None;
        for n in 0..6_u64 {
            let owner = if n == 2 { other } else { project };
            let rows = (0..3).map(|m| row(m, &format!("S{n}{m}"), "1")).collect();
            first = first.or(Some(import(&store, owner, vec![rows]).await));
            store.clock.advance(Duration::from_micros(n % 2));
        }
        while imports::run_next(&store).await.unwrap() {}
        let mut conn = store.conn().await;
        let all = ImportFilter::default();
        hold_to_the_law!(5, |request| imports::list(&mut conn, project, &all, request).await.unwrap());
        let ended = ImportFilter { status: vec![ImportStatus::Completed], ..ImportFilter::default() };
        hold_to_the_law!(5, |request| imports::list(&mut conn, project, &ended, request).await.unwrap());
        let every = ItemFilter::default();
        hold_to_the_law!(15, |request| items::list(&mut conn, project, &every, request).await.unwrap());
        let of_one = ItemFilter { import_id: first, ..ItemFilter::default() };
        hold_to_the_law!(3, |request| items::list(&mut conn, project, &of_one, request).await.unwrap());
    }
}
