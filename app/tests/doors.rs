//! Who gets in and who does not, against the real router over a fresh database.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use app::ssr::{AppState, SignInGate, router};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use domain::id::ProjectId;
use domain::ladder::RetrySchedule;
use domain::status::Role;
use domain::{Clock, Entropy, Timestamp};
use leptos::config::LeptosOptions;
use store::users::{self, NewUser};
use store::{Environment, Keyring, Store, StoreConfig, StoreError};
use tower::ServiceExt as _;

const ORIGIN: &str = "http://127.0.0.1:3000";

/// Nothing is sent from these tests.
struct NoWayOut;

impl store::replay::Replayer for NoWayOut {
    fn replay(&self, _: store::replay::Replay) -> futures::future::BoxFuture<'static, domain::model::ReplayResult> {
        Box::pin(async { domain::model::ReplayResult::default() })
    }
}

struct StandingClock;

impl Clock for StandingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_secs(1_780_000_000)
    }
}

/// Different each time, the same in each run.
struct Counting(AtomicU64);
impl Entropy for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let next = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst).to_be_bytes();
            chunk.copy_from_slice(&next[..chunk.len()]);
        }
    }
}

struct House {
    router: Router,
    project: ProjectId,
    folder: std::path::PathBuf,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl House {
    /// With Anna, who owns the one project, and Vera, who may only look.
    async fn build(app_url: &str) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("botix-doors-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let environment = Environment {
            clock: Arc::new(StandingClock),
            entropy: Arc::new(Counting(AtomicU64::new(1))),
            keys: Keyring::derive(&[7; 32], None).unwrap(),
            schedule: RetrySchedule::default(),
            auto_disable_after: None,
            spans: None,
        };
        let config = StoreConfig::Sqlite { path: folder.join("test.sqlite") };
        let store = Store::open(config, environment).await.unwrap();
        store.migrate().await.unwrap();
        let hash = users::hash("correct horse".to_owned(), store.entropy()).await.unwrap();
        let project = store
            .write::<_, _, StoreError>(move |tx| {
                Box::pin(async move {
                    let project = store::projects::insert(tx, "Shop <b>№ 1</b>", None).await?;
                    for (email, role) in [("anna@example.com", Role::Owner), ("vera@example.com", Role::Viewer)] {
                        let new = NewUser { email: email.to_owned(), password_hash: hash.clone(), is_support: false };
                        let user = users::insert(tx, new).await?;
                        users::set_member(tx, project.id, user.id, role).await?;
                    }
                    Ok(project.id)
                })
            })
            .await
            .unwrap();
        let state = AppState {
            cursors: store.keys().cursor_signer(),
            store,
            leptos_options: LeptosOptions::builder().output_name("botix").build(),
            app_url: app_url.to_owned(),
            api_url: app_url.to_owned(),
            attempt_retention: std::time::Duration::from_secs(14 * 86_400),
            secret_overlap: std::time::Duration::from_secs(86_400),
            read_timeout: std::time::Duration::from_secs(30),
            inspector_url: app_url.to_owned(),
            replayer: std::sync::Arc::new(NoWayOut),
            guard: domain::address::AddressGuard::default(),
            closing: tokio_util::sync::CancellationToken::new(),
            sign_in_gate: SignInGate::default(),
        };
        Self { router: router(state), project, folder }
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let bytes = axum::body::to_bytes(body, 1 << 22).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, body: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    async fn get(&self, path: &str, cookie: &str) -> Answer {
        let request = Request::get(path).header(header::COOKIE, cookie).header(header::ACCEPT_LANGUAGE, "en");
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn post(&self, path: &str, origin: Option<&str>, cookie: &str, form: &str) -> Answer {
        let mut request = Request::post(path)
            .header(header::COOKIE, cookie)
            .header(header::ACCEPT, "text/html")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some(origin) = origin {
            request = request.header(header::ORIGIN, origin);
        }
        self.send(request.body(Body::from(form.to_owned())).unwrap()).await
    }

    async fn sign_in(&self, email: &str) -> String {
        let form = format!("email={email}&password=correct+horse&next=/developers");
        let answer = self.post("/developers/sign-in", Some(ORIGIN), "", &form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        answer.header(header::SET_COOKIE).split(';').next().unwrap().to_owned()
    }

    fn page(&self, rest: &str) -> String {
        format!("/developers/{}{rest}", self.project)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_is_led_to_the_sign_in_and_back_to_the_page_afterwards() {
    let house = House::build(ORIGIN).await;
    let answer = house.get(&house.page("/webhooks?status=retrying"), "").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let target = answer.header(header::LOCATION);
    assert!(target.starts_with("/developers/sign-in?next="), "{target}");
    let form = house.get(target, "").await;
    assert!(form.body.contains(&house.page("/webhooks?status=retrying")));
    let next = house.page("/webhooks");
    let sent = format!("email=anna%40example.com&password=correct+horse&next={next}");
    let answer = house.post("/developers/sign-in", Some(ORIGIN), "", &sent).await;
    assert_eq!(answer.header(header::LOCATION), next);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_sign_in_nobody_is_sent_elsewhere() {
    let house = House::build(ORIGIN).await;
    for next in ["https://evil.example", "//evil.example", "/developers//evil.example", "/inspect/x"] {
        let sent = format!("email=anna%40example.com&password=correct+horse&next={next}");
        let answer = house.post("/developers/sign-in", Some(ORIGIN), "", &sent).await;
        assert_eq!(answer.header(header::LOCATION), "/developers", "{next}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_an_unknown_address_get_the_same_answer() {
    let house = House::build(ORIGIN).await;
    let mut answers = Vec::new();
    for email in ["anna@example.com", "nobody@example.com"] {
        let sent = format!("email={email}&password=wrong&next=/developers");
        let answer = house.post("/developers/sign-in", Some(ORIGIN), "", &sent).await;
        assert!(!answer.headers.contains_key(header::SET_COOKIE));
        answers.push((answer.status, answer.header(header::LOCATION).to_owned(), answer.body));
    }
    assert_eq!(answers[0], answers[1]);
    assert!(!answers[0].1.contains("example.com"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_cookie_is_bound_to_the_host_over_tls_and_ends_with_the_sign_out() {
    let house = House::build("https://app.example").await;
    let sent = "email=anna@example.com&password=correct+horse";
    let answer = house.post("/developers/sign-in", Some("https://app.example"), "", sent).await;
    let cookie = answer.header(header::SET_COOKIE).to_owned();
    assert!(cookie.starts_with("__Host-botix_session="), "{cookie}");
    for part in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(house.get(&house.page("/webhooks"), cookie).await.status, StatusCode::OK);
    house.post("/developers/sign-out", Some("https://app.example"), cookie, "").await;
    assert_eq!(house.get(&house.page("/webhooks"), cookie).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_changes_at_the_word_of_another_origin() {
    let house = House::build(ORIGIN).await;
    let cookie = house.sign_in("anna@example.com").await;
    for origin in [None, Some("https://evil.example"), Some("null")] {
        let retry = house.page("/retry");
        for path in ["/developers/sign-out", "/developers/preferences", &retry, "/developers/sign-in"] {
            let answer = house.post(path, origin, &cookie, "theme=dark").await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin:?} {path}");
            assert!(!answer.headers.contains_key(header::SET_COOKIE));
        }
    }
    assert_eq!(house.get(&house.page("/webhooks"), &cookie).await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_its_fields_says_so_on_a_page() {
    let house = House::build(ORIGIN).await;
    let cookie = house.sign_in("anna@example.com").await;
    for sent in ["", "id=nothing&token=t", "id=dlq_01HXY8Z2K5VQGN3PMAB7DEFGHJ&token=t&page=//evil.example"] {
        let answer = house.post(&house.page("/retry"), Some(ORIGIN), &cookie, sent).await;
        assert_eq!(
            answer.header(header::LOCATION),
            format!("{}?problem=not_found", house.page("/dead-letters")),
            "{sent}"
        );
    }
    let other = "/developers/prj_01HXY8Z2K5VQGN3PMAB7DEFGHJ";
    assert_eq!(house.get(&format!("{other}/webhooks"), &cookie).await.status, StatusCode::NOT_FOUND);
    let answer = house.post(&format!("{other}/retry"), Some(ORIGIN), &cookie, "id=x").await;
    assert_eq!(answer.header(header::LOCATION), format!("{other}/dead-letters?problem=not_found"));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_only_look_cannot_send_again() {
    let house = House::build(ORIGIN).await;
    let cookie = house.sign_in("vera@example.com").await;
    let page = house.page("/dead-letters");
    let sent = format!("id=dlq_01HXY8Z2K5VQGN3PMAB7DEFGHJ&token=t&page={page}");
    let answer = house.post(&house.page("/retry"), Some(ORIGIN), &cookie, &sent).await;
    assert_eq!(answer.header(header::LOCATION), format!("{page}?problem=forbidden"));
    let shown = house.get(&format!("{page}?problem=forbidden"), &cookie).await;
    assert!(shown.body.contains("You may not do that"), "{}", shown.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_whole_without_scripts_and_what_it_shows_is_text() {
    let house = House::build(ORIGIN).await;
    let cookie = house.sign_in("anna@example.com").await;
    let answer = house.get(&house.page("/webhooks"), &cookie).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.body.contains("No attempts yet"), "{}", answer.body);
    assert!(answer.body.contains("Shop &lt;b&gt;№ 1&lt;/b&gt;") && !answer.body.contains("<b>№"));
    assert!(!answer.body.contains(" style="));
    let policy = answer.header(header::CONTENT_SECURITY_POLICY);
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    let scripts = answer.body.matches("<script").count();
    assert!(scripts > 0);
    assert_eq!(answer.body.matches(&format!("nonce=\"{nonce}\"")).count(), scripts);
    let again = house.get(&house.page("/webhooks"), &cookie).await;
    assert_ne!(again.header(header::CONTENT_SECURITY_POLICY), policy, "a nonce is used once");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_says_so_with_its_status() {
    let house = House::build(ORIGIN).await;
    let cookie = house.sign_in("anna@example.com").await;
    for path in ["/webhooks/att_01HXY8Z2K5VQGN3PMAB7DEFGHJ", "/events/evt_1", "/nowhere/at-all"] {
        assert_eq!(house.get(&house.page(path), &cookie).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(house.get(&house.page("/webhooks?status=sent"), &cookie).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_language_is_the_cookies_else_the_browsers() {
    let house = House::build(ORIGIN).await;
    assert!(house.get("/developers/sign-in", "").await.body.contains("lang=\"en\""));
    assert!(house.get("/developers/sign-in", "botix_lang=ru").await.body.contains("lang=\"ru\""));
    let answer = house.post("/developers/preferences", Some(ORIGIN), "", "lang=ru").await;
    assert!(answer.header(header::SET_COOKIE).starts_with("botix_lang=ru;"));
    let dark = house.get("/developers/sign-in", "botix_theme=dark").await;
    assert!(dark.body.contains("data-theme=\"dark\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_and_settings_are_changed_by_those_who_may_and_each_change_is_written_down() {
    let house = House::build(ORIGIN).await;
    let (anna, vera) = (house.sign_in("anna@example.com").await, house.sign_in("vera@example.com").await);
    let (new, settings) = (house.page("/api-keys/new"), house.page("/settings/act"));
    let made = house.post(&new, Some(ORIGIN), &anna, "name=CRM&scopes=read&days=90").await;
    assert!(made.body.contains("btx_live_"), "{}", made.body);
    assert!(!house.get(&house.page("/settings"), &anna).await.body.contains("btx_live_"));
    assert_eq!(house.post(&new, Some(ORIGIN), &vera, "name=x&scopes=read").await.status, StatusCode::FORBIDDEN);
    let refused = house.post(&settings, Some(ORIGIN), &vera, "do=rename&name=x").await;
    assert_eq!(refused.header(header::LOCATION), format!("{}?problem=forbidden", house.page("/settings")));
    let last = house.post(&settings, Some(ORIGIN), &anna, "do=add&role=viewer&email=nobody@example.com").await;
    assert_eq!(last.header(header::LOCATION), format!("{}?problem=no_such_person", house.page("/settings")));
    let job = house.page("/dead-letters/jobs/job_01HXY8Z2K5VQGN3PMAB7DEFGHJ");
    assert_eq!(house.get(&job, &anna).await.status, StatusCode::NOT_FOUND);
    assert_eq!(house.get(&house.page("/dead-letters/retry"), &vera).await.status, StatusCode::FORBIDDEN);
    let log = house.get(&house.page("/settings"), &anna).await;
    assert!(log.body.contains("created an API key") && log.body.contains("CRM"), "{}", log.body);
    let looked = house.get(&house.page("/settings"), &vera).await;
    assert!(looked.status == StatusCode::OK && !looked.body.contains("created an API key"));
    let other = "/developers/prj_01HXY8Z2K5VQGN3PMAB7DEFGHJ";
    for page in ["/api-keys", "/settings", "/dead-letters/retry"] {
        assert_eq!(house.get(&format!("{other}{page}"), &anna).await.status, StatusCode::NOT_FOUND, "{page}");
    }
}
