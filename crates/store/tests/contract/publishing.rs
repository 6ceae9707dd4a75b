//! An event and its deliveries come into being together.

use domain::filter::DeliveryFilter;
use domain::id::{ProjectId, RequestId};
use domain::model::Event;
use domain::page::PageRequest;
use domain::status::{DeliveryStatus, SkipReason};
use store::StoreError;
use store::deliveries;
use store::endpoints::{self, NewEndpoint};
use store::events::{self, EventListFilter, NewEvent};

use crate::harness::{TestStore as Store, json};

pub(crate) async fn endpoint(
    store: &Store,
    project: ProjectId,
    pattern: &str,
    enabled: bool,
) -> domain::model::Endpoint {
    let new = NewEndpoint {
        url: "https://example.com/hook".to_owned(),
        event_types: vec![pattern.parse().unwrap()],
        description: None,
        enabled,
    };
    store.write::<_, _, StoreError>(move |tx| Box::pin(endpoints::insert(tx, project, new))).await.unwrap()
}

pub(crate) async fn publish(store: &Store, project: ProjectId, event_type: &str, request: Option<RequestId>) -> Event {
    let new = NewEvent { event_type: event_type.parse().unwrap(), data: json(r#"{"n": 1.10}"#), request_id: request };
    store.write::<_, _, StoreError>(move |tx| Box::pin(events::publish(tx, project, new))).await.unwrap()
}

crate::contract! {
    async fn an_event_reaches_each_endpoint_that_subscribes_and_no_other_project(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let exact = endpoint(&store, ours, "contact.created", true).await;
        let prefix = endpoint(&store, ours, "contact.*", true).await;
        endpoint(&store, ours, "payment.*", true).await;
        endpoint(&store, theirs, "*", true).await;
        let event = publish(&store, ours, "contact.created", None).await;
        let page = deliveries::list(&mut store.conn().await, ours, &DeliveryFilter::default(), PageRequest::first(20)).await.unwrap();
        let mut to: Vec<_> = page.data.iter().map(|d| d.endpoint_id).collect();
        to.sort();
        let mut expected = vec![exact.id, prefix.id];
        expected.sort();
        assert_eq!(to, expected);
        assert!(page.data.iter().all(|d| d.event_id == event.id && d.status == DeliveryStatus::Pending && d.next_attempt_at == Some(event.created_at)));
        let none = deliveries::list(&mut store.conn().await, theirs, &DeliveryFilter::default(), PageRequest::first(20)).await.unwrap();
        assert!(none.data.is_empty());
    }

    async fn an_event_whose_data_is_no_object_is_not_stored(store: TestStore) {
        let project = store.project().await;
        for data in ["[{}, true]", "null", "\"{\""] {
            let new = NewEvent { event_type: "contact.updated".parse().unwrap(), data: json(data), request_id: None };
            let made = store.write::<_, _, StoreError>(move |tx| Box::pin(events::publish(tx, project, new))).await;
            assert!(matches!(made, Err(StoreError::Inconsistent(_))), "{data}");
        }
        let page = events::list(&mut store.conn().await, project, &EventListFilter::default(), PageRequest::first(20)).await.unwrap();
        assert!(page.data.is_empty());
    }

    async fn a_test_goes_to_that_endpoint_only(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let to = endpoint(&store, ours, "payment.*", true).await.id;
        endpoint(&store, ours, "*", true).await;
        let send = |project| store.write::<_, _, StoreError>(move |tx| Box::pin(async move { events::send_test(tx, project, to, None).await }));
        assert!(send(theirs).await.unwrap().is_none(), "another project's endpoint does not exist");
        let (event, made) = send(ours).await.unwrap().unwrap();
        let page = deliveries::list(&mut store.conn().await, ours, &DeliveryFilter::default(), PageRequest::first(20)).await.unwrap();
        let [delivery] = &page.data[..] else { panic!("{page:?}") };
        assert_eq!((delivery.id, delivery.endpoint_id, delivery.event_id), (made, to, event.id));
        assert_eq!((event.event_type.as_str(), delivery.trigger), ("webhook.test", domain::status::DeliveryTrigger::Test));
    }

    async fn events_to_disabled_endpoint_vanish_never_they_are_skipped(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", false).await;
        publish(&store, project, "contact.created", None).await;
        let page = deliveries::list(&mut store.conn().await, project, &DeliveryFilter::default(), PageRequest::first(20)).await.unwrap();
        let [delivery] = &page.data[..] else { panic!("{page:?}") };
        assert_eq!(delivery.status, DeliveryStatus::Skipped);
        assert_eq!(delivery.skip_reason, Some(SkipReason::EndpointDisabled));
        assert_eq!(delivery.next_attempt_at, None);
    }

    async fn an_events_data_is_kept_byte_for_byte(store: TestStore) {
        let project = store.project().await;
        let event = publish(&store, project, "contact.created", None).await;
        let stored = events::get(&mut store.conn().await, project, event.id).await.unwrap().unwrap();
        assert_eq!(stored.data.as_str(), r#"{"n": 1.10}"#);
        assert_eq!(stored, event);
    }

    async fn a_secret_is_shown_once_and_stored_sealed(store: TestStore) {
        let project = store.project().await;
        let created = endpoint(&store, project, "*", true).await;
        let secret = created.secret.clone().unwrap();
        let again = endpoints::get(&mut store.conn().await, project, created.id).await.unwrap().unwrap();
        assert_eq!(again.secret, None);
        let row = store::Sql::new("SELECT secret FROM btx_webhook_endpoint").fetch_one(&mut store.conn().await).await.unwrap();
        let sealed = row.bytes("secret").unwrap();
        assert!(!sealed.windows(12).any(|part| part == &secret.as_bytes()[..12]));
        assert_eq!(store.keys().open(&sealed, &created.id.to_string()).unwrap(), secret.as_bytes());
    }

    async fn another_projects_rows_do_not_exist(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let endpoint = endpoint(&store, ours, "*", true).await;
        let event = publish(&store, ours, "contact.created", None).await;
        let mut conn = store.conn().await;
        assert_eq!(endpoints::get(&mut conn, theirs, endpoint.id).await.unwrap(), None);
        assert_eq!(events::get(&mut conn, theirs, event.id).await.unwrap(), None);
    }

    async fn a_trace_leads_from_the_call_and_from_the_webhook_to_the_same_delivery(store: TestStore) {
        let project = store.project().await;
        endpoint(&store, project, "*", true).await;
        let call = RequestId::generate(store.now(), store.entropy());
        let event = publish(&store, project, "contact.created", Some(call)).await;
        publish(&store, project, "contact.updated", None).await;
        let mut conn = store.conn().await;
        let trace = store::traces::of(&mut conn, project, call).await.unwrap();
        assert_eq!(trace.events, std::slice::from_ref(&event));
        let [delivery] = &trace.deliveries[..] else { panic!("{trace:?}") };
        let of_webhook = store::traces::of(&mut conn, project, delivery.request_id).await.unwrap();
        assert_eq!(of_webhook, trace);
        let elsewhere = store.project().await;
        assert_eq!(store::traces::of(&mut conn, elsewhere, call).await.unwrap(), domain::model::Trace::default());
    }
}
