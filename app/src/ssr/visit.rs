//! Who visits, in which language, under which request id: found out once for each request.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::Timestamp;
use domain::entropy::random_bytes;
use domain::id::{ProjectId, RequestId};
use domain::model::User;
use leptos::nonce::Nonce;
use leptos::prelude::{provide_context, use_context};
use store::sessions::{self, SessionToken};
use store::{StoreError, users};

use super::state::AppState;
use super::{bare, cookies, headers, origin};
use crate::i18n::Locale;
use crate::query;

/// How long an answer may take to begin. A live stream begins at once and goes on.
const LONGEST: Duration = Duration::from_secs(30);

/// The colours somebody has chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Their system's.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// As in the cookie and in `data-theme`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Of such a word.
    pub(crate) fn from_word(word: &str) -> Self {
        match word {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::Auto,
        }
    }
}

/// What is known about the one who asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visitor {
    pub(crate) user: Option<User>,
    pub(crate) locale: Locale,
    pub(crate) theme: Theme,
    /// The remembered time zone, in minutes east of UTC.
    pub(crate) zone: Option<i32>,
    /// Whether single keys were switched off.
    pub(crate) keys_off: bool,
    pub(crate) nonce: String,
    pub(crate) request_id: String,
    /// When they asked.
    pub(crate) now: Timestamp,
}

/// Hands the visitor and the nonce to the page being drawn.
pub(super) fn provide_visitor() {
    let Some(visitor) = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Visitor>().cloned()) else {
        return;
    };
    provide_context(Nonce::from_value(visitor.nonce.clone()));
    provide_context(visitor.locale);
    provide_context(visitor);
}

/// Finds out who visits, turns away what must not pass, and secures the answer.
pub(super) async fn middleware(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let visitor = match recognise(&state, request.headers()).await {
        Ok(visitor) => visitor,
        Err((visitor, error)) => {
            tracing::error!(request_id = %visitor.request_id, %error, "the session could not be read");
            let text = visitor.locale.error_unavailable();
            return finish(&state, &visitor, bare::page(&visitor, StatusCode::SERVICE_UNAVAILABLE, text));
        }
    };
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if changes && !origin::is_ours(request.headers(), &state.app_url) {
        let answer = bare::page(&visitor, StatusCode::FORBIDDEN, visitor.locale.bad_origin());
        return finish(&state, &visitor, answer);
    }
    let path = request.uri().path().to_owned();
    if visitor.user.is_none() && !changes && is_page(&path) {
        let back = request.uri().path_and_query().map_or("", |target| target.as_str());
        let target = query::href("/developers/sign-in", &query::with("", "next", Some(back)));
        return finish(&state, &visitor, Redirect::to(&target).into_response());
    }
    if visitor.user.is_some() && !changes && path == "/developers/sign-in" {
        return finish(&state, &visitor, Redirect::to("/developers").into_response());
    }
    let last = cookies::read(request.headers(), cookies::PROJECT).map(str::to_owned);
    request.extensions_mut().insert(visitor.clone());
    let Ok(mut answer) = tokio::time::timeout(LONGEST, next.run(request)).await else {
        tracing::error!(request_id = %visitor.request_id, path, "an answer took too long");
        let text = visitor.locale.error_unavailable();
        return finish(&state, &visitor, bare::page(&visitor, StatusCode::SERVICE_UNAVAILABLE, text));
    };
    remember_project(&state, &visitor, &path, last.as_deref(), &mut answer);
    finish(&state, &visitor, answer)
}

/// Pages other than the sign-in itself; streams answer 401 themselves.
fn is_page(path: &str) -> bool {
    path != "/developers/sign-in" && !path.ends_with("/live")
}

async fn recognise(state: &AppState, headers: &HeaderMap) -> Result<Visitor, (Visitor, StoreError)> {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let mut visitor = Visitor {
        user: None,
        locale: cookies::read(headers, cookies::LANGUAGE)
            .and_then(Locale::from_code)
            .or_else(|| accepted.and_then(Locale::from_accept_language))
            .unwrap_or_default(),
        theme: cookies::read(headers, cookies::THEME).map(Theme::from_word).unwrap_or_default(),
        zone: cookies::read(headers, cookies::ZONE).and_then(zone),
        keys_off: cookies::read(headers, cookies::KEYS) == Some("off"),
        nonce: format!("{:032x}", u128::from_be_bytes(random_bytes(state.store.entropy()))),
        request_id: RequestId::generate(state.store.now(), state.store.entropy()).to_string(),
        now: state.store.now(),
    };
    let token = cookies::read(headers, cookies::session(state.secure())).and_then(|text| text.parse().ok());
    match user_of(state, token).await {
        Ok(user) => {
            visitor.user = user;
            Ok(visitor)
        }
        Err(error) => Err((visitor, error)),
    }
}

/// Minutes east of UTC, as far as there are such zones.
pub(super) fn zone(text: &str) -> Option<i32> {
    text.parse().ok().filter(|minutes| (-12 * 60..=14 * 60).contains(minutes))
}

async fn user_of(state: &AppState, token: Option<SessionToken>) -> Result<Option<User>, StoreError> {
    let Some(token) = token else { return Ok(None) };
    let session = sessions::find(&mut state.store.reader().await?, &token, state.store.now()).await?;
    Ok(session.map(|session| session.user))
}

/// Whether a person may still look at a project; asked again and again while a stream is open.
pub(super) async fn may_see(state: &AppState, project: ProjectId, user: &User) -> Result<bool, StoreError> {
    Ok(users::role_in(&mut state.store.reader().await?, project, user.id).await?.is_some())
}

fn remember_project(state: &AppState, visitor: &Visitor, path: &str, last: Option<&str>, answer: &mut Response<Body>) {
    let project = path.strip_prefix("/developers/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let known = visitor.user.is_some() && answer.status().is_success() && project.parse::<ProjectId>().is_ok();
    if known && last != Some(project) {
        let year = Duration::from_secs(365 * 86_400);
        if let Some(cookie) = cookies::write(cookies::PROJECT, Some(project), year, state.secure()) {
            answer.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
}

fn finish(state: &AppState, visitor: &Visitor, mut answer: Response) -> Response {
    headers::secure(answer.headers_mut(), &visitor.nonce, state.secure());
    if let Ok(id) = HeaderValue::from_str(&visitor.request_id) {
        answer.headers_mut().insert("x-request-id", id);
    }
    answer
}
