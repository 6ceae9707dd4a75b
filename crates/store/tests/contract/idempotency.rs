//! Who holds an idempotency key, and the answer that is given again.

use std::time::Duration;

use domain::fingerprint::Fingerprint;
use domain::id::{ApiKeyId, ProjectId, RequestId};
use domain::page::{Listed, Page, PageRequest, PageStart};
use domain::status::{IdempotencyStatus, Scope};
use store::api_keys::{self, NewApiKey};
use store::idempotency::{self, Capture, Conflicting, IdempotencyFilter, Reuse, Seen, SeenState, StoredAnswer};
use store::maintenance::{self, Retention};
use store::{Sql, StoreError};

use crate::harness::TestStore as Store;
use crate::hold_to_the_law;

const LEASE: Duration = Duration::from_secs(60);
const TTL: Duration = Duration::from_secs(24 * 3_600);

fn capture_of(store: &Store, project: ProjectId, by: ApiKeyId, key: &str, body: &str) -> Capture {
    let now = store.now();
    Capture {
        api_key_id: by,
        key: key.to_owned(),
        project,
        method: "POST".to_owned(),
        path: "/public/v1/contacts".to_owned(),
        fingerprint: Fingerprint::of("POST", "/public/v1/contacts", None, body.as_bytes()),
        request_id: RequestId::generate(now, store.entropy()),
        first_seen: now,
        leased_until: now.plus(LEASE),
        expires_at: now.plus(TTL),
        body: Some(body.as_bytes().into()),
    }
}

fn an_answer() -> StoredAnswer {
    StoredAnswer {
        status_code: 201,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: b"{\"data\":{\"secret\":\"whsec_abc\"}}".to_vec(),
    }
}

async fn take(store: &Store, capture: &Capture) -> bool {
    let capture = capture.clone();
    let taken =
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { idempotency::capture(tx, &capture).await }));
    taken.await.unwrap()
}

async fn complete(store: &Store, capture: &Capture) -> Result<(), StoreError> {
    let capture = capture.clone();
    store.write(move |tx| Box::pin(async move { idempotency::complete(tx, &capture, &an_answer(), None).await })).await
}

/// As on SQLite, where nothing is in the table before.
async fn answer_at_once(store: &Store, capture: &Capture) -> Result<(), StoreError> {
    let capture = capture.clone();
    let work = store.write(move |tx| {
        Box::pin(async move { idempotency::capture_and_complete(tx, &capture, &an_answer(), None).await })
    });
    work.await
}

async fn release(store: &Store, capture: &Capture) {
    let capture = capture.clone();
    let released =
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { idempotency::release(tx, &capture).await }));
    released.await.unwrap();
}

async fn seen(store: &Store, by: ApiKeyId, key: &str) -> Option<Seen> {
    idempotency::find(&mut store.conn().await, store.keys(), by, key, store.now()).await.unwrap()
}

fn api_key(store: &Store) -> ApiKeyId {
    ApiKeyId::generate(store.now(), store.entropy())
}

async fn a_real_key(store: &Store, project: ProjectId) -> ApiKeyId {
    let new = NewApiKey { name: "CI".to_owned(), scopes: vec![Scope::Write], expires_at: None };
    let made =
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move { api_keys::insert(tx, project, new).await }));
    made.await.unwrap().0.id
}

crate::contract! {
    async fn a_key_is_captured_once_and_then_answered_from_the_row(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        assert!(seen(&store, by, "k").await.is_none());
        let first = capture_of(&store, project, by, "k", "{}");
        assert!(take(&store, &first).await);
        assert!(!take(&store, &capture_of(&store, project, by, "k", "{}")).await, "held");
        assert!(take(&store, &capture_of(&store, project, api_key(&store), "k", "{}")).await, "of another API key");
        let SeenState::Running { leased_until } = seen(&store, by, "k").await.unwrap().state else { panic!() };
        assert_eq!(leased_until, first.leased_until);

        complete(&store, &first).await.unwrap();
        let known = seen(&store, by, "k").await.unwrap();
        assert_eq!((known.fingerprint, known.first_request_id, known.first_seen), (first.fingerprint, first.request_id, first.first_seen));
        let SeenState::Done(answer) = known.state else { panic!() };
        assert_eq!(answer, an_answer());
        assert!(!take(&store, &capture_of(&store, project, by, "k", "{}")).await, "answered");
        assert!(matches!(complete(&store, &first).await, Err(StoreError::Fenced)), "answered once");
    }

    async fn idempotency_check_then_insert_is_one_step_and_of_many_captures_one_succeeds(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        let captures: Vec<_> = (0..50).map(|_| capture_of(&store, project, by, "k", "{}")).collect();
        let taken = futures::future::join_all(captures.iter().map(|capture| take(&store, capture))).await;
        assert_eq!(taken.into_iter().filter(|taken| *taken).count(), 1);
    }

    async fn an_answer_that_comes_with_its_key_is_kept_unless_somebody_was_first(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        let first = capture_of(&store, project, by, "k", "{}");
        answer_at_once(&store, &first).await.unwrap();
        let known = seen(&store, by, "k").await.unwrap();
        assert_eq!((known.fingerprint, known.first_request_id), (first.fingerprint, first.request_id));
        let SeenState::Done(answer) = known.state else { panic!() };
        assert_eq!(answer, an_answer());

        let second = answer_at_once(&store, &capture_of(&store, project, by, "k", "{}")).await;
        assert!(matches!(second, Err(StoreError::Fenced)));
        assert_eq!(seen(&store, by, "k").await.unwrap().first_request_id, first.request_id);
        let held = capture_of(&store, project, by, "held", "{}");
        assert!(take(&store, &held).await);
        let second = answer_at_once(&store, &capture_of(&store, project, by, "held", "{}")).await;
        assert!(matches!(second, Err(StoreError::Fenced)), "another is at work");

        store.clock.advance(TTL);
        answer_at_once(&store, &capture_of(&store, project, by, "k", "another")).await.unwrap();
    }

    async fn a_dead_holder_s_capture_is_taken_over_by_the_same_request_only(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        let dead = capture_of(&store, project, by, "k", "{}");
        assert!(take(&store, &dead).await);
        store.clock.advance(LEASE.saturating_sub(Duration::from_micros(1)));
        assert!(!take(&store, &capture_of(&store, project, by, "k", "{}")).await, "the lease holds");
        store.clock.advance(Duration::from_micros(1));
        assert!(!take(&store, &capture_of(&store, project, by, "k", "{ }")).await, "another request");
        let heir = capture_of(&store, project, by, "k", "{}");
        assert!(take(&store, &heir).await);
        assert!(matches!(complete(&store, &dead).await, Err(StoreError::Fenced)), "the dead can't write any more");
        release(&store, &dead).await;
        assert!(seen(&store, by, "k").await.is_some(), "nor release what is another's");
        complete(&store, &heir).await.unwrap();
        assert_eq!(seen(&store, by, "k").await.unwrap().first_request_id, heir.request_id);
    }

    async fn a_released_key_is_as_if_never_used(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        let failed = capture_of(&store, project, by, "k", "{}");
        assert!(take(&store, &failed).await);
        release(&store, &failed).await;
        assert!(seen(&store, by, "k").await.is_none());
        assert!(take(&store, &capture_of(&store, project, by, "k", "another")).await);
    }

    async fn the_last_conflict_is_kept_beside_the_first_request_while_the_answer_is(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        let first = capture_of(&store, project, by, "k", r#"{"name":"Anna"}"#);
        answer_at_once(&store, &first).await.unwrap();
        let looked = async |store: &Store| {
            idempotency::conflict(&mut store.conn().await, store.keys(), by, "k", store.now()).await.unwrap()
        };
        assert!(looked(&store).await.is_none());
        let count = async |n, body: &str, first_request_id| {
            let request = capture_of(&store, project, by, "k", body);
            let conflict = Conflicting { first_request_id, request: request.clone() };
            store.write::<_, _, StoreError>(move |tx| Box::pin(async move {
                idempotency::count_conflicts(tx, n, &conflict).await
            })).await.unwrap();
            request
        };
        count(1, r#"{"name":"Vera"}"#, first.request_id).await;
        let last = count(1, r#"{"name":"Olga"}"#, first.request_id).await;
        let shown = looked(&store).await.unwrap();
        assert_eq!((shown.request_id, shown.at, shown.path.as_str()), (last.request_id, last.first_seen, "/public/v1/contacts"));
        let text = |body: Option<Vec<u8>>| String::from_utf8(body.unwrap()).unwrap();
        assert_eq!((text(shown.first_body).as_str(), text(shown.body).as_str()), (r#"{"name":"Anna"}"#, r#"{"name":"Olga"}"#));
        let mut conn = store.conn().await;
        let row = Sql::new("SELECT body FROM btx_idempotency_conflict").fetch_optional(&mut conn).await.unwrap().unwrap();
        assert!(!String::from_utf8_lossy(&row.bytes("body").unwrap()).contains("Olga"), "sealed");
        drop(conn);

        store.clock.advance(TTL);
        maintenance::run(&store, Retention::default()).await.unwrap();
        assert!(looked(&store).await.is_none());
        let fresh = capture_of(&store, project, by, "k", "{}");
        answer_at_once(&store, &fresh).await.unwrap();
        count(1, "late", first.request_id).await;
        assert!(looked(&store).await.is_none(), "a conflict with the key's earlier life is none of this one's");
    }

    async fn an_expired_key_leaves_a_trace_and_executes_afresh(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        let first = capture_of(&store, project, by, "k", "{}");
        assert!(take(&store, &first).await);
        complete(&store, &first).await.unwrap();
        let other = |body| Conflicting { first_request_id: first.request_id, request: capture_of(&store, project, by, "k", body) };
        let (early, late) = (other("early"), other("late"));
        store.write::<_, _, StoreError>(move |tx| Box::pin(async move {
            let reuse = |conflict| Reuse { api_key_id: by, key: "k".to_owned(), conflict };
            idempotency::count_reuses(tx, [reuse(None), reuse(Some(Box::new(early))), reuse(None)]).await?;
            idempotency::count_conflicts(tx, 2, &late).await
        })).await.unwrap();
        let mut conn = store.conn().await;
        let shown = idempotency::get(&mut conn, project, by, "k", store.now()).await.unwrap().unwrap();
        assert_eq!((shown.status, shown.replays, shown.conflicts, shown.response_status_code), (IdempotencyStatus::Done, 2, 3, Some(201)));
        assert_eq!(shown.fingerprint, first.fingerprint.to_string());
        let answer = idempotency::answer(&mut conn, store.keys(), by, "k", store.now()).await.unwrap().unwrap();
        assert!(!answer.redacted_body().contains("whsec_abc"));
        drop(conn);

        store.clock.advance(TTL);
        assert!(seen(&store, by, "k").await.is_none());
        let shown = idempotency::get(&mut store.conn().await, project, by, "k", store.now()).await.unwrap().unwrap();
        assert_eq!(shown.status, IdempotencyStatus::Expired);
        assert!(idempotency::answer(&mut store.conn().await, store.keys(), by, "k", store.now()).await.unwrap().is_none());
        let fresh = capture_of(&store, project, by, "k", "another");
        assert!(take(&store, &fresh).await);
        complete(&store, &fresh).await.unwrap();
        let shown = idempotency::get(&mut store.conn().await, project, by, "k", store.now()).await.unwrap().unwrap();
        assert_eq!((shown.first_request_id, shown.replays, shown.conflicts), (fresh.request_id, 0, 0));
    }

    async fn retention_erases_expired_answers_and_later_their_traces_but_nothing_that_runs(store: TestStore) {
        let (project, by) = (store.project().await, api_key(&store));
        // More than one batch takes.
        for n in 0..501 {
            answer_at_once(&store, &capture_of(&store, project, by, &format!("old {n}"), "{}")).await.unwrap();
        }
        store.clock.advance(TTL.saturating_sub(LEASE / 2));
        let slow = Capture { expires_at: store.now().plus(LEASE / 2), ..capture_of(&store, project, by, "slow", "{}") };
        assert!(take(&store, &slow).await);
        answer_at_once(&store, &capture_of(&store, project, by, "young", "{}")).await.unwrap();
        store.clock.advance(LEASE / 2);
        maintenance::run(&store, Retention::default()).await.unwrap();
        let count = async |condition: &str| {
            let query = Sql::new("SELECT COUNT(*) AS n FROM btx_idempotency WHERE ").push(condition);
            query.fetch_one(&mut store.conn().await).await.unwrap().int("n").unwrap()
        };
        assert_eq!(count("status = 'expired' AND response_body IS NULL AND is_erased = 1").await, 501);
        assert_eq!(count("status = 'done' AND response_body IS NOT NULL AND is_erased = 0").await, 1, "the young one");
        complete(&store, &slow).await.unwrap();

        // Used afresh, an expired key is as good as a new one.
        answer_at_once(&store, &capture_of(&store, project, by, "old 7", "{}")).await.unwrap();
        assert!(matches!(seen(&store, by, "old 7").await.unwrap().state, SeenState::Done(_)));
        store.clock.advance(TTL * 14 + LEASE);
        maintenance::run(&store, Retention::default()).await.unwrap();
        assert_eq!(count("1 = 1").await, 2, "what expired less than 14 days ago");
        store.clock.advance(TTL * 2);
        maintenance::run(&store, Retention::default()).await.unwrap();
        assert_eq!(count("1 = 1").await, 0);
    }

    async fn keys_are_walked_like_every_list(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        for n in 0..9_u64 {
            let owner = if n == 4 { other } else { project };
            let by = a_real_key(&store, owner).await;
            take(&store, &capture_of(&store, owner, by, if n % 2 == 0 { "even" } else { "odd" }, "{}")).await;
            store.clock.advance(Duration::from_micros(n % 3));
        }
        let (any, even) = (IdempotencyFilter::default(), IdempotencyFilter { key: Some("even".to_owned()) });
        let now = store.now();
        hold_to_the_law!(8, |request| idempotency::list(&mut store.conn().await, project, &any, now, request).await.unwrap());
        hold_to_the_law!(4, |request| idempotency::list(&mut store.conn().await, project, &even, now, request).await.unwrap());
    }
}
