//! The lively fortnight: written once, in one transaction, as if it had happened.
//!
//! Nothing here decides what follows an attempt: the ladder of `domain` does, so that what is seeded
//! and what the engine does from now on fit together.

mod history;
mod records;
mod rows;
mod scene;
mod write;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::event_type::EventPattern;
use domain::id::{ApiKeyId, EndpointId, ProjectId};
use domain::secret::WebhookSecret;
use domain::status::{Role, Scope};
use domain::{Clock, Timestamp};
use store::api_keys::NewApiKey;
use store::endpoints::NewEndpoint;
use store::users::NewUser;
use store::{Sql, Store, StoreError, Tx, api_keys, endpoints, projects, users};

use super::credentials::{Credentials, KnownEndpoint};
use super::shop::{self, LISTENERS, Listener};
use crate::commands::{self, generate_password};
use crate::config::Config;
use crate::failure::Failure;

/// Whom the demo lets in.
const EMAIL: &str = "demo@example.com";
/// How long before the present the project was made.
const AGE: Duration = Duration::from_secs(20 * 86_400);

/// A clock that stands still.
struct Then(Timestamp);

impl Clock for Then {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// An endpoint of the shop, as stored.
#[derive(Clone)]
struct Stored {
    id: EndpointId,
    listener: &'static Listener,
    url: String,
    secret: WebhookSecret,
    patterns: Vec<EventPattern>,
    created_at: Timestamp,
}

/// Writes the fortnight and answers with the way in. `store` is the open and migrated database.
pub(crate) async fn seed(config: &Config, store: &Store, receiver_port: u16) -> Result<Credentials, Failure> {
    let now = store.now();
    let password = generate_password(store);
    let password_hash = users::hash(password.clone(), store.entropy()).await?;
    let then = commands::open_with(config, Arc::new(Then(now.minus(AGE))), None).await?;
    let folder = config.data_dir.clone();
    let new = NewUser { email: EMAIL.to_owned(), password_hash, is_support: false };
    let credentials = then
        .write::<_, _, StoreError>(move |tx| {
            Box::pin(async move { shop(tx, new, password, receiver_port, now, folder).await })
        })
        .await;
    credentials.map_err(|error| {
        if error.is_unique("email") {
            let folder = config.data_dir.display();
            return Failure::refused(format!(
                "{folder} holds a demo whose credentials are gone: remove it, or choose another folder by --data-dir"
            ));
        }
        error.into()
    })
}

async fn shop(
    tx: &mut Tx,
    new: NewUser,
    password: String,
    receiver_port: u16,
    now: Timestamp,
    folder: PathBuf,
) -> Result<Credentials, StoreError> {
    let project = projects::insert(tx, "Demo shop", None).await?.id;
    let user = users::insert(tx, new).await?;
    users::set_member(tx, project, user.id, Role::Owner).await?;
    let key = NewApiKey { name: "Demo key".to_owned(), scopes: vec![Scope::Read, Scope::Write], expires_at: None };
    let (key, secret) = api_keys::insert(tx, project, key).await?;
    let receiver = format!("http://127.0.0.1:{receiver_port}");
    let mut stored = Vec::new();
    for listener in LISTENERS {
        stored.push(endpoint(tx, project, listener, &receiver, now).await?);
    }
    write_history(tx, project, key.id, &stored, now).await?;
    let on_receiver = stored.iter().filter(|one| one.listener.elsewhere.is_none());
    let credentials = Credentials {
        email: EMAIL.to_owned(),
        password,
        api_key: secret.expose().to_owned(),
        project_id: project,
        receiver_port,
        endpoints: on_receiver
            .map(|one| KnownEndpoint {
                id: one.id,
                name: one.listener.name.to_owned(),
                secret: one.secret.expose().to_owned(),
            })
            .collect(),
    };
    // Before the commit: a file without its project is seeded again, a project without its file
    // could not be entered.
    credentials.save(&folder).map_err(|error| StoreError::Unavailable(format!("the data folder: {error}")))?;
    Ok(credentials)
}

async fn endpoint(
    tx: &mut Tx,
    project: ProjectId,
    listener: &'static Listener,
    receiver: &str,
    now: Timestamp,
) -> Result<Stored, StoreError> {
    let wrong = |what: &str| StoreError::Inconsistent(format!("the demo's own {what}"));
    let patterns: Result<Vec<EventPattern>, _> = listener.event_types.iter().map(|text| text.parse()).collect();
    let patterns = patterns.map_err(|_| wrong("event types"))?;
    let url = listener.url(receiver);
    let new = NewEndpoint {
        url: url.clone(),
        event_types: patterns.clone(),
        description: Some(listener.description.to_owned()),
        enabled: listener.character != shop::Character::Disabled,
    };
    let made = endpoints::insert(tx, project, new).await?;
    let secret = made.secret.as_deref().and_then(|text| WebhookSecret::parse(text).ok());
    let secret = secret.ok_or_else(|| wrong("secret"))?;
    let created_at = now.minus(listener.age());
    let changed_at = match listener.character {
        shop::Character::Disabled => now.minus(shop::DISABLED_SINCE),
        shop::Character::WrongSecret => now.minus(shop::ROTATED_SINCE),
        _ => created_at,
    };
    let rotated_at = (listener.character == shop::Character::WrongSecret).then_some(changed_at);
    Sql::new("UPDATE btx_webhook_endpoint SET created_at = ")
        .bind(created_at)
        .push(", updated_at = ")
        .bind(changed_at)
        .push(", secret_rotated_at = ")
        .bind(rotated_at)
        .push(" WHERE id = ")
        .bind(made.id)
        .execute(tx)
        .await?;
    Ok(Stored { id: made.id, listener, url, secret, patterns, created_at })
}

async fn write_history(
    tx: &mut Tx,
    project: ProjectId,
    key: ApiKeyId,
    stored: &[Stored],
    now: Timestamp,
) -> Result<(), StoreError> {
    let schedule = tx.environment().schedule;
    let history = records::History::invent(project, key, stored, &schedule, now)
        .map_err(|error| StoreError::Inconsistent(format!("the demo's own events: {error}")))?;
    write::all(tx, project, &history).await
}

/// Points the endpoints at the sample receiver's new port.
pub(crate) async fn move_receiver(store: &Store, credentials: &Credentials, port: u16) -> Result<(), Failure> {
    let (project, known) = (credentials.project_id, credentials.endpoints.clone());
    store
        .write::<_, _, StoreError>(move |tx| {
            Box::pin(async move {
                for endpoint in known {
                    Sql::new("UPDATE btx_webhook_endpoint SET url = ")
                        .bind(format!("http://127.0.0.1:{port}/{}", endpoint.name))
                        .push(" WHERE project_id = ")
                        .bind(project)
                        .push(" AND id = ")
                        .bind(endpoint.id)
                        .execute(tx)
                        .await?;
                }
                Ok(())
            })
        })
        .await?;
    Ok(())
}
