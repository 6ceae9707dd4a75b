//! The inspector's bins and captures.

use std::time::Duration;

use domain::filter::TimeRange;
use domain::id::{AttemptId, BinId, CaptureId, DeadLetterId, DeliveryId, ProjectId};
use domain::model::{Bin, HeaderLine};
use domain::page::{Listed, Page, PageRequest, PageStart};
use domain::script::Script;
use domain::status::CaptureKind;
use store::inspector::{self, Addresses, BinChange, BinToken, MAX_CAPTURES, NewBin, Received};
use store::maintenance::{self, Retention};
use store::{Sql, StoreError};

use crate::harness::TestStore as Store;
use crate::hold_to_the_law;

mod redirect;
mod rehearse;

const DAY: Duration = Duration::from_secs(86_400);

fn addresses(store: &Store) -> Addresses {
    Addresses::new(store.keys(), "https://hook.example.com")
}

async fn bin(store: &Store, project: ProjectId, script: &str) -> Bin {
    let (at, script) = (addresses(store), Script::parse(script).unwrap());
    let new = NewBin { name: "Orders".to_owned(), script };
    store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { inspector::insert(tx, &at, project, new).await }))
        .await
        .unwrap()
}

async fn default_bin(store: &Store, project: ProjectId) -> Bin {
    let at = addresses(store);
    store
        .write::<_, _, StoreError>(move |tx| Box::pin(async move { inspector::default_bin(tx, &at, project).await }))
        .await
        .unwrap()
}

fn token(bin: &Bin) -> BinToken {
    BinToken::parse(bin.url.strip_prefix("https://hook.example.com/inspect/").unwrap()).unwrap()
}

async fn send(store: &Store, project: ProjectId, bin: BinId, body: &[u8]) -> Option<(CaptureId, u16)> {
    let headers = vec![HeaderLine::new("x-a", b"1"), HeaderLine::new("x-b", b"\xff"), HeaderLine::new("x-a", b"2")];
    let received = Received {
        method: "BREW".to_owned(),
        path: "/a%2Fb//c".to_owned(),
        query: Some("q=%00&q".to_owned()),
        headers,
        body: body.to_vec(),
        remote_ip: Some("203.0.113.9".to_owned()),
    };
    let sent = store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move { inspector::receive(tx, project, bin, received).await })
    });
    sent.await.unwrap().map(|(id, step)| (id, step.status))
}

async fn count(store: &Store) -> i64 {
    let query = Sql::new("SELECT COUNT(*) AS n FROM btx_inspector_capture");
    query.fetch_one(&mut store.conn().await).await.unwrap().int("n").unwrap()
}

crate::contract! {
    async fn inspector_rewrites_body_never_happens_bytes_method_and_repeated_headers_are_kept(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let made = bin(&store, project, r#"[{"status": 200}]"#).await;
        let largest = vec![0x80; 1_048_576];
        for body in [&b""[..], b"\x00\xff\x00", b"{ \"n\": 1.10 }\r\n", &largest] {
            let (id, _) = send(&store, project, made.id, body).await.unwrap();
            let mut conn = store.conn().await;
            let capture = inspector::capture(&mut conn, project, made.id, id).await.unwrap().unwrap();
            let payload = capture.payload.clone().unwrap();
            assert_eq!(payload.bytes(), body);
            assert_eq!(inspector::body(&mut conn, project, made.id, id).await.unwrap().unwrap(), body);
            assert_eq!(capture.body_size as usize, body.len());
            assert_eq!((capture.method.as_str(), capture.path.as_str(), capture.query.as_deref()), ("BREW", "/a%2Fb//c", Some("q=%00&q")));
            let lines: Vec<_> = payload.headers.iter().map(|line| (line.name.as_str(), line.bytes())).collect();
            assert_eq!(lines, [("x-a", b"1".to_vec()), ("x-b", b"\xff".to_vec()), ("x-a", b"2".to_vec())]);
            assert_eq!((capture.kind, capture.response_status_code, capture.source), (CaptureKind::Received, Some(200), None));
            assert_eq!(inspector::capture(&mut conn, other, made.id, id).await.unwrap(), None, "another project's is not there");
            assert_eq!(inspector::body(&mut conn, other, made.id, id).await.unwrap(), None);
        }
    }

    async fn an_address_is_found_by_its_token_alone_and_is_not_in_the_database(store: TestStore) {
        let project = store.project().await;
        let made = bin(&store, project, r#"[{"status": 204}]"#).await;
        let mut conn = store.conn().await;
        let found = inspector::find(&mut conn, &token(&made)).await.unwrap().unwrap();
        assert_eq!((found.project_id, found.bin_id, found.script.at(0).status), (project, made.id, 204));
        let unknown = BinToken::parse(&"0".repeat(40)).unwrap();
        assert!(inspector::find(&mut conn, &unknown).await.unwrap().is_none());
        assert_eq!(format!("{:?}", token(&made)), "BinToken");
        let row = Sql::new("SELECT token, token_hash FROM btx_inspector_bin").fetch_one(&mut conn).await.unwrap();
        let secret = made.url.rsplit('/').next().unwrap().as_bytes();
        for column in ["token", "token_hash"] {
            assert!(!row.bytes(column).unwrap().windows(secret.len()).any(|part| part == secret), "{column}");
        }
        for wrong in [String::new(), "abc".to_owned(), "0".repeat(39), "A".repeat(40), "g".repeat(40)] {
            assert!(BinToken::parse(&wrong).is_none(), "{wrong}");
        }
    }

    async fn each_request_takes_the_script_one_step_further_also_when_many_come_at_once(store: TestStore) {
        let project = store.project().await;
        let script = r#"[{"status": 503}, {"status": 503}, {"status": 429, "headers": {"Retry-After": "2"}}, {"status": 200}]"#;
        let made = bin(&store, project, script).await;
        let sent = futures::future::join_all((0..12).map(|_| send(&store, project, made.id, b"x"))).await;
        let mut statuses: Vec<u16> = sent.into_iter().map(|sent| sent.unwrap().1).collect();
        statuses.sort_unstable();
        let expected = [vec![200; 9], vec![429, 503, 503]].concat();
        assert_eq!(statuses, expected, "no step is taken twice, none is left out");
        let at = addresses(&store);
        let change = BinChange { script: Some(Script::parse(r#"[{"status": 418}, {"status": 201}]"#).unwrap()), ..BinChange::default() };
        let changed = store.write::<_, _, StoreError>(move |tx| Box::pin(async move { inspector::update(tx, &at, project, made.id, change).await })).await.unwrap().unwrap();
        assert_eq!((changed.name.as_str(), changed.captures_count, &changed.url), ("Orders", 12, &made.url));
        assert_eq!(send(&store, project, made.id, b"").await.unwrap().1, 418, "a new script begins with its first answer");
        assert_eq!(send(&store, project, made.id, b"").await.unwrap().1, 201);
    }

    async fn the_default_bin_is_made_once_however_many_ask_for_it(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let made = futures::future::join_all((0..8).map(|_| default_bin(&store, project))).await;
        assert!(made.iter().all(|bin| bin.id == made[0].id && bin.is_default && bin.url == made[0].url), "{made:?}");
        assert_ne!(default_bin(&store, other).await.id, made[0].id);
        let page = inspector::list(&mut store.conn().await, &addresses(&store), project, &TimeRange::default(), PageRequest::first(20)).await.unwrap();
        assert_eq!(page.data, [made[0].clone()]);
    }

    async fn a_bin_keeps_five_hundred_captures_and_never_one_more(store: TestStore) {
        let project = store.project().await;
        let (made, neighbour) = (bin(&store, project, r#"[{"status": 200}]"#).await, bin(&store, project, r#"[{"status": 200}]"#).await);
        let kept = send(&store, project, neighbour.id, b"").await.unwrap().0;
        let mut sent = Vec::new();
        for _ in 0..MAX_CAPTURES - 1 {
            sent.push(send(&store, project, made.id, b"").await.unwrap().0);
            store.clock.advance(Duration::from_micros(1));
        }
        let burst = futures::future::join_all((0..20).map(|_| send(&store, project, made.id, b""))).await;
        assert_eq!(burst.len(), 20);
        let mut conn = store.conn().await;
        let bin = inspector::get(&mut conn, &addresses(&store), project, made.id).await.unwrap().unwrap();
        assert_eq!(bin.captures_count, MAX_CAPTURES);
        assert_eq!(count(&store).await, i64::from(MAX_CAPTURES) + 1);
        for gone in &sent[..19] {
            assert_eq!(inspector::capture(&mut conn, project, made.id, *gone).await.unwrap(), None, "the oldest make room");
        }
        assert!(inspector::capture(&mut conn, project, made.id, sent[19]).await.unwrap().is_some());
        assert!(inspector::capture(&mut conn, project, neighbour.id, kept).await.unwrap().is_some(), "and nobody else's");
    }

    async fn captures_go_after_fourteen_days_and_with_their_bin_at_once(store: TestStore) {
        let project = store.project().await;
        let (made, deleted) = (bin(&store, project, r#"[{"status": 200}]"#).await, bin(&store, project, r#"[{"status": 200}]"#).await);
        send(&store, project, made.id, b"old").await;
        store.clock.advance(DAY * 7);
        let young = send(&store, project, made.id, b"young").await.unwrap().0;
        let lost = futures::future::join_all((0..25).map(|_| send(&store, project, deleted.id, b"lost"))).await;
        let other = store.project().await;
        let delete = |project| store.write::<_, _, StoreError>(move |tx| Box::pin(async move { inspector::delete(tx, project, deleted.id).await }));
        assert!(!delete(other).await.unwrap(), "another project's is not there");
        assert!(delete(project).await.unwrap() && !delete(project).await.unwrap());
        let mut conn = store.conn().await;
        assert_eq!(inspector::capture(&mut conn, project, deleted.id, lost[0].unwrap().0).await.unwrap(), None);
        let page = inspector::captures(&mut conn, project, deleted.id, &TimeRange::default(), PageRequest::first(20)).await.unwrap();
        assert_eq!(page, Page { data: Vec::new(), has_more: false });
        assert_eq!(send(&store, project, deleted.id, b"late").await, None);
        assert!(inspector::find(&mut conn, &token(&deleted)).await.unwrap().is_none());
        assert_eq!(count(&store).await, 27);
        store.clock.advance(DAY * 7 + Duration::from_secs(1));
        maintenance::run(&store, Retention::default()).await.unwrap();
        assert_eq!(count(&store).await, 1);
        assert!(inspector::capture(&mut conn, project, made.id, young).await.unwrap().is_some());
    }

    async fn bins_and_captures_keep_the_law_and_know_their_neighbours(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let made = bin(&store, project, r#"[{"status": 200}]"#).await;
        for n in 0..6_u64 {
            let beside = bin(&store, if n == 2 { other } else { project }, r#"[{"status": 200}]"#).await;
            send(&store, project, made.id, b"x").await.unwrap();
            send(&store, if n == 2 { other } else { project }, beside.id, b"x").await.unwrap();
            store.clock.advance(Duration::from_micros(n % 2));
        }
        let (range, at) = (TimeRange::default(), addresses(&store));
        let mut conn = store.conn().await;
        hold_to_the_law!(6, |request| inspector::list(&mut conn, &at, project, &range, request).await.unwrap());
        hold_to_the_law!(6, |request| inspector::captures(&mut conn, project, made.id, &range, request).await.unwrap());
        let all = inspector::captures(&mut conn, project, made.id, &range, PageRequest::first(20)).await.unwrap().data;
        for (n, capture) in all.iter().enumerate() {
            let beside = inspector::neighbours(&mut conn, project, capture).await.unwrap();
            let newer = n.checked_sub(1).map(|n| all[n].id);
            assert_eq!((beside.newer, beside.older), (newer, all.get(n + 1).map(|found| found.id)));
        }
    }

    async fn ids_of_bins_and_captures_are_found_in_their_project_alone(store: TestStore) {
        let (project, other) = (store.project().await, store.project().await);
        let made = bin(&store, project, r#"[{"status": 200}]"#).await;
        let (capture, _) = send(&store, project, made.id, b"x").await.unwrap();
        let mut conn = store.conn().await;
        for id in [made.id.to_string(), capture.to_string()] {
            let found = store::find::existing(&mut conn, project, std::slice::from_ref(&id)).await.unwrap();
            assert_eq!(found, std::slice::from_ref(&id));
            assert!(store::find::existing(&mut conn, other, &[id]).await.unwrap().is_empty());
        }
    }

    async fn live_lists_hear_of_a_capture_once_it_is_there(store: TestStore) {
        let project = store.project().await;
        let made = bin(&store, project, r#"[{"status": 200}]"#).await;
        let mut captured = store.signals().captured();
        captured.mark_unchanged();
        send(&store, project, made.id, b"x").await.unwrap();
        assert!(captured.has_changed().unwrap());
    }
}
