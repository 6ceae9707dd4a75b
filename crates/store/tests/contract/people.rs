//! People, their sessions and roles, and the counters behind the chart.

use std::time::Duration;

use domain::Timestamp;
use domain::filter::TimeRange;
use domain::id::{EndpointId, ProjectId, Ulid};
use domain::model::User;
use domain::status::{AttemptStatus, Role};
use store::users::{self, NewUser};
use store::{Sql, StoreError, counters, sessions};

use crate::harness::TestStore as Store;

async fn person(store: &Store, email: &'static str, is_support: bool) -> Result<User, StoreError> {
    let new = NewUser { email: email.to_owned(), password_hash: users::decoy(), is_support };
    store.write::<_, _, StoreError>(move |tx| Box::pin(users::insert(tx, new))).await
}

async fn join(store: &Store, project: ProjectId, user: &User, role: Role) {
    let user = user.id;
    store.write::<_, _, StoreError>(move |tx| Box::pin(users::set_member(tx, project, user, role))).await.unwrap();
}

async fn role(store: &Store, project: ProjectId, user: &User) -> Option<Role> {
    users::role_in(&mut store.conn().await, project, user.id).await.unwrap()
}

async fn count(
    store: &Store,
    project: ProjectId,
    hour: Timestamp,
    endpoint: EndpointId,
    status: AttemptStatus,
    count: u32,
) {
    let insert = Sql::new("INSERT INTO btx_attempt_hour (project_id, hour, endpoint_id, status, count) VALUES (")
        .bind(project)
        .push(", ")
        .bind(hour)
        .push(", ")
        .bind(endpoint)
        .push(", ")
        .bind(status)
        .push(", ")
        .bind(count)
        .push(")");
    store.write::<_, _, StoreError>(move |tx| Box::pin(async move { insert.execute(tx).await })).await.unwrap();
}

crate::contract! {
    async fn an_address_belongs_to_one_person_whatever_its_case(store: TestStore) {
        let anna = person(&store, "Anna@Example.com", false).await.unwrap();
        assert_eq!(anna.email, "anna@example.com");
        let found = users::credentials(&mut store.conn().await, " ANNA@example.COM").await.unwrap().unwrap();
        assert_eq!(found.user, anna);
        assert_eq!(found.password_hash, users::decoy());
        let twice = person(&store, "anna@example.com", false).await;
        assert!(matches!(&twice, Err(error) if error.is_unique("email")), "{twice:?}");
        assert!(users::credentials(&mut store.conn().await, "nobody@example.com").await.unwrap().is_none());
    }

    async fn a_role_holds_in_its_project_only_and_the_last_one_given_counts(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let anna = person(&store, "anna@example.com", false).await.unwrap();
        assert_eq!(role(&store, ours, &anna).await, None);
        join(&store, ours, &anna, Role::Viewer).await;
        join(&store, ours, &anna, Role::Owner).await;
        assert_eq!(role(&store, ours, &anna).await, Some(Role::Owner));
        assert_eq!(role(&store, theirs, &anna).await, None);
        assert!(!users::is_support(&mut store.conn().await, anna.id).await.unwrap());
    }

    async fn staff_see_every_project_and_keep_the_role_they_have_in_one(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let boris = person(&store, "boris@example.com", true).await.unwrap();
        join(&store, ours, &boris, Role::Developer).await;
        assert_eq!(role(&store, ours, &boris).await, Some(Role::Developer));
        assert_eq!(role(&store, theirs, &boris).await, Some(Role::Support));
        assert!(users::is_support(&mut store.conn().await, boris.id).await.unwrap());
    }

    async fn a_session_lasts_its_time_and_can_be_ended_before(store: TestStore) {
        let anna = person(&store, "anna@example.com", false).await.unwrap();
        let (user, hour) = (anna.id, Duration::from_secs(3_600));
        let open = || store.write::<_, _, StoreError>(move |tx| Box::pin(sessions::create(tx, user, hour)));
        let (first, second) = (open().await.unwrap(), open().await.unwrap());
        let found = sessions::find(&mut store.conn().await, &first, store.now()).await.unwrap().unwrap();
        assert_eq!(found.user, anna);
        assert_eq!(found.expires_at, store.now().plus(hour));

        let ended = second.clone();
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { sessions::delete(tx, &ended).await })).await.unwrap();
        assert!(sessions::find(&mut store.conn().await, &second, store.now()).await.unwrap().is_none());

        store.clock.advance(hour);
        assert!(sessions::find(&mut store.conn().await, &first, store.now()).await.unwrap().is_none());
        // Opening one clears away what has expired.
        open().await.unwrap();
        let kept = Sql::new("SELECT COUNT(*) AS n FROM btx_session").fetch_one(&mut store.conn().await).await.unwrap();
        assert_eq!(kept.int("n").unwrap(), 1);
    }

    async fn the_token_itself_is_not_in_the_database(store: TestStore) {
        let anna = person(&store, "anna@example.com", false).await.unwrap();
        let user = anna.id;
        let token = store
            .write::<_, _, StoreError>(move |tx| Box::pin(sessions::create(tx, user, Duration::from_secs(60))))
            .await
            .unwrap();
        let row = Sql::new("SELECT token_hash FROM btx_session").fetch_one(&mut store.conn().await).await.unwrap();
        let stored = row.bytes("token_hash").unwrap();
        assert_eq!(stored.len(), 32);
        assert!(!token.expose().as_bytes().windows(8).any(|part| stored.windows(8).any(|other| other == part)));
    }

    async fn counts_are_summed_over_endpoints_within_the_range(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let (crm, shop) = (EndpointId::from_ulid(Ulid::from_parts(1, 1)), EndpointId::from_ulid(Ulid::from_parts(1, 2)));
        let hour = |n: i64| Timestamp::from_secs(n * 3_600);
        count(&store, ours, hour(1), crm, AttemptStatus::Delivered, 100).await;
        count(&store, ours, hour(2), crm, AttemptStatus::Delivered, 3).await;
        count(&store, ours, hour(2), shop, AttemptStatus::Delivered, 4).await;
        count(&store, ours, hour(2), shop, AttemptStatus::Retrying, 1).await;
        count(&store, ours, hour(3), crm, AttemptStatus::Delivered, 100).await;
        count(&store, theirs, hour(2), crm, AttemptStatus::Delivered, 100).await;
        let range = TimeRange { created_after: Some(hour(2)), created_before: Some(hour(3)) };
        let sums = counters::by_hour(&mut store.conn().await, ours, None, &range).await.unwrap();
        let sums: Vec<_> = sums.iter().map(|sum| (sum.hour, sum.status, sum.count)).collect();
        assert_eq!(sums, [(hour(2), AttemptStatus::Delivered, 7), (hour(2), AttemptStatus::Retrying, 1)]);
        let of_shop = counters::by_hour(&mut store.conn().await, ours, Some(shop), &range).await.unwrap();
        assert_eq!(of_shop.iter().map(|sum| sum.count).collect::<Vec<_>>(), [4, 1]);
    }
}
