//! `project create`, `api-key create`, `user create`.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use domain::entropy::random_bytes;
use domain::id::{ApiKeyId, ProjectId, UserId};
use domain::status::{Role, Scope};
use serde::Serialize;
use store::api_keys::NewApiKey;
use store::users::NewUser;
use store::{Store, api_keys, projects, users};

use crate::failure::Failure;
use crate::output;

/// The shortest accepted password, in characters.
const MIN_PASSWORD: usize = 8;

/// `botix project create`
pub(crate) async fn project(store: &Store, name: String, contact_limit: Option<u32>) -> Result<(), Failure> {
    let name = named("--name", &name)?;
    let project =
        store.write(move |tx| Box::pin(async move { projects::insert(tx, &name, contact_limit).await })).await?;
    Ok(output::json(&project)?)
}

/// `botix api-key create`
pub(crate) async fn api_key(
    store: &Store,
    project: ProjectId,
    name: String,
    scopes: Vec<Scope>,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Answer {
        id: ApiKeyId,
        key: String,
        project_id: ProjectId,
        name: String,
        scopes: Vec<Scope>,
        created_at: domain::Timestamp,
    }
    let name = named("--name", &name)?;
    existing(store, project).await?;
    let new = NewApiKey { name, scopes, expires_at: None };
    let (key, secret) =
        store.write(move |tx| Box::pin(async move { api_keys::insert(tx, project, new).await })).await?;
    Ok(output::json(&Answer {
        id: key.id,
        key: secret.expose().to_owned(),
        project_id: key.project_id,
        name: key.name,
        scopes: key.scopes,
        created_at: key.created_at,
    })?)
}

/// `botix user create`
pub(crate) async fn user(store: &Store, email: String, project: Option<ProjectId>, role: Role) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Created {
        id: UserId,
        email: String,
        project_id: Option<ProjectId>,
        role: Role,
        /// Only a generated one: who brought their own knows it.
        #[serde(skip_serializing_if = "Option::is_none")]
        password: Option<String>,
    }
    let email = email.trim().to_lowercase();
    let (local, domain) = email.split_once('@').unwrap_or_default();
    if local.is_empty() || domain.is_empty() || email.chars().any(char::is_whitespace) {
        return Err(Failure::refused("--email: must be an address such as anna@example.com"));
    }
    if project.is_none() && role != Role::Support {
        return Err(Failure::refused(format!("--project: is needed for the role {role}")));
    }
    if let Some(project) = project {
        existing(store, project).await?;
    }
    let given = piped_password()?;
    let password = given.clone().unwrap_or_else(|| generate_password(store));
    let password_hash = users::hash(password.clone(), store.entropy()).await?;
    let new = NewUser { email: email.clone(), password_hash, is_support: role == Role::Support };
    let created = store
        .write::<_, _, store::StoreError>(move |tx| {
            Box::pin(async move {
                let user = users::insert(tx, new).await?;
                if let Some(project) = project {
                    users::set_member(tx, project, user.id, role).await?;
                }
                Ok(user)
            })
        })
        .await
        .map_err(|error| match error {
            error if error.is_unique("email") => Failure::refused(format!("--email: {email} exists already")),
            error => error.into(),
        })?;
    let password = given.is_none().then_some(password);
    Ok(output::json(&Created { id: created.id, email: created.email, project_id: project, role, password })?)
}

/// A fresh password: 16 characters that are easy to tell apart.
pub(crate) fn generate_password(store: &Store) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789z";
    random_bytes::<16>(store.entropy()).map(|byte| char::from(LETTERS[usize::from(byte & 31)])).iter().collect()
}

/// The first line of standard input, unless that is a terminal or empty.
fn piped_password() -> Result<Option<String>, Failure> {
    if io::stdin().is_terminal() {
        return Ok(None);
    }
    let mut text = String::new();
    // A closed standard input is as good as an empty one.
    if io::stdin().lock().take(4_096).read_line(&mut text).is_err() {
        return Ok(None);
    }
    let password = text.trim_end_matches(['\r', '\n']).to_owned();
    if password.is_empty() {
        return Ok(None);
    }
    if password.chars().count() < MIN_PASSWORD {
        return Err(Failure::refused(format!("the password: must be {MIN_PASSWORD} characters or more")));
    }
    Ok(Some(password))
}

fn named(flag: &str, text: &str) -> Result<String, Failure> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 200 || text.chars().any(char::is_control) {
        return Err(Failure::refused(format!("{flag}: must be 1 to 200 characters")));
    }
    Ok(text.to_owned())
}

async fn existing(store: &Store, project: ProjectId) -> Result<(), Failure> {
    let found = projects::get(&mut store.reader().await?, project).await?;
    found.map(drop).ok_or_else(|| Failure::refused(format!("--project: there is no {project}")))
}
