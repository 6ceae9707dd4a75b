//! The log of API requests, and the trace that follows from one.

use std::time::Duration;

use domain::id::{ProjectId, RequestId};
use domain::model::ApiRequest;
use domain::page::{Listed, Page, PageRequest, PageStart};
use domain::status::IdempotencyOutcome;
use store::StoreError;
use store::requests::{self, NewRequest, RequestListFilter};

use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;
use crate::hold_to_the_law;

fn request(store: &Store, project: ProjectId, status_code: u16) -> NewRequest {
    let now = store.now();
    NewRequest {
        project,
        replayed_request_id: None,
        request: ApiRequest {
            id: RequestId::generate(now, store.entropy()),
            method: "POST".to_owned(),
            path: "/public/v1/contacts".to_owned(),
            status_code,
            error_code: (status_code >= 400).then(|| "VALIDATION_ERROR".to_owned()),
            duration_ms: 12,
            api_key_id: None,
            remote_ip: Some("203.0.113.9".to_owned()),
            user_agent: None,
            idempotency_key: Some(format!("k{status_code}")),
            idempotency_outcome: Some(IdempotencyOutcome::Executed),
            created_at: now,
        },
    }
}

async fn log(store: &Store, rows: Vec<NewRequest>) {
    let logged =
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { requests::insert_all(tx, &rows).await }));
    logged.await.unwrap();
}

crate::contract! {
    async fn a_logged_request_is_found_by_its_id_in_its_project(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let row = request(&store, project, 201);
        log(&store, vec![row.clone()]).await;
        let mut conn = store.conn().await;
        assert_eq!(requests::get(&mut conn, project, row.request.id).await.unwrap(), Some(row.request.clone()));
        assert_eq!(requests::get(&mut conn, other, row.request.id).await.unwrap(), None);
        assert!(requests::get_with_trace(&mut conn, other, row.request.id).await.unwrap().is_none());
    }

    async fn many_are_logged_at_once_and_none_is_lost(store: TestStore) {
        let project = store.project().await;
        let rows: Vec<_> = (0..1_101).map(|_| request(&store, project, 200)).collect();
        let last = rows.last().unwrap().request.id;
        log(&store, rows).await;
        log(&store, Vec::new()).await;
        assert!(requests::get(&mut store.conn().await, project, last).await.unwrap().is_some());
        let filter = RequestListFilter::default();
        let page = requests::list(&mut store.conn().await, project, &filter, PageRequest { limit: 200, from: PageStart::Offset(1_000) }).await.unwrap();
        assert_eq!((page.data.len(), page.has_more), (101, false));
    }

    async fn a_request_leads_to_what_followed_and_a_webhook_to_its_side_of_it(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        let row = request(&store, project, 201);
        let id = row.request.id;
        log(&store, vec![row]).await;
        let event = publish(&store, project, "contact.created", Some(id)).await;
        let mut conn = store.conn().await;
        let found = requests::get_with_trace(&mut conn, project, id).await.unwrap().unwrap();
        assert_eq!(found.request.unwrap().id, id);
        assert_eq!((&found.trace.events[..], found.trace.deliveries.len()), (&[event][..], 1));
        let webhook = found.trace.deliveries[0].request_id;
        let seen = requests::get_with_trace(&mut conn, project, webhook).await.unwrap().unwrap();
        assert!(seen.request.is_none());
        assert_eq!(seen.trace, found.trace);
    }

    async fn requests_are_walked_like_every_list(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        for n in 0..10_u64 {
            let owner = if n == 4 { other } else { project };
            let row = request(&store, owner, if n % 2 == 0 { 201 } else { 422 });
            log(&store, vec![row]).await;
            store.clock.advance(Duration::from_micros(n % 3));
        }
        let any = RequestListFilter::default();
        let refused = RequestListFilter { status_code: "4xx".parse().ok(), ..any.clone() };
        let keyed = RequestListFilter { idempotency_key: Some("k201".to_owned()), method: Some("POST".to_owned()), ..any.clone() };
        hold_to_the_law!(9, |request| requests::list(&mut store.conn().await, project, &any, request).await.unwrap());
        hold_to_the_law!(5, |request| requests::list(&mut store.conn().await, project, &refused, request).await.unwrap());
        hold_to_the_law!(4, |request| requests::list(&mut store.conn().await, project, &keyed, request).await.unwrap());
    }
}
