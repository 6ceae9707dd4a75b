//! Who is in a project, and what is written down of what they do.

use std::time::Duration;

use domain::id::ProjectId;
use domain::model::User;
use domain::page::PageRequest;
use domain::status::{AuditAction, Role};
use store::StoreError;
use store::audit::{self, Actor};
use store::members::{self, MemberError};
use store::users::{self, NewUser};

use crate::harness::TestStore as Store;

async fn person(store: &Store, email: &'static str) -> User {
    let new = NewUser { email: email.to_owned(), password_hash: users::decoy(), is_support: false };
    store.write::<_, _, StoreError>(move |tx| Box::pin(users::insert(tx, new))).await.unwrap()
}

async fn add(store: &Store, project: ProjectId, email: &'static str, role: Role) -> Result<User, MemberError> {
    store.write::<_, _, MemberError>(move |tx| Box::pin(members::add(tx, project, email, role))).await
}

async fn change(store: &Store, project: ProjectId, user: &User, role: Role) -> Result<Role, MemberError> {
    let user = user.id;
    let work = store.write::<_, _, MemberError>(move |tx| Box::pin(members::change(tx, project, user, role)));
    work.await.map(|member| member.role)
}

async fn remove(store: &Store, project: ProjectId, user: &User) -> Result<(), MemberError> {
    let user = user.id;
    store.write::<_, _, MemberError>(move |tx| Box::pin(members::remove(tx, project, user))).await.map(drop)
}

async fn look(store: &Store, actor: &Actor, object: &'static str) {
    let actor = actor.clone();
    let work =
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { audit::opened(tx, &actor, object).await }));
    work.await.unwrap();
}

async fn objects(store: &Store, project: ProjectId) -> Vec<String> {
    let page = audit::list(&mut store.conn().await, project, PageRequest::first(50)).await.unwrap();
    page.data.into_iter().filter_map(|entry| entry.object).collect()
}

crate::contract! {
    async fn a_member_is_found_by_the_address_let_in_once_and_listed_with_the_role(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let anna = person(&store, "anna@example.com").await;
        assert!(matches!(add(&store, ours, "nobody@example.com", Role::Viewer).await, Err(MemberError::NotFound)));
        assert_eq!(add(&store, ours, " Anna@Example.com", Role::Owner).await.unwrap(), anna);
        assert!(matches!(add(&store, ours, "anna@example.com", Role::Viewer).await, Err(MemberError::Already)));
        let listed = members::list(&mut store.conn().await, ours).await.unwrap();
        assert_eq!(listed.iter().map(|member| (member.email.as_str(), member.role)).collect::<Vec<_>>(), [("anna@example.com", Role::Owner)]);
        assert!(members::list(&mut store.conn().await, theirs).await.unwrap().is_empty());
        assert!(matches!(change(&store, theirs, &anna, Role::Viewer).await, Err(MemberError::NotFound)));
    }

    async fn a_project_is_never_left_without_an_owner(store: TestStore) {
        let project = store.project().await;
        let (anna, boris) = (person(&store, "anna@example.com").await, person(&store, "boris@example.com").await);
        add(&store, project, "anna@example.com", Role::Owner).await.unwrap();
        add(&store, project, "boris@example.com", Role::Developer).await.unwrap();
        assert!(matches!(change(&store, project, &anna, Role::Viewer).await, Err(MemberError::LastOwner)));
        assert!(matches!(remove(&store, project, &anna).await, Err(MemberError::LastOwner)));
        assert_eq!(change(&store, project, &anna, Role::Owner).await.unwrap(), Role::Owner, "that changes nothing");
        assert_eq!(change(&store, project, &boris, Role::Owner).await.unwrap(), Role::Owner);
        // Both step down at once: one of them is too late.
        let (one, two) = futures::join!(remove(&store, project, &anna), remove(&store, project, &boris));
        assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
        assert_eq!(members::list(&mut store.conn().await, project).await.unwrap().len(), 1);
    }

    async fn what_was_done_is_listed_newest_first_in_its_project_only(store: TestStore) {
        let (ours, theirs) = (store.project().await, store.project().await);
        let anna = person(&store, "anna@example.com").await;
        for (project, object) in [(ours, "whe_1"), (ours, "whe_2"), (theirs, "whe_3")] {
            let actor = Actor::new(project, &anna, Role::Developer);
            let noted = store.write::<_, _, StoreError>(move |tx| {
                Box::pin(async move { audit::note(tx, &actor, AuditAction::EndpointCreated, Some(object), Some("https://example.com")).await })
            });
            noted.await.unwrap();
            store.clock.advance(Duration::from_secs(1));
        }
        assert_eq!(objects(&store, ours).await, ["whe_2", "whe_1"]);
        let first = audit::list(&mut store.conn().await, ours, PageRequest::first(1)).await.unwrap();
        assert!(first.has_more);
        assert_eq!((first.data[0].email.as_str(), first.data[0].role, first.data[0].detail.as_deref()), ("anna@example.com", Role::Developer, Some("https://example.com")));
        let rest = audit::list(&mut store.conn().await, ours, PageRequest::after(5, first.next().unwrap())).await.unwrap();
        assert_eq!(rest.data.iter().map(|entry| entry.object.as_deref()).collect::<Vec<_>>(), [Some("whe_1")]);
    }

    async fn what_is_not_written_with_its_change_is_not_written_at_all(store: TestStore) {
        let project = store.project().await;
        let actor = Actor::new(project, &person(&store, "anna@example.com").await, Role::Owner);
        let failed = store.write::<_, (), StoreError>(move |tx| {
            Box::pin(async move {
                audit::note(tx, &actor, AuditAction::ProjectRenamed, None, None).await?;
                Err(StoreError::Fenced)
            })
        });
        assert!(failed.await.is_err());
        assert!(audit::list(&mut store.conn().await, project, PageRequest::first(5)).await.unwrap().data.is_empty());
    }

    async fn a_page_that_draws_itself_anew_is_one_look(store: TestStore) {
        let project = store.project().await;
        let (anna, boris) = (person(&store, "anna@example.com").await, person(&store, "boris@example.com").await);
        let actors = [Actor::new(project, &anna, Role::Support), Actor::new(project, &boris, Role::Support)];
        for actor in &actors {
            look(&store, actor, "att_1").await;
            look(&store, actor, "att_1").await;
        }
        look(&store, &actors[0], "att_2").await;
        store.clock.advance(Duration::from_secs(600));
        look(&store, &actors[0], "att_1").await;
        let mut seen = objects(&store, project).await;
        seen.sort();
        assert_eq!(seen, ["att_1", "att_1", "att_1", "att_2"]);
    }
}
