//! What the inspector receives (contract sections 1 and 7): any request below `/inspect/{token}` is kept
//! byte for byte and answered as the bin's script says.
//!
//! There is no authentication: whoever knows the address may send. So nothing here answers before a limit
//! was asked, what is answered by a script was committed first, and every answer is put into a sandbox:
//! on one origin it stands beside the dashboard.

mod delayed;
mod request;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::any;
use domain::script::ScriptStep;
use store::StoreError;
use store::inspector::{self, BinToken};
use tokio_util::sync::CancellationToken;

use crate::body;
use crate::error::ApiError;
use crate::rate_limit::{RateLimiter, Who};
use crate::state::ApiState;
use delayed::Delayed;

/// Where bins receive.
pub(crate) const PREFIX: &str = "/inspect";
/// Requests a minute that one bin takes, by each replica.
const RATE: u32 = 1_200;

/// What all bins share.
struct Inspector {
    api: ApiState,
    limiter: RateLimiter,
    delayed: Arc<Delayed>,
    /// Ends the delays when the process ends.
    closing: CancellationToken,
}

/// Everything below `/inspect`.
pub(crate) fn router(api: ApiState, closing: CancellationToken) -> Router {
    let inspector = Inspector { api, limiter: RateLimiter::default(), delayed: Arc::default(), closing };
    let paths = [PREFIX.to_owned(), format!("{PREFIX}/"), format!("{PREFIX}/{{*rest}}")];
    let routes = paths.iter().fold(Router::new(), |router, path| router.route(path, any(receive)));
    routes.with_state(Arc::new(inspector))
}

/// Why a request is not kept.
enum Refused {
    Unknown,
    TooMany { free_in: u32 },
    TooLarge,
    BrokenOff,
    Busy,
    Store(StoreError),
}

async fn receive(State(inspector): State<Arc<Inspector>>, request: Request) -> Response<Body> {
    let mut response = match inspector.take(request).await {
        Ok(step) => scripted(step),
        Err(refused) => refused.answer(),
    };
    contain(response.headers_mut());
    response
}

impl Inspector {
    /// Keeps a request, and waits as long as its answer is to wait.
    async fn take(&self, request: Request) -> Result<ScriptStep, Refused> {
        let (head, body) = request.into_parts();
        let (token, rest) = request::token_and_rest(head.uri.path());
        let token = BinToken::parse(token).ok_or(Refused::Unknown)?;
        let bin = {
            let mut conn = self.api.store.reader().await?;
            inspector::find(&mut conn, &token).await?.ok_or(Refused::Unknown)?
        };
        let rate = self.limiter.take(Who::Bin(bin.bin_id), RATE, self.api.store.now());
        if !rate.allowed {
            return Err(Refused::TooMany { free_in: rate.free_in });
        }
        // Before anything is kept: a delay that there is no room for must not eat an answer of the script.
        let place = if bin.script.delays() {
            Some(Delayed::take(&self.delayed, bin.bin_id).ok_or(Refused::Busy)?)
        } else {
            None
        };
        let bytes = body::read(&head.headers, body, body::LIMIT).await.map_err(|error| match error {
            ApiError::TooLarge { .. } => Refused::TooLarge,
            _ => Refused::BrokenOff,
        })?;
        let received = request::received(&self.api, &head, rest, bytes);
        let (project, id) = (bin.project_id, bin.bin_id);
        let kept = self.api.store.write::<_, _, StoreError>(move |tx| {
            Box::pin(async move { inspector::receive(tx, project, id, received).await })
        });
        let (_, step) = kept.await?.ok_or(Refused::Unknown)?;
        metrics::counter!("botix_inspector_captures_total").increment(1);
        if step.delay_ms > 0 {
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(step.delay_ms.into())) => {}
                () = self.closing.cancelled() => {}
            }
        }
        drop(place);
        Ok(step)
    }
}

/// The answer as it was scripted.
fn scripted(step: ScriptStep) -> Response<Body> {
    let mut response = Response::new(Body::from(step.body));
    // Both were checked when the script was stored.
    *response.status_mut() = StatusCode::from_u16(step.status).unwrap_or_default();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in &step.headers.0 {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            headers.insert(name, value);
        }
    }
    response
}

/// Whatever a bin answers can't act as a page of this origin.
fn contain(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Refused {
    fn answer(self) -> Response<Body> {
        let wait = |seconds: u32| [(RETRY_AFTER, seconds)];
        match self {
            // As every unknown path of the site is answered.
            Self::Unknown => (StatusCode::NOT_FOUND, "not found\n").into_response(),
            Self::TooMany { free_in } => {
                (StatusCode::TOO_MANY_REQUESTS, wait(free_in.max(1)), "too many requests\n").into_response()
            }
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "more than 1048576 bytes\n").into_response(),
            Self::BrokenOff => (StatusCode::BAD_REQUEST, "the body broke off\n").into_response(),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, wait(5), "too many delayed answers\n").into_response(),
            Self::Store(error) => {
                tracing::error!(%error, "a request to a bin was not kept");
                (StatusCode::SERVICE_UNAVAILABLE, wait(5), "not kept, try again\n").into_response()
            }
        }
    }
}
