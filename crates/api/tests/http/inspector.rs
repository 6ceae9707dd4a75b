//! The inspector: what bins receive and answer, and what the API shows of it.

use axum::http::Method;
use serde_json::{Value, json};

use crate::harness::{Api, Call, Reply, new_key, new_project};

/// A bin with this script; its path.
async fn bin(api: &Api, script: &str) -> (String, String) {
    let made = api.post("/inspector/bins", &format!(r#"{{"name":"Orders","script":{script}}}"#)).await;
    assert_eq!(made.status, 201, "{}", made.json());
    (made.id(), made.data()["url"].as_str().unwrap().to_owned())
}

async fn send(api: &Api, method: &str, path: &str, body: &[u8]) -> Reply {
    let call = Call::new(Method::from_bytes(method.as_bytes()).unwrap(), path);
    api.send_bare(call.body(body.to_vec())).await
}

async fn captures(api: &Api, bin: &str) -> Vec<Value> {
    let list = api.get(&format!("/inspector/bins/{bin}/captures?cursor_limit=200")).await;
    list.data().as_array().unwrap().clone()
}

async fn newest(api: &Api, bin: &str) -> Value {
    let id = captures(api, bin).await[0]["id"].as_str().unwrap().to_owned();
    api.get(&format!("/inspector/bins/{bin}/captures/{id}")).await.data()
}

fn is_contained(reply: &Reply) -> bool {
    reply.header("content-security-policy") == "sandbox" && reply.header("x-content-type-options") == "nosniff"
}

#[tokio::test]
async fn a_bin_keeps_any_method_path_query_and_header_line_and_the_list_leaves_bodies_out() {
    let api = Api::start().await;
    let (id, url) = bin(&api, r#"[{"status":201,"headers":{"X-Mine":"yes"},"body":"kept"}]"#).await;
    for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "M-SEARCH"] {
        let path = format!("{url}/a%2Fb//c/?q=%D0%96&q=1");
        let call = Call::new(Method::from_bytes(method.as_bytes()).unwrap(), &path);
        let call = call.header("x-twice", "1").header("x-other", "2").header("x-twice", "3").body("{ \"n\": 1.10 }\n");
        let reply = api.send_bare(call.header("origin", "https://a.example")).await;
        assert_eq!((reply.status.as_u16(), reply.header("x-mine")), (201, "yes"), "{method}");
        assert!(is_contained(&reply), "{method}");
        assert!(!reply.headers.contains_key("access-control-allow-origin"), "a preflight is a request like any other");
        let kept = newest(&api, &id).await;
        assert_eq!((&kept["method"], &kept["path"]), (&json!(method), &json!("/a%2Fb//c/")));
        assert_eq!((&kept["query"], &kept["body"]), (&json!("q=%D0%96&q=1"), &json!("{ \"n\": 1.10 }\n")));
        assert_eq!((&kept["body_size"], &kept["response_status_code"]), (&json!(14), &json!(201)));
        let twice: Vec<_> =
            kept["headers"].as_array().unwrap().iter().filter(|line| line["name"] == "x-twice").collect();
        assert_eq!(twice, [&json!({"name": "x-twice", "value": "1"}), &json!({"name": "x-twice", "value": "3"})]);
    }
    let list = captures(&api, &id).await;
    assert_eq!(list.len(), 10);
    assert!(list[0].get("body").is_none() && list[0].get("headers").is_none(), "{}", list[0]);
    assert_eq!(api.get(&format!("/inspector/bins/{id}")).await.data()["captures_count"], 10);
}

#[tokio::test]
async fn inspector_rewrites_body_never_happens_a_binary_body_comes_back_byte_for_byte() {
    let api = Api::start().await;
    let (id, url) = bin(&api, r#"[{"status":200}]"#).await;
    send(&api, "POST", &url, b"\x00\xff\xfe\x80").await;
    let kept = newest(&api, &id).await;
    assert_eq!((&kept["body"], &kept["body_base64"]), (&json!(null), &json!("AP/+gA==")));
}

#[tokio::test]
async fn a_body_of_a_mebibyte_is_kept_whole_and_one_byte_more_not_at_all() {
    let api = Api::start().await;
    let (id, url) = bin(&api, r#"[{"status":200},{"status":202}]"#).await;
    let full = vec![b'x'; 1_048_576];
    assert_eq!(send(&api, "PUT", &url, &[full.as_slice(), b"y"].concat()).await.status, 413);
    assert!(captures(&api, &id).await.is_empty(), "nothing is kept by halves");
    assert_eq!(send(&api, "PUT", &url, &full).await.status, 200, "and no answer of the script is used up");
    assert_eq!(captures(&api, &id).await[0]["body_size"], 1_048_576);
}

#[tokio::test]
async fn an_unknown_address_looks_like_any_unknown_path_and_is_contained_too() {
    let api = Api::start().await;
    let (id, url) = bin(&api, r#"[{"status":200}]"#).await;
    for path in ["/inspect", "/inspect/", "/inspect/x", &format!("/inspect/{}", "0".repeat(40)), &format!("{url}0")] {
        let reply = send(&api, "POST", path, b"x").await;
        assert_eq!((reply.status.as_u16(), reply.bytes.as_slice()), (404, b"not found\n".as_slice()), "{path}");
        assert!(is_contained(&reply), "{path}");
    }
    assert_eq!(api.delete(&format!("/inspector/bins/{id}")).await.status, 204);
    assert_eq!(send(&api, "POST", &url, b"x").await.status, 404);
    assert_eq!(api.get(&format!("/inspector/bins/{id}/captures")).await.status, 404);
}

#[tokio::test]
async fn the_script_answers_in_its_order_and_its_last_answer_repeats() {
    let api = Api::start().await;
    let script = r#"[{"status":503},{"status":429,"headers":{"Retry-After":"2"}},{"status":200,"body":"<b>ok</b>"}]"#;
    let (id, url) = bin(&api, script).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let reply = send(&api, "POST", &url, b"").await;
        if reply.status == 429 {
            assert_eq!(reply.header("retry-after"), "2");
        }
        statuses.push(reply.status.as_u16());
    }
    assert_eq!(statuses, [503, 429, 200, 200]);
    let reply = send(&api, "GET", &url, b"").await;
    assert_eq!(
        (reply.header("content-type"), reply.bytes.as_slice()),
        ("text/plain; charset=utf-8", &b"<b>ok</b>"[..])
    );
    let changed = api.patch(&format!("/inspector/bins/{id}"), r#"{"script":null}"#).await;
    assert_eq!(changed.data()["script"], json!([{"status": 200, "headers": {}, "body": "", "delay_ms": 0}]));
    assert_eq!(send(&api, "GET", &url, b"").await.bytes, b"");
}

#[tokio::test]
async fn a_script_is_refused_with_every_bad_field_at_once() {
    let api = Api::start().await;
    let script =
        r#"[{"status":100,"delay_ms":60001},{"status":200,"headers":{"Set-Cookie":"a=b","X":"a\nb"}},{"headers":{}}]"#;
    let refused = api.post("/inspector/bins", &format!(r#"{{"name":" ","script":{script},"extra":1}}"#)).await;
    assert_eq!(refused.status, 422);
    let fields: Vec<String> = refused.details()["fields"].as_object().unwrap().keys().cloned().collect();
    let expected = [
        "extra",
        "name",
        "script[0].delay_ms",
        "script[0].status",
        "script[1].headers.Set-Cookie",
        "script[1].headers.X",
        "script[2].status",
    ];
    assert_eq!(fields, expected);
    let (id, _) = bin(&api, r#"[{"status":200}]"#).await;
    assert_eq!(api.patch(&format!("/inspector/bins/{id}"), r#"{"name":null,"script":[]}"#).await.status, 422);
}

#[tokio::test]
async fn our_own_session_is_never_kept_and_other_cookies_are() {
    let api = Api::start().await;
    let (id, url) = bin(&api, r#"[{"status":200}]"#).await;
    let cookies = "theirs=1; __Host-botix_session=secret; botix_session=secret";
    api.send_bare(Call::new(Method::GET, &url).header("cookie", cookies).header("authorization", "Bearer x")).await;
    let kept = newest(&api, &id).await;
    let lines = kept["headers"].as_array().unwrap();
    assert!(lines.contains(&json!({"name": "cookie", "value": "theirs=1"})), "{kept}");
    assert!(lines.contains(&json!({"name": "authorization", "value": "Bearer x"})));
    assert!(!kept.to_string().contains("secret"));
}

#[tokio::test]
async fn a_delayed_answer_is_kept_first_and_given_at_once_when_the_process_ends() {
    let api = Api::start().await;
    let (id, url) = bin(&api, r#"[{"status":204,"delay_ms":60000}]"#).await;
    let kept = async {
        while captures(&api, &id).await.is_empty() {
            tokio::task::yield_now().await;
        }
        api.closing.cancel();
    };
    let (reply, ()) = tokio::join!(send(&api, "POST", &url, b"x"), kept);
    assert_eq!(reply.status, 204);
}

#[tokio::test]
async fn a_flood_is_stopped_at_its_own_bin() {
    let api = Api::start().await;
    let ((_, flooded), (_, other)) = (bin(&api, r#"[{"status":200}]"#).await, bin(&api, r#"[{"status":200}]"#).await);
    let sent = futures::future::join_all((0..1_205).map(|_| send(&api, "GET", &flooded, b""))).await;
    let refused: Vec<_> = sent.iter().filter(|reply| reply.status == 429).collect();
    assert_eq!(refused.len(), 5);
    assert!(refused[0].header("retry-after").parse::<u32>().unwrap() > 0 && is_contained(refused[0]));
    assert_eq!(send(&api, "GET", &other, b"").await.status, 200);
}

#[tokio::test]
async fn bins_of_another_project_are_not_there() {
    let api = Api::start().await;
    let (id, url) = bin(&api, r#"[{"status":200}]"#).await;
    send(&api, "POST", &url, b"x").await;
    let capture = captures(&api, &id).await[0]["id"].as_str().unwrap().to_owned();
    let other = new_project(&api.store, None).await;
    let scopes = vec![domain::status::Scope::Read, domain::status::Scope::Write];
    let (_, key) = new_key(&api.store, other, scopes).await;
    let path = format!("/public/v1/inspector/bins/{id}");
    for path in [path.clone(), format!("{path}/captures"), format!("{path}/captures/{capture}")] {
        assert_eq!(api.send_as(&key, Call::new(Method::GET, &path)).await.status, 404, "{path}");
    }
    assert_eq!(api.send_as(&key, Call::new(Method::DELETE, &path)).await.status, 404);
    assert_eq!(api.send_as(&key, Call::new(Method::PATCH, &path).json("{}")).await.status, 404);
    assert_eq!(api.get(&format!("/inspector/bins/{id}")).await.status, 200);
}

#[tokio::test]
async fn what_was_never_sent_can_not_be_redirected() {
    let api = Api::start().await;
    api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["*"]}"#).await;
    api.post("/events", r#"{"type":"a.b","data":{}}"#).await;
    let delivery = api.get("/webhooks/deliveries").await.data()[0]["id"].as_str().unwrap().to_owned();
    let refused = api.post(&format!("/webhooks/deliveries/{delivery}/redirect-to-inspector"), "").await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "RESOURCE_CONFLICT"));
    let expected = json!({"resource_type": "webhook_delivery", "field": "attempts_count", "existing_id": delivery});
    assert_eq!(refused.details(), expected);
    assert_eq!(api.count("/inspector/bins").await, 0, "no bin is made for it");
    for path in
        ["/webhooks/deliveries/dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV", "/webhooks/dead-letters/dlq_01ARZ3NDEKTSV4RRFFQ69G5FAV"]
    {
        assert_eq!(api.post(&format!("{path}/redirect-to-inspector"), "").await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_ladder_is_rehearsed_without_sending_anything() {
    let api = Api::start().await;
    let (id, _) = bin(&api, r#"[{"status":503},{"status":429,"headers":{"Retry-After":"5"}},{"status":200}]"#).await;
    let endpoint =
        api.post("/webhooks/endpoints", r#"{"url":"https://example.com/h","event_types":["b.c"]}"#).await.id();
    let event = api.post("/events", r#"{"type":"a.b","data":{}}"#).await.id();
    let body = json!({"event_id": event, "endpoint_id": endpoint}).to_string();
    let played = api.post(&format!("/inspector/bins/{id}/rehearse"), &body).await;
    assert_eq!(played.status, 201, "{}", played.json());
    let played = played.data();
    let statuses: Vec<_> =
        played["rungs"].as_array().unwrap().iter().map(|rung| rung["response_status_code"].clone()).collect();
    assert_eq!(statuses, [json!(503), json!(429), json!(200)]);
    assert_eq!((&played["status"], &played["rungs"][1]["by_retry_after"]), (&json!("delivered"), &json!(true)));
    assert_eq!((captures(&api, &id).await.len(), api.count("/webhooks/deliveries").await), (3, 0));
    assert_eq!(
        api.post(&format!("/inspector/bins/{id}/rehearse"), "{}").await.details()["fields"].as_object().unwrap().len(),
        2
    );
}
