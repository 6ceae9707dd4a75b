//! Messages, scenarios and their runs.

use std::time::Duration;

use domain::filter::{MessageFilter, TimeRange};
use domain::id::{ContactId, ProjectId, ScenarioId};
use domain::model::{Message, Scenario, ScenarioRun};
use domain::page::{Listed, Page, PageRequest, PageStart};
use domain::status::{MessageStatus, RunStatus};
use store::StoreError;
use store::contacts::{self, ContactError, NewContact};
use store::messages::{self, NewMessage};
use store::scenarios::{self, NewScenario, RunError, ScenarioChange};

use crate::harness::{TestStore as Store, json};
use crate::hold_to_the_law;

async fn contact(store: &Store, project: ProjectId, phone: &str) -> ContactId {
    let new = NewContact {
        phone: phone.to_owned(),
        name: "Anna".to_owned(),
        email: None,
        tags: Vec::new(),
        attributes: json("{}"),
    };
    let made = store.write::<_, _, ContactError>(move |tx| Box::pin(contacts::insert(tx, project, new))).await;
    made.unwrap().id
}

async fn say(store: &Store, project: ProjectId, contact_id: ContactId, channel: Option<&str>) -> Option<Message> {
    let new = NewMessage { contact_id, text: "Привет 👋".to_owned(), channel: channel.map(str::to_owned) };
    store.write(move |tx| Box::pin(messages::insert(tx, project, new))).await.unwrap()
}

async fn scenario(store: &Store, project: ProjectId) -> Scenario {
    let new = NewScenario {
        name: "Welcome".to_owned(),
        trigger: json(r#""contact.created""#),
        steps: vec![json(r#"{"wait": 1.10}"#), json(r#"{"b" : 1, "a": 2}"#)],
    };
    store.write(move |tx| Box::pin(scenarios::insert(tx, project, new))).await.unwrap()
}

async fn start(
    store: &Store,
    project: ProjectId,
    scenario: ScenarioId,
    contact: ContactId,
) -> Result<ScenarioRun, RunError> {
    store.write(move |tx| Box::pin(scenarios::start(tx, project, scenario, contact))).await
}

crate::contract! {
    async fn a_message_reads_back_and_only_a_contact_of_the_project_can_get_one(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let anna = contact(&store, project, "+79161234567").await;
        let made = say(&store, project, anna, Some("telegram")).await.unwrap();
        assert_eq!((made.text.as_str(), made.status), ("Привет 👋", MessageStatus::Accepted));
        let mut conn = store.conn().await;
        assert_eq!(messages::get(&mut conn, project, made.id).await.unwrap(), Some(made.clone()));
        assert_eq!(messages::get(&mut conn, other, made.id).await.unwrap(), None);
        assert_eq!(say(&store, other, anna, None).await, None);
        store.write(move |tx| Box::pin(contacts::delete(tx, project, anna))).await.unwrap();
        assert_eq!(messages::get(&mut conn, project, made.id).await.unwrap(), Some(made), "it outlives its contact");
    }

    async fn messages_keep_the_law_with_and_without_filters(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let (anna, boris) = (contact(&store, project, "+79161234567").await, contact(&store, project, "+79161234568").await);
        let stranger = contact(&store, other, "+79161234567").await;
        for n in 0..9_u64 {
            say(&store, project, if n % 3 == 0 { boris } else { anna }, (n % 2 == 0).then_some("sms")).await.unwrap();
            say(&store, other, stranger, None).await.unwrap();
            store.clock.advance(Duration::from_micros(n % 2));
        }
        let mut conn = store.conn().await;
        let all = MessageFilter::default();
        hold_to_the_law!(9, |request| messages::list(&mut conn, project, &all, request).await.unwrap());
        let one = MessageFilter { contact_id: Some(boris), ..MessageFilter::default() };
        hold_to_the_law!(3, |request| messages::list(&mut conn, project, &one, request).await.unwrap());
        let sms = MessageFilter { channel: Some("sms".to_owned()), ..MessageFilter::default() };
        hold_to_the_law!(5, |request| messages::list(&mut conn, project, &sms, request).await.unwrap());
    }

    async fn a_scenario_reads_back_byte_for_byte_and_runs_for_a_contact_of_its_project(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let made = scenario(&store, project).await;
        let mut conn = store.conn().await;
        assert_eq!(scenarios::get(&mut conn, project, made.id).await.unwrap().as_ref(), Some(&made));
        assert_eq!(scenarios::get(&mut conn, other, made.id).await.unwrap(), None);
        let anna = contact(&store, project, "+79161234567").await;
        let stranger = contact(&store, other, "+79161234567").await;
        let run = start(&store, project, made.id, anna).await.unwrap();
        assert_eq!((run.scenario_id, run.contact_id, run.status), (made.id, anna, RunStatus::Started));
        assert_eq!(scenarios::get_run(&mut conn, project, made.id, run.id).await.unwrap(), Some(run.clone()));
        assert_eq!(scenarios::get_run(&mut conn, other, made.id, run.id).await.unwrap(), None);
        let second = scenario(&store, project).await;
        assert_eq!(scenarios::get_run(&mut conn, project, second.id, run.id).await.unwrap(), None);
        assert!(matches!(start(&store, project, made.id, stranger).await, Err(RunError::NoContact)));
        assert!(matches!(start(&store, other, made.id, stranger).await, Err(RunError::NoScenario)));
    }

    async fn a_scenario_is_changed_and_deleted_with_its_runs_by_its_own_project_alone(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let (made, kept) = (scenario(&store, project).await, scenario(&store, project).await);
        let anna = contact(&store, project, "+79161234567").await;
        let run = start(&store, project, made.id, anna).await.unwrap();
        let kept_run = start(&store, project, kept.id, anna).await.unwrap();
        store.clock.advance(Duration::from_secs(1));
        let change = ScenarioChange { trigger: Some(json(r#"{"on" : 1.10}"#)), ..ScenarioChange::default() };
        let update = async |project: ProjectId, change: ScenarioChange| {
            store.write::<_, _, StoreError>(move |tx| Box::pin(scenarios::update(tx, project, made.id, change))).await.unwrap()
        };
        assert_eq!(update(other, change.clone()).await, None);
        let expected =
            Scenario { trigger: json(r#"{"on" : 1.10}"#), updated_at: store.now(), ..made.clone() };
        assert_eq!(update(project, change).await.as_ref(), Some(&expected));
        let mut conn = store.conn().await;
        assert_eq!(scenarios::get(&mut conn, project, made.id).await.unwrap(), Some(expected));

        let delete =
            async |project: ProjectId| {
            let work = store.write::<_, _, StoreError>(move |tx| Box::pin(scenarios::delete(tx, project, made.id)));
            work.await.unwrap()
        };
        assert!(!delete(other).await);
        assert!(scenarios::get_run(&mut conn, project, made.id, run.id).await.unwrap().is_some());
        assert!(delete(project).await && !delete(project).await);
        assert_eq!(scenarios::get(&mut conn, project, made.id).await.unwrap(), None);
        assert_eq!(scenarios::get_run(&mut conn, project, made.id, run.id).await.unwrap(), None);
        assert!(scenarios::get_run(&mut conn, project, kept.id, kept_run.id).await.unwrap().is_some());
        assert!(matches!(start(&store, project, made.id, anna).await, Err(RunError::NoScenario)));
    }

    async fn a_scenario_that_is_deleted_while_runs_start_leaves_none_of_them(store: TestStore) {
        let project = store.project().await;
        let anna = contact(&store, project, "+79161234567").await;
        let mut conn = store.conn().await;
        for _ in 0..5 {
            let made = scenario(&store, project).await;
            let starts = futures::future::join_all((0..8).map(|_| start(&store, project, made.id, anna)));
            let delete = store.write::<_, _, StoreError>(move |tx| Box::pin(scenarios::delete(tx, project, made.id)));
            let (started, deleted) = futures::join!(starts, delete);
            assert!(deleted.unwrap());
            for start in started {
                assert!(matches!(start, Ok(_) | Err(RunError::NoScenario)), "{start:?}");
            }
            let (range, page) = (TimeRange::default(), PageRequest::first(200));
            let left = scenarios::list_runs(&mut conn, project, made.id, &range, page).await.unwrap();
            assert_eq!(left.data, []);
        }
    }

    async fn scenarios_and_runs_keep_the_law(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let anna = contact(&store, project, "+79161234567").await;
        let first = scenario(&store, project).await;
        let second = scenario(&store, project).await;
        for n in 0..7_u64 {
            scenario(&store, if n == 3 { other } else { project }).await;
            start(&store, project, if n == 3 { second.id } else { first.id }, anna).await.unwrap();
            store.clock.advance(Duration::from_micros(n % 2));
        }
        let range = TimeRange::default();
        let mut conn = store.conn().await;
        hold_to_the_law!(8, |request| scenarios::list(&mut conn, project, &range, request).await.unwrap());
        hold_to_the_law!(6, |request| scenarios::list_runs(&mut conn, project, first.id, &range, request).await.unwrap());
    }
}
