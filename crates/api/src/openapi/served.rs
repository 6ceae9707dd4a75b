//! Serving the document: made once, and once more when a mode has ended.

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::routing::{MethodRouter, get};
use bytes::Bytes;
use domain::Timestamp;
use domain::fingerprint::Fingerprint;
use serde_json::Value;

use super::Document;
use crate::envelope::{JSON, Ours};
use crate::error::ApiError;
use crate::operation::{Unopened, opened};
use crate::routes::Operation;
use crate::state::{ApiConfig, ApiState};

/// The document of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Served(Arc<Inner>);

struct Inner {
    operations: Vec<Operation>,
    config: Arc<ApiConfig>,
    before_sunset: OnceLock<Text>,
    after_sunset: OnceLock<Text>,
}

struct Text {
    json: Value,
    bytes: Bytes,
    tag: HeaderValue,
}

impl Served {
    pub(crate) fn new(operations: Vec<Operation>, config: Arc<ApiConfig>) -> Self {
        let (before_sunset, after_sunset) = (OnceLock::new(), OnceLock::new());
        Self(Arc::new(Inner { operations, config, before_sunset, after_sunset }))
    }

    /// The document as it stands at `now`.
    pub(crate) fn json(&self, now: Timestamp) -> &Value {
        &self.text(now).json
    }

    /// The operations it lists, with their texts in both languages.
    pub(crate) fn operations(&self) -> &[Operation] {
        &self.0.operations
    }

    fn text(&self, now: Timestamp) -> &Text {
        let Inner { operations, config, before_sunset, after_sunset } = &*self.0;
        let kept = if now < config.offset_sunset { before_sunset } else { after_sunset };
        kept.get_or_init(|| {
            let json = Document::new(operations, config, now).to_json();
            let bytes = Bytes::from(json.to_string());
            let digest = Fingerprint::of("GET", "openapi.json", None, &bytes).to_string();
            let tag = HeaderValue::from_str(&format!("\"{}\"", &digest[..24]));
            Text { json, bytes, tag: tag.unwrap_or(HeaderValue::from_static("\"\"")) }
        })
    }

    /// `GET`, without a key: whoever wants to write a client has none yet.
    pub(crate) fn route(self) -> MethodRouter<ApiState> {
        get(async move |State(state): State<ApiState>, request: Request| self.answer(&state, &request))
    }

    fn answer(&self, state: &ApiState, request: &Request) -> Result<Response<Body>, Unopened> {
        let exchange = opened(request)?;
        if let Err(error) = exchange.within_rate() {
            return Ok(exchange.reply(Err(error)).into_response());
        }
        if let Some(name) = request.uri().query().filter(|query| !query.is_empty()) {
            let reason = format!("unknown query parameter {}", name.split('=').next().unwrap_or_default());
            return Ok(exchange.reply(Err(ApiError::malformed(reason))).into_response());
        }
        let text = self.text(state.store.now());
        let known = request.headers().get(IF_NONE_MATCH).is_some_and(|known| *known == text.tag);
        let mut response = Response::new(if known { Body::empty() } else { Body::from(text.bytes.clone()) });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(ETAG, text.tag.clone());
        response.extensions_mut().insert(Ours(None));
        Ok(response)
    }
}
