//! `/catalog/imports` and `/catalog/items`.

use axum::body::Body;
use axum::http::Method;
use domain::status::Scope;
use serde_json::{Value, json};
use store::imports;

use crate::harness::{Api, Call, Reply, full, new_key, new_project, unique};

const CSV: &str = "text/csv; charset=utf-8";
const NDJSON: &str = "application/x-ndjson";
const JSON: &str = "application/json";

fn upload(key: &str, content_type: &str, body: impl Into<Body>) -> Call {
    let call = Call::new(Method::POST, &full("/catalog/imports"));
    call.header("idempotency-key", key).header("content-type", content_type).body(body)
}

async fn import(api: &Api, content_type: &str, body: impl Into<Body>) -> Reply {
    api.send(upload(&unique(), content_type, body)).await
}

/// Does the worker's part, and answers with what became of the import.
async fn worked_off(api: &Api, accepted: &Reply) -> Value {
    while imports::run_next(&api.store).await.unwrap() {}
    api.get(&format!("/catalog/imports/{}", accepted.id())).await.data()
}

async fn count_staged(api: &Api) -> i64 {
    let count = store::Sql::new("SELECT COUNT(*) AS n FROM btx_catalog_chunk");
    count.fetch_one(&mut api.store.reader().await.unwrap()).await.unwrap().int("n").unwrap()
}

#[tokio::test]
async fn each_format_says_the_same_and_the_end_is_announced() {
    let api = Api::start().await;
    let csv =
        "\u{feff}SKU,name,price,currency,colour\r\nA,\"Tea, \"\"green\"\"\",19.90,rub,red\r\n,x,,,\r\nB,,,,\r\nC\r\n";
    let ndjson = "{\"sku\":\"A\",\"name\":\"Tea, \\\"green\\\"\",\"price\":19.90,\"currency\":\"RUB\",\"colour\":\"red\"}\n{\"name\":\"x\"}\n{\"sku\":\"B\"}\n{\n";
    let json_body = r#"{"items":[{"sku":"A","name":"Tea, \"green\"","price":"19.90","currency":"RUB","attributes":{"colour":"red"}},{"sku":null},{"sku":"B"},[]]}"#;
    let unix = csv.replace("\r\n", "\n");
    for (content_type, body, lines) in
        [(CSV, csv, [3, 5]), (CSV, &unix, [3, 5]), (NDJSON, ndjson, [2, 4]), (JSON, json_body, [2, 4])]
    {
        let accepted = import(&api, content_type, body.to_owned()).await;
        assert_eq!(accepted.status, 202, "{}", accepted.json());
        assert_eq!((&accepted.data()["status"], &accepted.data()["total"]), (&json!("pending"), &json!(4)));
        let ended = worked_off(&api, &accepted).await;
        assert_eq!(
            (&ended["status"], &ended["done"], &ended["failed"]),
            (&json!("completed"), &json!(2), &json!(2)),
            "{ended}"
        );
        assert_eq!((&ended["errors"][0]["line"], &ended["errors"][1]["line"]), (&json!(lines[0]), &json!(lines[1])));
        assert_eq!(ended["errors"][0]["reason"], "sku is required");
        let item = api.get("/catalog/items?sku=A").await.data()[0].clone();
        assert_eq!(
            (&item["name"], &item["price"], &item["currency"]),
            (&json!("Tea, \"green\""), &json!(19.9), &json!("RUB"))
        );
        assert_eq!((&item["attributes"], &item["import_id"]), (&json!({"colour": "red"}), &ended["id"]));
        let same = api.get(&format!("/catalog/items/{}", item["id"].as_str().unwrap())).await;
        assert!(String::from_utf8_lossy(&same.bytes).contains("\"price\":19.90,"), "digit for digit");
        let event = api.get("/events?cursor_limit=1").await.data()[0].clone();
        assert_eq!((&event["type"], &event["data"]), (&json!("catalog.import.completed"), &ended));
        assert_eq!(event["request_id"], accepted.header("x-request-id"));
    }
    assert_eq!(api.count("/catalog/items").await, 2, "upserted by sku");
    assert_eq!(api.count("/catalog/imports?status=completed").await, 4);
}

#[tokio::test]
async fn a_repetition_replays_and_changes_nothing() {
    let api = Api::start().await;
    let (key, body) = (unique(), "sku\nA\nB\n");
    let first = api.send(upload(&key, CSV, body)).await;
    let again = api.send(upload(&key, CSV, body)).await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, "1"));
    assert_eq!(again.bytes, first.bytes);
    let other = api.send(upload(&key, CSV, "sku\nA\nC\n")).await;
    assert_eq!((other.status.as_u16(), other.code().as_str()), (409, "IDEMPOTENCY_KEY_REUSE_CONFLICT"));
    assert_eq!(count_staged(&api).await, 1, "only the first upload's rows are kept");
    worked_off(&api, &first).await;
    let late = api.send(upload(&key, CSV, body)).await;
    assert_eq!(late.bytes, first.bytes);
    assert_eq!((api.count("/catalog/imports").await, api.count("/catalog/items").await), (1, 2));
    assert_eq!((count_staged(&api).await, api.count("/events").await), (0, 1));
}

#[tokio::test]
async fn of_many_at_once_under_one_key_one_is_carried_out() {
    let api = Api::start().await;
    let key = unique();
    let sent = (0..12).map(|_| api.send(upload(&key, NDJSON, "{\"sku\":\"A\"}\n")));
    let replies = futures::future::join_all(sent).await;
    assert!(replies.iter().all(|reply| reply.status == 202 || reply.code() == "IDEMPOTENCY_KEY_IN_PROGRESS"));
    assert_eq!((api.count("/catalog/imports").await, count_staged(&api).await), (1, 1));
}

#[tokio::test]
async fn fifty_thousand_rows_are_taken_and_one_more_is_not() {
    let api = Api::start().await;
    let rows = |count: usize| {
        let rows: Vec<String> = (0..count).map(|n| format!("S{n},1.50\n")).collect();
        format!("sku,price\n{}", rows.concat())
    };
    let refused = import(&api, CSV, rows(50_001)).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "VALIDATION_ERROR"));
    assert_eq!(refused.details()["fields"]["items"], "must be at most 50,000 rows");
    assert_eq!(count_staged(&api).await, 0);
    let accepted = import(&api, CSV, rows(50_000)).await;
    assert_eq!((accepted.status.as_u16(), &accepted.data()["total"]), (202, &json!(50_000)));
    assert_eq!(count_staged(&api).await, 100);
}

#[tokio::test]
async fn what_can_not_be_an_import_is_refused_and_leaves_nothing() {
    let api = Api::start().await;
    for (content_type, body, status, field) in [
        (JSON, "{", 400, ""),
        (JSON, "[]", 400, ""),
        (JSON, "{\"items\":[{\"sku\":\"A\"},nope]}", 400, ""),
        (JSON, "{\"items\":[{\"sku\":\"A\"}]} x", 400, ""),
        (JSON, "", 400, ""),
        (JSON, "{}", 422, "items"),
        (JSON, "{\"items\":[]}", 422, "items"),
        (JSON, "{\"items\":7}", 422, "items"),
        (JSON, "{\"items\":[{\"sku\":\"A\"}],\"items\":[]}", 422, "items"),
        (JSON, "{\"items\":[{\"sku\":\"A\"}],\"colour\":[1]}", 422, "colour"),
        (NDJSON, "\n \n", 422, "items"),
        (CSV, "", 422, "items"),
        (CSV, "name\nTea\n", 422, "items"),
        (CSV, "sku,a,a\n1,2,3\n", 422, "items"),
        (CSV, "sku\n", 422, "items"),
        ("text/plain", "sku\nA\n", 415, ""),
    ] {
        let refused = import(&api, content_type, body).await;
        assert_eq!(refused.status, status, "{content_type} {body}: {}", refused.json());
        if status == 422 {
            assert!(refused.details()["fields"][field].is_string(), "{body}: {}", refused.json());
        } else {
            assert_eq!(refused.code(), "MALFORMED_REQUEST");
        }
    }
    let endless = import(&api, CSV, format!("sku\n\"{}", "x".repeat(2 * 1024 * 1024))).await;
    assert_eq!(endless.status, 422, "a row without an end is not held");
    let call = Call::new(Method::POST, &full("/catalog/imports")).header("content-type", CSV).body("sku\nA\n");
    assert_eq!(api.send(call).await.code(), "IDEMPOTENCY_KEY_REQUIRED");
    assert_eq!((api.count("/catalog/imports").await, count_staged(&api).await), (0, 0));
}

#[tokio::test]
async fn more_than_64_mebibytes_are_refused_announced_or_not() {
    let api = Api::start().await;
    let announced = upload(&unique(), CSV, "sku\nA\n").header("content-length", "67108865");
    let piece = bytes::Bytes::from(format!("{}\n", "x".repeat(65_535)));
    let pieces = futures::stream::iter((0..1_025).map(move |_| Ok::<_, std::io::Error>(piece.clone())));
    let endless = upload(&unique(), NDJSON, Body::from_stream(pieces));
    for call in [announced, endless] {
        let refused = api.send(call).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (413, "PAYLOAD_TOO_LARGE"));
        assert_eq!(refused.details(), json!({"limit_bytes": 64 * 1024 * 1024}));
    }
    assert_eq!(count_staged(&api).await, 0);
}

#[tokio::test]
async fn a_catalog_belongs_to_its_project() {
    let api = Api::start().await;
    let accepted = import(&api, CSV, "sku\nA\n").await;
    worked_off(&api, &accepted).await;
    let item = api.get("/catalog/items").await.data()[0]["id"].as_str().unwrap().to_owned();
    let other = new_project(&api.store, None).await;
    let (_, key) = new_key(&api.store, other, vec![Scope::Read]).await;
    for path in [format!("/catalog/imports/{}", accepted.id()), format!("/catalog/items/{item}")] {
        assert_eq!(api.send_as(&key, Call::new(Method::GET, &full(&path))).await.status, 404);
    }
    for path in ["/catalog/imports", "/catalog/items"] {
        assert_eq!(api.send_as(&key, Call::new(Method::GET, &full(path))).await.data(), json!([]));
    }
    assert_eq!(api.send_as(&key, upload(&unique(), CSV, "sku\nA\n")).await.code(), "FORBIDDEN");
}
