//! Walking lists (contract section 6).

use std::time::Duration;

use api::ApiConfig;
use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::status::Scope;

use crate::harness::{Api, Call, Reply, full, new_key, new_project};

async fn with_events(count: usize) -> Api {
    let api = Api::start().await;
    for n in 0..count {
        assert_eq!(api.post("/events", &format!(r#"{{"type":"a.b","data":{{"n":{n}}}}}"#)).await.status, 201);
    }
    api
}

fn ids(reply: &Reply) -> Vec<String> {
    reply.data().as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_walk_sees_each_row_once_in_order_while_new_ones_are_written() {
    let api = with_events(23).await;
    let all = ids(&api.get("/events?cursor_limit=200").await);
    assert_eq!(all.len(), 23);
    for limit in [1, 7, 22, 23, 24] {
        let mut walked = Vec::new();
        let mut page = api.get(&format!("/events?created_before=2030-01-01T00:00:00Z&cursor_limit={limit}")).await;
        loop {
            walked.extend(ids(&page));
            api.post("/contacts", &format!(r#"{{"phone":"+7916{limit:03}{:04}","name":"n"}}"#, walked.len())).await;
            let json = page.json();
            let Some(cursor) = json["next_cursor"].as_str() else {
                assert_eq!(json["has_more"], false);
                break;
            };
            assert_eq!(json["has_more"], true);
            let path = format!("/events?created_before=2030-01-01T00:00:00Z&cursor_limit={limit}&cursor={cursor}");
            page = api.get(&path).await;
        }
        let walked: Vec<_> = walked.into_iter().filter(|id| all.contains(id)).collect();
        assert_eq!(walked, all, "by {limit}");
    }
}

#[tokio::test]
async fn a_full_last_page_says_that_nothing_follows() {
    let api = with_events(4).await;
    let first = api.get("/events?cursor_limit=2").await.json();
    let cursor = first["next_cursor"].as_str().unwrap();
    let last = api.get(&format!("/events?cursor_limit=2&cursor={cursor}")).await.json();
    assert_eq!((&last["has_more"], &last["next_cursor"]), (&false.into(), &serde_json::Value::Null));
}

#[tokio::test]
async fn every_flipped_bit_is_an_invalid_cursor() {
    let api = with_events(2).await;
    let page = api.get("/events?cursor_limit=1").await.json();
    let good = page["next_cursor"].as_str().unwrap();
    assert_eq!(api.get(&format!("/events?cursor={good}")).await.status, 200);
    let bytes = URL_SAFE_NO_PAD.decode(good).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let cursor = URL_SAFE_NO_PAD.encode(changed);
        let reply = api.get(&format!("/events?cursor={cursor}")).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "INVALID_CURSOR"), "bit {bit}");
    }
}

#[tokio::test]
async fn a_cursor_works_for_its_own_walk_only() {
    let api = with_events(2).await;
    let page = api.get("/events?cursor_limit=1").await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    let other = new_project(&api.store, None).await;
    let (_, key) = new_key(&api.store, other, vec![Scope::Read]).await;
    let foreign = api.send_as(&key, Call::new(Method::GET, &full(&format!("/events?cursor={cursor}")))).await;
    for (reply, reason) in [
        (api.get(&format!("/events?cursor={cursor}&type=a.b")).await, "filters_changed"),
        (api.get(&format!("/contacts?cursor={cursor}")).await, "wrong_list"),
        (foreign, "wrong_list"),
        (api.get("/events?cursor=").await, "malformed"),
        (api.get("/events?cursor=junk").await, "malformed"),
        (api.get(&format!("/events?cursor={}", &cursor[..cursor.len() - 3])).await, "malformed"),
    ] {
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "INVALID_CURSOR"));
        assert_eq!(reply.details()["reason"], reason);
    }
    assert_eq!(api.get(&format!("/events?cursor={cursor}&cursor_limit=200")).await.status, 200, "a size is no filter");
}

#[tokio::test]
async fn page_sizes_and_filters_are_refused_together() {
    let api = Api::start().await;
    for limit in ["0", "201", "-1", "x", ""] {
        let reply = api.get(&format!("/contacts?cursor_limit={limit}")).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (422, "VALIDATION_ERROR"), "{limit}");
    }
    assert_eq!(api.get("/webhooks/endpoints?cursor_limit=0").await.status, 422, "also where there are no filters");
    let reply = api.get("/webhooks/attempts?cursor_limit=0&status=nope&created_after=yesterday").await;
    let fields = reply.details()["fields"].as_object().unwrap().clone();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["created_after", "cursor_limit", "status"]);
    assert_eq!(api.get("/contacts?cursor_limit=200").await.status, 200);
}

#[tokio::test]
async fn the_old_mode_works_until_its_sunset_and_says_so() {
    let api = with_events(5).await;
    let page = api.get("/events?pagination=offset&offset=1&limit=2").await;
    assert_eq!(page.status, 200);
    let all = ids(&api.get("/events").await);
    assert_eq!(ids(&page), all[1..3]);
    assert_eq!(page.header("x-api-notice"), "pagination=offset deprecated, migrate by 2026-11-01");
    assert_eq!(page.header("sunset"), "Sun, 01 Nov 2026 00:00:00 GMT");
    assert!(page.header("deprecation").starts_with('@'));
    assert_eq!(page.json()["next_cursor"], serde_json::Value::Null);
    assert_eq!(api.get("/events?pagination=offset&offset=10001").await.status, 422);

    for old in ["offset=1", "limit=2", "pagination=pages", "pagination=offset&cursor_limit=2"] {
        let reply = api.get(&format!("/events?{old}")).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "MALFORMED_REQUEST"), "{old}");
    }
    let reason = api.get("/events?offset=1").await.details()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("offset") && reason.contains("/docs/migration-1.0-1.1"), "{reason}");

    api.advance(Duration::from_secs(365 * 86_400));
    let reply = api.get("/events?pagination=offset&offset=1").await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "MALFORMED_REQUEST"));
    assert!(reply.details()["reason"].as_str().unwrap().contains("/docs/migration-1.0-1.1"));
    assert_eq!(reply.header("x-api-notice"), "");
}

#[tokio::test]
async fn the_sunset_is_configurable() {
    let offset_sunset = domain::Timestamp::parse("2020-01-01T00:00:00Z").unwrap();
    let api = Api::with(ApiConfig { offset_sunset, ..ApiConfig::default() }).await;
    assert_eq!(api.get("/events?pagination=offset").await.status, 400);
}
