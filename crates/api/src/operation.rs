//! What a resource is made of: queries that read and mutations that change.
//!
//! Both are parsed without touching the database, so that everything wrong with a request is known
//! before anything is done. The order of the steps is the contract's «which error wins»: the router
//! has settled path and method, and here follow key, rate, scope, idempotency key, size, type.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts as _, RawPathParams, Request, State};
use axum::http::{Method, Response};
use bytes::Bytes;
use domain::Timestamp;
use domain::cursor::CursorSigner;
use domain::fingerprint::Fingerprint;
use domain::id::{ProjectId, RequestId};
use domain::idempotency_key::{self, IdempotencyKey, InvalidIdempotencyKey};
use domain::status::Scope;
use store::idempotency::LONGEST_BODY;
use store::{Conn, Tx};

use crate::auth::{Caller, Identity};
use crate::body::{self, Fields, Wanted};
use crate::describe::Description;
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::exchange::Exchange;
use crate::idempotency;
use crate::query;
use crate::resources::Uploaded;
use crate::state::{ApiConfig, ApiState};

/// An operation that only looks.
pub(crate) trait Query: Sized + Send + 'static {
    /// Understands the request, or says what is wrong with it.
    fn parse(call: &Call) -> Result<Self, ApiError>;

    /// What the OpenAPI document says about it.
    fn describe() -> Description {
        Description::default()
    }

    /// Looks.
    fn run(self, conn: &mut Conn, call: &Call) -> impl Future<Output = Result<Answer, ApiError>> + Send;
}

/// An operation that changes something.
pub(crate) trait Mutation: Sized + Send + 'static {
    /// What its body must be.
    const BODY: Wanted = Wanted::Json;
    /// The largest body that it takes.
    const LIMIT: usize = body::LIMIT;

    /// Understands the request, or says what is wrong with it.
    fn parse(call: &Call) -> Result<Self, ApiError>;

    /// What the OpenAPI document says about it.
    fn describe() -> Description {
        Description::default()
    }

    /// Changes something, in the transaction that also stores its events, its log row and its
    /// answer. An error undoes it.
    fn run(self, tx: &mut Tx, call: &Call) -> impl Future<Output = Result<Answer, ApiError>> + Send;
}

/// An admitted request: its caller is known and may do this, its body is here.
pub(crate) struct Call {
    pub(crate) state: ApiState,
    pub(crate) exchange: Exchange,
    pub(crate) caller: Caller,
    /// Of an upload: what came of its body, which is not here.
    pub(crate) uploaded: Option<Uploaded>,
    query: Option<String>,
    params: Vec<(String, String)>,
    body: Bytes,
    wanted: Wanted,
}

impl Call {
    pub(crate) const fn project(&self) -> ProjectId {
        self.caller.project
    }

    pub(crate) fn request_id(&self) -> RequestId {
        self.exchange.id
    }

    /// When the request arrived.
    pub(crate) fn now(&self) -> Timestamp {
        self.exchange.arrived
    }

    pub(crate) fn config(&self) -> &ApiConfig {
        &self.state.config
    }

    pub(crate) fn cursors(&self) -> &CursorSigner {
        &self.state.cursors
    }

    pub(crate) fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// What makes a repetition of this request the same request.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        match &self.uploaded {
            Some(uploaded) => uploaded.fingerprint,
            None => Fingerprint::of(self.exchange.method.as_str(), &self.exchange.path, self.query(), &self.body),
        }
    }

    /// The body, if it is one to be kept with its key: no upload's, and not too long.
    pub(crate) fn kept_body(&self) -> Option<&[u8]> {
        Some(&*self.body).filter(|body| self.uploaded.is_none() && body.len() <= LONGEST_BODY)
    }

    /// The decoded part of the path under this name.
    pub(crate) fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }

    /// The id in the path. What can't be an id is as unknown as an id that is somebody else's.
    pub(crate) fn id<T: std::str::FromStr>(&self, resource_type: &'static str) -> Result<T, ApiError> {
        let text = self.param("id");
        text.parse().map_err(|_| ApiError::not_found(resource_type, text))
    }

    /// For operations without query parameters.
    pub(crate) fn without_query(&self) -> Result<(), ApiError> {
        query::all_known(&query::params(self.query())?)
    }

    /// The body's fields; the query has none.
    pub(crate) fn fields(&self) -> Result<Fields, ApiError> {
        self.without_query()?;
        match self.wanted {
            Wanted::Nothing if self.body.is_empty() => Ok(Fields::default()),
            Wanted::Nothing | Wanted::Json => Fields::parse(&self.body),
        }
    }
}

/// The handler of a query.
pub(crate) async fn read<Q: Query>(
    State(state): State<ApiState>,
    request: Request,
) -> Result<Response<Body>, Unopened> {
    let exchange = opened(&request)?;
    let outcome = async {
        let call = admit(state, &exchange, request, Scope::Read).await?.0;
        let query = Q::parse(&call)?;
        let mut conn = call.state.store.reader().await?;
        query.run(&mut conn, &call).await
    };
    Ok(exchange.reply(outcome.await).into_response())
}

/// The handler of a mutation.
pub(crate) async fn write<M: Mutation>(
    State(state): State<ApiState>,
    request: Request,
) -> Result<Response<Body>, Unopened> {
    let exchange = opened(&request)?;
    let admitted = async {
        let (mut call, parts, body) = admit(state, &exchange, request, Scope::Write).await?;
        let key = idempotency_key(&parts)?;
        call.wanted = M::BODY;
        call.body = body::read(&parts.headers, body, M::LIMIT).await?;
        body::check_content_type(&parts.headers, &call.body, M::BODY)?;
        Ok((call, key))
    };
    let reply = match admitted.await {
        Err(error) => exchange.reply(Err(error)),
        Ok((call, key)) => {
            // Its own task: from here on it runs to its end, even if the caller hangs up.
            let work = tokio::spawn(idempotency::execute::<M>(Arc::new(call), key));
            work.await.unwrap_or_else(|error| exchange.reply(Err(ApiError::internal(error))))
        }
    };
    Ok(reply.into_response())
}

/// Key, rate and scope.
pub(crate) async fn admit(
    state: ApiState,
    exchange: &Exchange,
    request: Request,
    scope: Scope,
) -> Result<(Call, axum::http::request::Parts, Body), ApiError> {
    let caller = match &exchange.identity {
        Identity::Known(caller) => caller.clone(),
        // Guessing keys is counted by address, so here the limit comes before the 401.
        Identity::Unknown => return exchange.within_rate().and(Err(ApiError::Unauthorized)),
        Identity::Unclear { cause } => return Err(ApiError::Unavailable { cause: cause.clone() }),
    };
    exchange.within_rate()?;
    caller.require(scope)?;
    let (mut parts, body) = request.into_parts();
    let params = RawPathParams::from_request_parts(&mut parts, &()).await;
    // A path that is no UTF-8 leads nowhere.
    let params = params.map_err(|_| ApiError::not_found("route", &exchange.path))?;
    let params = params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let query = parts.uri.query().map(str::to_owned);
    let exchange = exchange.clone();
    let call =
        Call { state, exchange, caller, uploaded: None, query, params, body: Bytes::new(), wanted: Wanted::Nothing };
    Ok((call, parts, body))
}

/// The key of a request: required on `POST`, honoured elsewhere.
pub(crate) fn idempotency_key(parts: &axum::http::request::Parts) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut lines = parts.headers.get_all(idempotency_key::HEADER).iter();
    let (first, second) = (lines.next(), lines.next());
    if second.is_some() {
        return Err(ApiError::malformed("more than one Idempotency-Key header"));
    }
    let required = parts.method == Method::POST;
    match first.map(|value| IdempotencyKey::parse(value.as_bytes())) {
        Some(Ok(key)) => Ok(Some(key)),
        None if !required => Ok(None),
        None | Some(Err(InvalidIdempotencyKey::Blank)) => Err(ApiError::IdempotencyKeyRequired),
        Some(Err(error)) => Err(ApiError::malformed(format!("Idempotency-Key {error}"))),
    }
}

/// A handler that was reached past the door.
#[derive(Debug)]
pub(crate) struct Unopened;

impl axum::response::IntoResponse for Unopened {
    fn into_response(self) -> Response<Body> {
        axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
}

pub(crate) fn opened(request: &Request) -> Result<Exchange, Unopened> {
    request.extensions().get::<Exchange>().cloned().ok_or(Unopened)
}

/// For every path that there is not.
pub(crate) async fn unknown_route(request: Request) -> Result<Response<Body>, Unopened> {
    let exchange = opened(&request)?;
    Ok(exchange.reply(Err(ApiError::not_found("route", &exchange.path))).into_response())
}
