//! The law of every list: walking it with any page size yields each row once, in order; the cursor
//! of any row continues exactly behind it; `has_more` is true only if there is more.

use std::time::Duration;

use domain::filter::{AttemptFilter, DeadLetterFilter, DeliveryFilter};
use domain::id::ProjectId;
use domain::page::{Listed, Page, PageRequest, PageStart};
use store::{Sql, StoreError, attempts, dead_letters, deliveries, endpoints, events};

use super::publishing::{endpoint, publish};
use crate::harness::TestStore as Store;

/// Holds a list to its law: `fetch` reads a page, `rows` is how many rows there are.
#[macro_export]
macro_rules! hold_to_the_law {
    ($rows:expr, |$request:ident| $fetch:expr) => {{
        let all = {
            let $request = PageRequest::first(200);
            $fetch
        }
        .data;
        assert_eq!(all.len(), $rows, "the first page of 200 holds everything");
        assert!(all.windows(2).all(|two| two[0].position() > two[1].position()), "newest first, none twice");
        for limit in 1..=u32::try_from(all.len()).unwrap() + 1 {
            let mut walked = Vec::new();
            let mut from = PageStart::First;
            loop {
                let page: Page<_> = {
                    let $request = PageRequest { limit, from };
                    $fetch
                };
                assert!(page.data.len() <= limit as usize);
                let next = page.next();
                walked.extend(page.data);
                assert_eq!(next.is_some(), walked.len() < all.len(), "has_more only if there is more");
                let Some(position) = next else { break };
                from = PageStart::After(position);
            }
            assert_eq!(walked, all, "page size {limit}");
        }
        for (at, row) in all.iter().enumerate() {
            let behind = {
                let $request = PageRequest::after(200, row.position());
                $fetch
            };
            assert_eq!(behind.data, all[at + 1..], "behind row {at}");
            let before = {
                let $request = PageRequest { limit: 3, from: PageStart::Before(row.position()) };
                $fetch
            };
            assert_eq!(before.data, all[at.saturating_sub(3)..at], "before row {at}");
        }
    }};
}

/// Events in groups that share one time, so that the id has to tell them apart.
async fn seed(store: &Store, project: ProjectId) {
    for n in 0..12 {
        publish(store, project, "contact.created", None).await;
        if n % 3 == 2 {
            store.clock.advance(Duration::from_micros(1));
        }
    }
}

crate::contract! {
    async fn events_keep_the_law(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        seed(&store, project).await;
        seed(&store, other).await;
        let mut conn = store.conn().await;
        hold_to_the_law!(12, |request| events::list(&mut conn, project, &events::EventListFilter::default(), request).await.unwrap());
    }

    async fn endpoints_keep_the_law(store: TestStore) {
        let project = store.project().await;
        for _ in 0..7 {
            endpoint(&store, project, "*", true).await;
        }
        let mut conn = store.conn().await;
        hold_to_the_law!(7, |request| endpoints::list(&mut conn, project, request).await.unwrap());
    }

    async fn deliveries_keep_the_law_with_and_without_filters(store: TestStore) {
        let project = store.project().await;
        let first = endpoint(&store, project, "*", true).await;
        endpoint(&store, project, "*", false).await;
        seed(&store, project).await;
        let mut conn = store.conn().await;
        hold_to_the_law!(24, |request| deliveries::list(&mut conn, project, &DeliveryFilter::default(), request).await.unwrap());
        let one = DeliveryFilter { endpoint_id: Some(first.id), ..Default::default() };
        hold_to_the_law!(12, |request| deliveries::list(&mut conn, project, &one, request).await.unwrap());
        let skipped = DeliveryFilter { status: vec!["skipped".parse().unwrap()], ..Default::default() };
        hold_to_the_law!(12, |request| deliveries::list(&mut conn, project, &skipped, request).await.unwrap());
    }

    async fn attempts_keep_the_law_with_and_without_filters(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        seed(&store, project).await;
        copy_deliveries_into_attempts(&store).await;
        let mut conn = store.conn().await;
        hold_to_the_law!(12, |request| attempts::list(&mut conn, project, &AttemptFilter::default(), request).await.unwrap());
        let failed = AttemptFilter { response_status_code: Some("5xx".parse().unwrap()), status: vec!["retrying".parse().unwrap()], ..Default::default() };
        hold_to_the_law!(12, |request| attempts::list(&mut conn, project, &failed, request).await.unwrap());
        let none = AttemptFilter { response_status_code: Some("200".parse().unwrap()), ..Default::default() };
        hold_to_the_law!(0, |request| attempts::list(&mut conn, project, &none, request).await.unwrap());
    }

    async fn an_attempt_is_found_by_its_id_in_its_own_project_alone(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        endpoint(&store, project, "*", true).await;
        seed(&store, project).await;
        copy_deliveries_into_attempts(&store).await;
        let mut conn = store.conn().await;
        let all = attempts::list(&mut conn, project, &AttemptFilter::default(), PageRequest::first(20)).await.unwrap().data;
        for attempt in &all {
            assert_eq!(attempts::get(&mut conn, project, attempt.id).await.unwrap().as_ref(), Some(attempt));
            assert_eq!(attempts::get(&mut conn, other, attempt.id).await.unwrap(), None);
            assert_eq!(attempts::of_delivery(&mut conn, project, attempt.delivery_id).await.unwrap(), std::slice::from_ref(attempt));
        }
        let whole = attempts::get_with_payload(&mut conn, project, all[0].id).await.unwrap().unwrap().payload.unwrap();
        assert!(whole.request_body.contains(r#""data":{"n": 1.10}"#), "{}", whole.request_body);
        assert_eq!(whole.response_body.as_deref(), Some("no\u{fffd}"));
    }

    async fn dead_letters_keep_the_law_and_the_inbox_counts_the_unresolved(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        seed(&store, project).await;
        store.write::<_, _, StoreError>(|tx| Box::pin(async move {
            Sql::new("INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, endpoint_id, request_id, reason, created_at) SELECT 'dlq_' || substr(id, 5), project_id, id, event_id, event_type, endpoint_id, request_id, 'rejected', created_at FROM btx_webhook_delivery").execute(tx).await
        })).await.unwrap();
        let mut conn = store.conn().await;
        hold_to_the_law!(12, |request| dead_letters::list(&mut conn, project, &DeadLetterFilter::default(), request).await.unwrap());
        assert_eq!(dead_letters::count_unresolved(&mut conn, project).await.unwrap(), 12);
        let resolved = DeadLetterFilter { resolved: true, ..Default::default() };
        hold_to_the_law!(0, |request| dead_letters::list(&mut conn, project, &resolved, request).await.unwrap());
    }
}

/// One failed attempt for each delivery, as the recorder would write it.
pub(crate) async fn copy_deliveries_into_attempts(store: &Store) {
    store.write::<_, _, StoreError>(|tx| Box::pin(async move {
        let rows = Sql::new("SELECT id, created_at FROM btx_webhook_delivery").fetch_all(tx).await?;
        for row in rows {
            let at = row.time("created_at")?;
            let id = domain::id::AttemptId::generate(at, tx.entropy());
            Sql::new("INSERT INTO btx_webhook_attempt (id, project_id, delivery_id, event_id, event_type, endpoint_id, request_id, attempt_number, cause, url, status, response_status_code, requested_at, request_headers, response_body, created_at) SELECT ")
                .bind(id)
                .push(", project_id, id, event_id, event_type, endpoint_id, request_id, 1, cause, 'https://example.com', 'retrying', 503, created_at, ")
                .bind(&b"[]"[..])
                .push(", ")
                .bind(&b"no\xff"[..])
                .push(", created_at FROM btx_webhook_delivery WHERE id = ")
                .bind(row.text("id")?)
                .execute(tx)
                .await?;
        }
        Ok(())
    })).await.unwrap();
}
