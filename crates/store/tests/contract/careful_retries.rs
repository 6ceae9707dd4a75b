//! A careful bulk retry watches what becomes of what it sends, and leaves the rest where it is when an
//! endpoint fails again.

use domain::filter::{DeadLetterFilter, Filter as _};
use domain::id::{EndpointId, JobId, ProjectId};
use domain::model::RetryJob;
use domain::status::RetryJobStatus;
use store::retry_jobs::{self, LEASE, NewRetryJob};
use store::{Sql, StoreError};

use super::retry_jobs::{ask, inbox, letters, sent_again};
use crate::harness::TestStore as Store;

fn careful(endpoint: Option<EndpointId>) -> NewRetryJob {
    NewRetryJob { endpoint_id: endpoint, careful: true, ..NewRetryJob::default() }
}

/// As the engine would record the first attempts at all that waits for one at this endpoint.
async fn attempted(store: &Store, endpoint: EndpointId, status: &'static str) {
    let update = Sql::new("UPDATE btx_webhook_delivery SET attempts_count = 1, next_attempt_at = NULL, status = ")
        .bind(status)
        .push(" WHERE status = 'pending' AND endpoint_id = ")
        .bind(endpoint);
    store.write::<_, _, StoreError>(|tx| Box::pin(async move { update.execute(tx).await })).await.unwrap();
}

async fn turn(store: &Store) {
    store.clock.advance(LEASE);
    assert!(retry_jobs::run_next(store).await.unwrap());
}

async fn job(store: &Store, project: ProjectId, id: JobId) -> RetryJob {
    retry_jobs::get(&mut store.conn().await, project, id).await.unwrap().unwrap()
}

crate::contract! {
    async fn it_begins_with_a_few_and_goes_on_once_they_have_arrived(store: TestStore) {
        let project = store.project().await;
        let to = inbox(&store, project, 1, 30).await[0];
        let id = ask(&store, project, careful(Some(to))).await.id;
        turn(&store).await;
        assert_eq!(job(&store, project, id).await.done, 10);
        turn(&store).await;
        let waits = job(&store, project, id).await;
        assert_eq!((waits.status, waits.done), (RetryJobStatus::Running, 10), "they are under way");
        assert!(!retry_jobs::run_next(&store).await.unwrap(), "and nobody asks again at once");
        attempted(&store, to, "delivered").await;
        turn(&store).await;
        let ended = job(&store, project, id).await;
        assert_eq!((ended.status, ended.total, ended.done, ended.failed), (RetryJobStatus::Completed, 30, 30, 0));
        assert_eq!(sent_again(&store, project).await.len(), 30);
    }

    async fn it_stops_when_the_endpoint_fails_again_and_the_rest_stays_in_the_inbox(store: TestStore) {
        let project = store.project().await;
        let to = inbox(&store, project, 1, 30).await[0];
        let id = ask(&store, project, careful(Some(to))).await.id;
        turn(&store).await;
        attempted(&store, to, "retrying").await;
        turn(&store).await;
        let ended = job(&store, project, id).await;
        assert_eq!((ended.status, ended.total, ended.done, ended.failed), (RetryJobStatus::Stopped, 30, 10, 20));
        assert!(ended.finished_at.is_some());
        assert_eq!((letters(&store, project, false).await.len(), sent_again(&store, project).await.len()), (20, 10));
        // The next job judges by what it sends itself.
        let again = ask(&store, project, careful(Some(to))).await.id;
        store.clock.advance(LEASE);
        assert!(retry_jobs::run_next(&store).await.unwrap());
        assert_eq!(job(&store, project, again).await.done, 10);
    }

    async fn one_event_that_is_refused_stops_nothing(store: TestStore) {
        let project = store.project().await;
        let to = inbox(&store, project, 1, 30).await[0];
        let id = ask(&store, project, careful(Some(to))).await.id;
        turn(&store).await;
        let poisonous = sent_again(&store, project).await[0].id;
        let refuse = Sql::new("UPDATE btx_webhook_delivery SET status = 'dead_lettered', next_attempt_at = NULL WHERE id = ").bind(poisonous);
        store.write::<_, _, StoreError>(|tx| Box::pin(async move { refuse.execute(tx).await })).await.unwrap();
        attempted(&store, to, "delivered").await;
        turn(&store).await;
        assert_eq!(job(&store, project, id).await.status, RetryJobStatus::Completed);
    }

    async fn of_two_endpoints_the_one_that_is_well_gets_all_of_its_own(store: TestStore) {
        let project = store.project().await;
        let ends = inbox(&store, project, 2, 20).await;
        let off = Sql::new("UPDATE btx_webhook_endpoint SET enabled = 0 WHERE id = ").bind(ends[1]);
        store.write::<_, _, StoreError>(|tx| Box::pin(async move { off.execute(tx).await })).await.unwrap();
        let id = ask(&store, project, careful(None)).await.id;
        for _ in 0..2 {
            turn(&store).await;
            attempted(&store, ends[0], "delivered").await;
        }
        let ended = job(&store, project, id).await;
        assert_eq!((ended.status, ended.done, ended.failed), (RetryJobStatus::Stopped, 20, 20));
        assert!(letters(&store, project, false).await.iter().all(|letter| letter.endpoint_id == ends[1]));
    }

    async fn it_covers_exactly_what_the_inbox_showed(store: TestStore) {
        let project = store.project().await;
        let ends = inbox(&store, project, 2, 4).await;
        let code = Sql::new("UPDATE btx_webhook_dead_letter SET last_response_status_code = 401 WHERE endpoint_id = ").bind(ends[0]);
        store.write::<_, _, StoreError>(|tx| Box::pin(async move { code.execute(tx).await })).await.unwrap();
        let pairs = [("response_status_code", "4xx"), ("event_type", "contact.created"), ("reason", "rejected,blocked_address")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let filter = DeadLetterFilter::read(&mut domain::filter::FilterReader::new(pairs)).unwrap();
        let asked = ask(&store, project, NewRetryJob { inbox: Some(filter), ..NewRetryJob::default() }).await;
        assert_eq!(asked.total, 4);
        assert_eq!(retry_jobs::running(&mut store.conn().await, project).await.unwrap().map(|job| job.id), Some(asked.id));
        turn(&store).await;
        assert!(sent_again(&store, project).await.iter().all(|made| made.endpoint_id == ends[0]));
        assert_eq!(letters(&store, project, false).await.len(), 4);
        assert_eq!(retry_jobs::running(&mut store.conn().await, project).await.unwrap(), None);
    }
}
