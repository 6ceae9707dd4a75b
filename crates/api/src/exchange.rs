//! One request on its way through: what was known when it came in, and what was learned since.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header::{ACCEPT, HeaderMap, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use domain::id::RequestId;
use domain::model::ApiRequest;
use domain::status::IdempotencyOutcome;
use domain::{ErrorCode, Timestamp};
use store::requests::NewRequest;

use crate::auth::{self, Identity};
use crate::client_address::client_address;
use crate::envelope::{Answer, Reply};
use crate::error::ApiError;
use crate::rate_limit::{Rate, Who};
use crate::state::ApiState;

/// How much of a path and of a user agent is logged, in characters.
const LOGGED: usize = 1_024;

/// The request as everybody behind the door sees it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Exchange(Arc<Facts>);

pub(crate) struct Facts {
    /// Our id for it; never the caller's.
    pub(crate) id: RequestId,
    pub(crate) arrived: Timestamp,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) identity: Identity,
    pub(crate) rate: Rate,
    began: Instant,
    remote_ip: Option<IpAddr>,
    user_agent: Option<String>,
    /// Where error codes are explained, when the caller asked for `application/problem+json`.
    problem: Option<String>,
    learned: Mutex<Learned>,
}

/// What the log row needs and only later steps know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    pub(crate) idempotency_key: Option<String>,
    pub(crate) outcome: Option<IdempotencyOutcome>,
    /// The row has been written already, in the operation's own transaction.
    pub(crate) logged: bool,
}

impl std::ops::Deref for Exchange {
    type Target = Facts;
    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl Exchange {
    /// Takes a request in: gives it its id, finds out who sent it, and counts it.
    pub(crate) async fn open(state: &ApiState, head: &Parts) -> Self {
        let began = Instant::now();
        let arrived = state.store.now();
        let remote_ip = client_address(state, head);
        let identity = auth::identify(state, &head.headers, arrived).await;
        let (who, limit) = match identity.caller() {
            Some(caller) => (Who::Key(caller.key_id), caller.rate_limit.unwrap_or(state.config.rate_limit)),
            None => (Who::address(remote_ip), state.config.rate_limit),
        };
        let rate = state.count(who, limit, arrived).await;
        Self(Arc::new(Facts {
            id: RequestId::generate(arrived, state.store.entropy()),
            arrived,
            method: head.method.clone(),
            path: head.uri.path().to_owned(),
            rate,
            identity,
            began,
            remote_ip,
            user_agent: text(head.headers.get(USER_AGENT).map(HeaderValue::as_bytes)),
            problem: wants_problem(&head.headers).then(|| state.config.docs_url.clone()),
            learned: Mutex::default(),
        }))
    }

    /// Refuses a request that is over the limit.
    pub(crate) fn within_rate(&self) -> Result<(), ApiError> {
        let over = ApiError::RateLimited { retry_after: self.rate.free_in, limit: self.rate.limit };
        if self.rate.allowed { Ok(()) } else { Err(over) }
    }

    /// Notes something for the log.
    pub(crate) fn learn(&self, note: impl FnOnce(&mut Learned)) {
        note(&mut self.learned.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn learned(&self) -> Learned {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The answer's final form. What is our fault is written to the log here, once.
    pub(crate) fn reply(&self, outcome: Result<Answer, ApiError>) -> Reply {
        match outcome {
            Ok(answer) => Reply::success(answer, self.id),
            Err(error) => {
                if let Some(cause) = error.cause() {
                    let (method, path) = (&self.method, &self.path);
                    tracing::error!(request_id = %self.id, %method, %path, cause, "a request failed");
                }
                Reply::failure(&error, self.id, self.problem.as_deref())
            }
        }
    }

    /// The row for the log. A request without a valid key belongs to no project, and nobody could
    /// look it up.
    pub(crate) fn log_row(&self, status: StatusCode, error: Option<ErrorCode>) -> Option<NewRequest> {
        let caller = self.identity.caller()?;
        let learned = self.learned();
        Some(NewRequest {
            project: caller.project,
            replayed_request_id: None,
            request: ApiRequest {
                id: self.id,
                method: self.method.to_string(),
                path: self.shown_path(),
                status_code: status.as_u16(),
                error_code: error.map(|code| code.as_str().to_owned()),
                duration_ms: u32::try_from(self.took().as_millis()).unwrap_or(u32::MAX),
                api_key_id: Some(caller.key_id),
                remote_ip: self.remote_ip.map(|address| address.to_string()),
                user_agent: self.user_agent.clone(),
                idempotency_key: learned.idempotency_key,
                idempotency_outcome: learned.outcome,
                created_at: self.arrived,
            },
        })
    }

    /// How long it has taken until now.
    pub(crate) fn took(&self) -> Duration {
        self.began.elapsed()
    }

    /// As much of the path as is written down.
    pub(crate) fn shown_path(&self) -> String {
        self.path.chars().take(LOGGED).collect()
    }
}

/// Whether any `Accept` line names the problem type, and does not refuse it by `q=0`.
fn wants_problem(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut types = lines.flat_map(|line| line.split(','));
    types.any(|kind| {
        let mut parts = kind.split(';').map(str::trim);
        let named = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/problem+json"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        named && weight.is_none_or(|weight| weight > 0.0)
    })
}

fn text(bytes: Option<&[u8]>) -> Option<String> {
    let text = String::from_utf8_lossy(bytes?).chars().filter(|c| !c.is_control()).take(LOGGED).collect::<String>();
    Some(text).filter(|text| !text.is_empty())
}
