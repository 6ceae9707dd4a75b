//! The sample receiver: what a project's own server would be. One path for each seeded endpoint,
//! whose answers can be switched, so that a newcomer sees a Retry fail and then succeed.

mod page;
mod seen;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use domain::Clock as _;
use tokio::net::TcpListener;

use super::credentials::Credentials;
use super::shop::{Character, LISTENERS};
use crate::surroundings::SystemClock;
use seen::Seen;

/// How long the mode `slow` takes.
const SLOW: Duration = Duration::from_secs(5);
/// What the mode `429` asks for, in seconds.
const LATER: &str = "20";

/// How one path answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Fine,
    Down,
    Refusing,
    Slow,
    Busy,
}

impl Mode {
    const ALL: [Self; 5] = [Self::Fine, Self::Down, Self::Refusing, Self::Slow, Self::Busy];

    /// The word in a form.
    const fn word(self) -> &'static str {
        match self {
            Self::Fine => "200",
            Self::Down => "503",
            Self::Refusing => "401",
            Self::Slow => "slow",
            Self::Busy => "429",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }
}

/// What the receiver knows about one path.
struct Hook {
    description: &'static str,
    secret: String,
    mode: Mode,
    /// The last requests, newest first.
    seen: Vec<Seen>,
}

type Hooks = BTreeMap<String, Hook>;

/// All paths.
#[derive(Clone)]
struct Receiver(Arc<Mutex<Hooks>>);

impl Receiver {
    fn of(credentials: &Credentials) -> Self {
        let hooks = credentials.endpoints.iter().map(|known| {
            let listener = LISTENERS.iter().find(|listener| listener.name == known.name);
            let mode = match listener.map(|listener| listener.character) {
                Some(Character::FailingNow) => Mode::Down,
                Some(Character::WrongSecret) => Mode::Refusing,
                _ => Mode::Fine,
            };
            let description = listener.map_or("", |listener| listener.description);
            (known.name.clone(), Hook { description, secret: known.secret.clone(), mode, seen: Vec::new() })
        });
        Self(Arc::new(Mutex::new(hooks.collect())))
    }

    fn hooks(&self) -> MutexGuard<'_, Hooks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Listens on loopback: where it did before, else beside the server, else anywhere.
pub(crate) async fn bind(before: Option<u16>, server: SocketAddr) -> std::io::Result<TcpListener> {
    let beside = server.port().checked_add(10).filter(|_| server.port() >= 1_024);
    for port in [before, beside].into_iter().flatten() {
        if let Ok(listener) = TcpListener::bind(("127.0.0.1", port)).await {
            return Ok(listener);
        }
    }
    TcpListener::bind(("127.0.0.1", 0)).await
}

/// The receiver's routes.
pub(crate) fn router(credentials: &Credentials) -> Router {
    Router::new()
        .route("/", get(show))
        .route("/mode", axum::routing::post(switch))
        .route("/{hook}", axum::routing::post(receive))
        .layer(DefaultBodyLimit::max(1 << 20))
        .with_state(Receiver::of(credentials))
}

async fn show(State(receiver): State<Receiver>, headers: HeaderMap) -> Html<String> {
    let language = headers.get("accept-language").and_then(|value| value.to_str().ok()).unwrap_or_default();
    Html(page::render(&receiver.hooks(), language))
}

/// `hook=billing&mode=200`, from the page's buttons or from curl.
async fn switch(State(receiver): State<Receiver>, form: Bytes) -> Response {
    let fields: BTreeMap<_, _> = url::form_urlencoded::parse(&form).into_owned().collect();
    let mode = fields.get("mode").and_then(|word| Mode::parse(word));
    let mut hooks = receiver.hooks();
    let hook = fields.get("hook").and_then(|name| hooks.get_mut(name.trim_start_matches('/')));
    let (Some(hook), Some(mode)) = (hook, mode) else {
        let accepted = "send hook=NAME and mode=200, 503, 401, slow or 429\n";
        return (StatusCode::UNPROCESSABLE_ENTITY, accepted).into_response();
    };
    hook.mode = mode;
    (StatusCode::SEE_OTHER, [(LOCATION, "/")]).into_response()
}

async fn receive(
    State(receiver): State<Receiver>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mode = {
        let mut hooks = receiver.hooks();
        let Some(hook) = hooks.get_mut(&name) else { return StatusCode::NOT_FOUND.into_response() };
        let seen = Seen::of(&headers, &body, &hook.secret, hook.mode.word(), SystemClock.now());
        hook.seen.insert(0, seen);
        hook.seen.truncate(seen::KEPT);
        hook.mode
    };
    let json = [(CONTENT_TYPE, "application/json")];
    match mode {
        Mode::Fine => (json, r#"{"ok":true}"#).into_response(),
        Mode::Slow => {
            tokio::time::sleep(SLOW).await;
            (json, r#"{"ok":true,"slow":true}"#).into_response()
        }
        Mode::Down => (StatusCode::SERVICE_UNAVAILABLE, "upstream connect error: no healthy host").into_response(),
        Mode::Refusing => (StatusCode::UNAUTHORIZED, json, r#"{"error":"signature does not match"}"#).into_response(),
        Mode::Busy => (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, LATER)], "too many requests").into_response(),
    }
}
