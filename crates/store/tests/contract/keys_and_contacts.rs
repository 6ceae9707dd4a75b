//! API keys, and contacts with their unique phones and their limit.

use std::time::Duration;

use domain::api_key::ApiKeySecret;
use domain::filter::TimeRange;
use domain::id::{ContactId, ProjectId};
use domain::model::Contact;
use domain::page::{Listed, Page, PageRequest, PageStart};
use domain::status::Scope;
use store::api_keys::{self, NewApiKey};
use store::contacts::{self, ContactChange, ContactError, NewContact};
use store::{Sql, StoreError};

use crate::harness::{TestStore as Store, json};
use crate::hold_to_the_law;

fn named(name: &str) -> NewApiKey {
    NewApiKey { name: name.to_owned(), scopes: vec![Scope::Write, Scope::Read, Scope::Read], expires_at: None }
}

fn contact(phone: &str) -> NewContact {
    NewContact {
        phone: phone.to_owned(),
        name: "Anna".to_owned(),
        email: Some("anna@example.com".to_owned()),
        tags: vec!["vip, \"really\"".to_owned()],
        attributes: json(r#"{"n": 1.10}"#),
    }
}

async fn add(store: &Store, project: ProjectId, phone: &str) -> Result<Contact, ContactError> {
    let new = contact(phone);
    store.write(move |tx| Box::pin(async move { contacts::insert(tx, project, new).await })).await
}

async fn change(
    store: &Store,
    project: ProjectId,
    id: ContactId,
    change: ContactChange,
) -> Result<Option<Contact>, ContactError> {
    let changed =
        store.write(move |tx| Box::pin(async move { contacts::update(tx, project, id, change).await })).await?;
    Ok(changed.map(|updated| updated.contact))
}

async fn limited(store: &Store, limit: u32) -> ProjectId {
    let new = store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move { store::projects::insert(tx, "Full", Some(limit)).await })
    });
    new.await.unwrap().id
}

crate::contract! {
    async fn a_key_is_found_by_its_hash_until_it_is_revoked(store: TestStore) {
        let project = store.project().await;
        let (made, secret) = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::insert(tx, project, named("CI")).await })).await.unwrap();
        let mut conn = store.conn().await;
        let found = api_keys::find(&store, secret.hash()).await.unwrap().unwrap();
        assert_eq!((&found.key, found.rate_limit), (&made, None));
        assert_eq!(found.key.scopes, [Scope::Read, Scope::Write]);
        assert!(found.key.is_valid(store.now()) && secret.expose().starts_with(&found.key.hint));
        let other = ApiKeySecret::generate(store.entropy());
        assert!(api_keys::find(&store, other.hash()).await.unwrap().is_none());

        let stranger = store.project().await;
        let revoke = |by: ProjectId| store.write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::revoke(tx, by, made.id).await }));
        assert!(!revoke(stranger).await.unwrap(), "only its own project can");
        assert!(revoke(project).await.unwrap());
        assert!(!revoke(project).await.unwrap(), "once");
        let found = api_keys::find(&store, secret.hash()).await.unwrap().unwrap();
        assert!(!found.key.is_valid(store.now()));
        assert_eq!(api_keys::get(&mut conn, project, made.id).await.unwrap(), Some(found.key));
        assert_eq!(api_keys::get(&mut conn, stranger, made.id).await.unwrap(), None);
    }

    async fn a_key_s_secret_is_nowhere_in_the_database(store: TestStore) {
        let project = store.project().await;
        let (_, secret) = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::insert(tx, project, named("CI")).await })).await.unwrap();
        let row = Sql::new("SELECT hash, hint, name FROM btx_api_key").fetch_one(&mut store.conn().await).await.unwrap();
        assert_eq!(row.bytes("hash").unwrap(), secret.hash().0);
        assert!(row.text("hint").unwrap().len() < 16);
    }

    async fn a_key_s_last_use_is_written_once_a_minute(store: TestStore) {
        let project = store.project().await;
        let (made, _) = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::insert(tx, project, named("CI")).await })).await.unwrap();
        assert!(api_keys::is_worth_touching(&made, store.now()));
        let first = store.now();
        for seconds in [0, 59, 1] {
            store.clock.advance(Duration::from_secs(seconds));
            let now = store.now();
            store.write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::touch(tx, made.id, now).await })).await.unwrap();
            let key = api_keys::get(&mut store.conn().await, project, made.id).await.unwrap().unwrap();
            let expected = if seconds == 1 { now } else { first };
            assert_eq!(key.last_used_at, Some(expected));
            assert!(!api_keys::is_worth_touching(&key, now));
        }
    }

    async fn keys_are_walked_like_every_list(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        for n in 0..7 {
            let owner = if n == 3 { other } else { project };
            store.write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::insert(tx, owner, named("k")).await })).await.unwrap();
            store.clock.advance(Duration::from_micros(n % 2));
        }
        hold_to_the_law!(6, |request| api_keys::list(&mut store.conn().await, project, request).await.unwrap());
    }

    async fn a_contact_reads_back_as_it_was_stored(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let made = add(&store, project, "+79161234567").await.unwrap();
        let mut conn = store.conn().await;
        assert_eq!(contacts::get(&mut conn, project, made.id).await.unwrap().as_ref(), Some(&made));
        assert_eq!(made.attributes.as_str(), r#"{"n": 1.10}"#);
        assert_eq!(contacts::get(&mut conn, other, made.id).await.unwrap(), None);
        let foreign = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { contacts::delete(tx, other, made.id).await })).await;
        assert_eq!(foreign.unwrap(), None);
        assert_eq!(change(&store, other, made.id, ContactChange::default()).await.unwrap(), None);
    }

    async fn a_phone_belongs_to_one_contact_of_a_project(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let first = add(&store, project, "+79161234567").await.unwrap();
        let ContactError::PhoneTaken(by) = add(&store, project, "+79161234567").await.unwrap_err() else { panic!() };
        assert_eq!(by, first.id);
        assert!(add(&store, other, "+79161234567").await.is_ok());
        let second = add(&store, project, "+79167654321").await.unwrap();
        let phone = |phone: &str| ContactChange { phone: Some(phone.to_owned()), ..ContactChange::default() };
        let ContactError::PhoneTaken(by) = change(&store, project, second.id, phone("+79161234567")).await.unwrap_err() else { panic!() };
        assert_eq!(by, first.id);
        assert!(change(&store, project, second.id, phone("+79167654321")).await.unwrap().is_some(), "its own is fine");
    }

    async fn a_change_leaves_the_other_fields(store: TestStore) {
        let project = store.project().await;
        let made = add(&store, project, "+79161234567").await.unwrap();
        store.clock.advance(Duration::from_secs(1));
        let new = ContactChange { name: Some("Anya".to_owned()), email: Some(None), ..ContactChange::default() };
        let changed = change(&store, project, made.id, new).await.unwrap().unwrap();
        let expected = Contact { name: "Anya".to_owned(), email: None, updated_at: store.now(), ..made };
        assert_eq!(changed, expected);
        assert_eq!(contacts::get(&mut store.conn().await, project, expected.id).await.unwrap(), Some(expected));
    }

    async fn the_limit_is_exact_when_many_come_at_once(store: TestStore) {
        let project = limited(&store, 5).await;
        let phones: Vec<_> = (0..24).map(|n| format!("+7916000{n:04}")).collect();
        let outcomes = futures::future::join_all(phones.iter().map(|phone| add(&store, project, phone))).await;
        let (made, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!(made.len(), 5);
        for error in refused {
            let ContactError::LimitReached { limit: 5, current: 5 } = error.unwrap_err() else { panic!() };
        }
        let mut conn = store.conn().await;
        let page = contacts::list(&mut conn, project, &TimeRange::default(), PageRequest::first(50)).await.unwrap();
        assert_eq!(page.data.len(), 5);
        let gone = page.data[0].id;
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { contacts::delete(tx, project, gone).await })).await.unwrap();
        assert!(add(&store, project, "+79991234567").await.is_ok(), "a deleted contact makes room");
        assert!(add(&store, project, "+79991234568").await.is_err());
    }

    async fn contacts_are_walked_like_every_list(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        for n in 0..10_u64 {
            let owner = if n == 4 { other } else { project };
            add(&store, owner, &format!("+7916000{n:04}")).await.unwrap();
            store.clock.advance(Duration::from_micros(n % 2));
        }
        let range = TimeRange::default();
        hold_to_the_law!(9, |request| contacts::list(&mut store.conn().await, project, &range, request).await.unwrap());
    }
}
