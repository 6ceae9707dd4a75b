//! Signing in with a password, and out. Plain forms: post, redirect, get.

use std::time::Duration;

use axum::Extension;
use axum::extract::{Form, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use store::sessions::{self, SessionToken};
use store::{StoreError, users};

use super::cookies;
use super::preferences::is_page;
use super::state::AppState;
use super::visit::Visitor;
use crate::query;

/// How long one stays signed in.
const LIFETIME: Duration = Duration::from_secs(14 * 86_400);
/// The longest address or password that is looked at.
const LONGEST: usize = 256;

/// What the form sends. What is missing is as wrong as what is empty.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SignIn {
    email: String,
    password: String,
    next: String,
}

enum Refusal {
    Wrong,
    Busy,
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Opens a session, or returns to the form with the reason. The address typed is in neither URL.
pub(super) async fn sign_in(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Form(form): Form<SignIn>,
) -> Response {
    let next = Some(form.next.as_str()).filter(|next| is_page(next)).unwrap_or("/developers").to_owned();
    match open(&state, form).await {
        Ok(token) => {
            let mut answer = Redirect::to(&next).into_response();
            let name = cookies::session(state.secure());
            if let Some(cookie) = cookies::write(name, Some(&token.expose()), LIFETIME, state.secure()) {
                answer.headers_mut().append(header::SET_COOKIE, cookie);
            }
            answer
        }
        Err(refusal) => {
            let problem = match refusal {
                Refusal::Wrong => "wrong",
                Refusal::Busy => "busy",
                Refusal::Store(error) => {
                    tracing::error!(request_id = %visitor.request_id, %error, "a sign-in failed");
                    "unavailable"
                }
            };
            let back = query::with(&query::with("", "next", Some(&next)), "problem", Some(problem));
            Redirect::to(&query::href("/developers/sign-in", &back)).into_response()
        }
    }
}

async fn open(state: &AppState, form: SignIn) -> Result<SessionToken, Refusal> {
    if form.email.len() > LONGEST || form.password.len() > LONGEST {
        return Err(Refusal::Wrong);
    }
    let (email, now) = (form.email, state.store.now());
    let Some(_turn) = state.sign_in_gate.enter(&email, now).await else { return Err(Refusal::Busy) };
    let known = users::credentials(&mut state.store.reader().await?, &email).await?;
    let hash = known.as_ref().map_or_else(users::decoy, |known| known.password_hash.clone());
    let right = users::verify(form.password, hash).await?;
    let Some(known) = known.filter(|_| right) else {
        state.sign_in_gate.failed(&email, now);
        return Err(Refusal::Wrong);
    };
    state.sign_in_gate.passed(&email);
    let user = known.user.id;
    Ok(state.store.write(move |tx| Box::pin(async move { sessions::create(tx, user, LIFETIME).await })).await?)
}

/// Ends the session, here and in the database.
pub(super) async fn sign_out(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let name = cookies::session(state.secure());
    let token = cookies::read(&headers, name).and_then(|text| text.parse::<SessionToken>().ok());
    if let Some(token) = token {
        let ended = state.store.write(move |tx| Box::pin(async move { sessions::delete(tx, &token).await }));
        if let Err::<(), StoreError>(error) = ended.await {
            tracing::error!(%error, "a session could not be ended");
        }
    }
    let mut answer = Redirect::to("/developers/sign-in").into_response();
    if let Some(cookie) = cookies::write(name, None, Duration::ZERO, state.secure()) {
        answer.headers_mut().append(header::SET_COOKIE, cookie);
    }
    answer
}
