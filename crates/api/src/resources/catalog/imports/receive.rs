//! Taking an upload in: hashed, parsed and stored piece by piece, before its key is looked at.
//!
//! The fingerprint needs every byte, so a repetition is received like the first and its rows are
//! thrown away when the key turns out to be used. What the process can't throw away because it died
//! is swept up by the housekeeping.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Response};
use bytes::Bytes;
use domain::fingerprint::{Fingerprint, StreamedFingerprint};
use domain::id::ImportId;
use domain::status::{ImportFormat, Scope};
use http_body_util::BodyExt as _;
use store::imports::{self, ImportRow, NewImport};
use store::{Store, StoreError};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::{Create, Refusal, parse};
use crate::body;
use crate::error::ApiError;
use crate::idempotency;
use crate::operation::{self, Call, Unopened, opened};
use crate::state::ApiState;

/// The largest upload.
const LIMIT: usize = 64 * 1024 * 1024;
/// How long the next piece may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long all of it may take.
const LONGEST: Duration = Duration::from_secs(600);

/// An upload whose rows are stored, or what is wrong with it.
pub(crate) struct Uploaded {
    pub(crate) fingerprint: Fingerprint,
    pub(super) outcome: Result<NewImport, Refusal>,
    id: ImportId,
}

/// The handler: as [`operation::write`], but for the body.
pub(super) async fn handle(State(state): State<ApiState>, request: Request) -> Result<Response<Body>, Unopened> {
    let exchange = opened(&request)?;
    let store = state.store.clone();
    let admitted = async {
        let (mut call, parts, body) = operation::admit(state, &exchange, request, Scope::Write).await?;
        let key = operation::idempotency_key(&parts)?;
        body::check_length(&parts.headers, LIMIT)?;
        let format = format(&parts.headers)?;
        let received = timeout(LONGEST, receive(&call, body, format)).await;
        call.uploaded = Some(received.unwrap_or_else(|_| Err(body::too_slow()))?);
        Ok((call, key))
    };
    let reply = match admitted.await {
        Err(error) => exchange.reply(Err(error)),
        Ok((call, key)) => {
            let work = tokio::spawn(async move {
                let id = call.uploaded.as_ref().map(|uploaded| uploaded.id);
                let reply = idempotency::execute::<Create>(Arc::new(call), key).await;
                if let Some(id) = id {
                    discard(&store, id).await;
                }
                reply
            });
            work.await.unwrap_or_else(|error| exchange.reply(Err(ApiError::internal(error))))
        }
    };
    Ok(reply.into_response())
}

/// Receives everything. An error is one of the way; what is wrong with the rows is in the outcome.
async fn receive(call: &Call, body: Body, format: ImportFormat) -> Result<Uploaded, ApiError> {
    let store = &call.state.store;
    let id = ImportId::generate(store.now(), store.entropy());
    let mut hash = Fingerprint::streamed(call.exchange.method.as_str(), &call.exchange.path, call.query());
    let (to_parser, pieces) = mpsc::channel(4);
    let (to_store, chunks) = mpsc::channel(2);
    let parser = tokio::task::spawn_blocking(move || parse::parse(format, pieces, to_store));
    let (fed, stored) = tokio::join!(feed(body, to_parser, &mut hash), stage(store, id, chunks));
    let parsed = parser.await.map_err(ApiError::internal);
    let chunks = match fed.and(stored.map_err(ApiError::from)) {
        Ok(chunks) => chunks,
        Err(error) => {
            discard(store, id).await;
            return Err(error);
        }
    };
    let outcome = parsed?.map(|total| NewImport { id, format, total, chunks });
    Ok(Uploaded { fingerprint: hash.finish(), outcome, id })
}

/// Passes the body on to the parser, and to the fingerprint to its last byte even when the parser has seen enough.
async fn feed(mut body: Body, parser: mpsc::Sender<Bytes>, hash: &mut StreamedFingerprint) -> Result<(), ApiError> {
    let mut size = 0;
    loop {
        let frame = timeout(PATIENCE, body.frame()).await.map_err(|_| body::too_slow())?;
        let Some(frame) = frame else { return Ok(()) };
        let Ok(piece) = frame.map_err(|_| body::broken_off())?.into_data() else { continue };
        size += piece.len();
        if size > LIMIT {
            return Err(ApiError::TooLarge { limit_bytes: LIMIT });
        }
        hash.add(&piece);
        // Fails when the parser has ended, which its own outcome explains.
        let _ = parser.send(piece).await;
    }
}

/// Stores the chunks as they come, and counts them.
async fn stage(store: &Store, id: ImportId, mut chunks: mpsc::Receiver<Vec<ImportRow>>) -> Result<u32, StoreError> {
    let mut number = 0;
    while let Some(rows) = chunks.recv().await {
        imports::stage(store, id, number, rows).await?;
        number += 1;
    }
    Ok(number)
}

async fn discard(store: &Store, id: ImportId) {
    if let Err(error) = imports::discard(store, id).await {
        tracing::warn!(%error, import = %id, "rows of no import are left to the housekeeping");
    }
}

fn format(headers: &HeaderMap) -> Result<ImportFormat, ApiError> {
    const ACCEPTED: &str = "application/json, application/x-ndjson or text/csv";
    let given = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let essence = given.as_deref().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "application/json" => Ok(ImportFormat::Json),
        "application/x-ndjson" => Ok(ImportFormat::Ndjson),
        "text/csv" => Ok(ImportFormat::Csv),
        _ => Err(ApiError::WrongContentType {
            reason: match &given {
                None => format!("Content-Type is missing; it must be {ACCEPTED}"),
                Some(given) => format!("Content-Type must be {ACCEPTED}, not {}", given.escape_debug()),
            },
        }),
    }
}
