//! What is done with the dead letters that are ticked: sent again, put aside, taken back. A plain post that
//! leads back to the list, which then says what became of it.

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::Timestamp;
use domain::id::{DeadLetterId, ProjectId};
use domain::status::AuditAction;
use store::audit::{self, Actor};
use store::retry::{RetryError, retry_dead_letter};
use store::{Store, StoreError, Tx, inbox};

use super::state::AppState;
use super::visit::Visitor;
use super::{Access, Problem, told};
use crate::error::UiError;
use crate::query;

/// So many can be ticked; what matches a filter is sent by a job (`ssr::bulk`).
const MOST: usize = 1_000;
/// So many share a transaction.
const CHUNK: usize = 50;

/// Carries out what a button of the inbox says.
pub(super) async fn act(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    request: Request,
) -> Response {
    let Some((_, fields)) = told::fields(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let one = |name: &str| fields.iter().rfind(|(n, _)| n == name).map_or("", |(_, value)| value.as_str());
    let request_id = visitor.request_id.clone();
    let filters = query::filters(one("filters"));
    let page = project
        .parse::<ProjectId>()
        .map_or_else(|_| "/developers".to_owned(), |project| format!("/developers/{project}/dead-letters"));
    let ids = fields.iter().filter(|(name, _)| name == "id").flat_map(|(_, value)| value.split(','));
    let ids: Vec<DeadLetterId> = ids.filter_map(|id| id.parse().ok()).take(MOST).collect();
    let done = async {
        let access = Access::of(state, visitor, &project).await?;
        if !access.may_retry() {
            return Err(Problem::Told(UiError::Forbidden));
        }
        match one("do") {
            "retry" => sent(access, ids).await,
            "dismiss" => put_aside(access, ids).await,
            "restore" => put_back(access, ids, one("at")).await,
            _ => Err(Problem::Told(UiError::NotFound)),
        }
    };
    let told = match done.await {
        Ok(pairs) => pairs.into_iter().fold(filters, |query, (name, value)| query::with(&query, name, Some(&value))),
        Err(problem) => query::with(&filters, "problem", Some(told::tell(problem, request_id).word())),
    };
    Redirect::to(&query::href(&page, &told)).into_response()
}

type Outcome = Result<Vec<(&'static str, String)>, Problem>;

/// Each is guarded by its own row, so that a second press, or a colleague's, finds it resolved.
async fn sent(access: Access, ids: Vec<DeadLetterId>) -> Outcome {
    let (store, actor) = access.into_actor();
    let (mut done, mut refused) = (0, 0);
    for chunk in ids.chunks(CHUNK) {
        let (some, others) = send_chunk(&store, actor.clone(), chunk.to_vec()).await?;
        done += some;
        refused += others;
    }
    let mut told = vec![("sent", done.to_string())];
    if refused > 0 {
        told.push(("refused", refused.to_string()));
    }
    Ok(told)
}

async fn send_chunk(store: &Store, actor: Actor, ids: Vec<DeadLetterId>) -> Result<(usize, usize), StoreError> {
    let work = store.write(move |tx| {
        Box::pin(async move {
            let (mut done, mut refused) = (0, 0);
            for id in ids {
                tx.savepoint().await?;
                match retry_dead_letter(tx, actor.project, id, None).await {
                    Ok(_) => {
                        tx.release_savepoint().await?;
                        done += 1;
                    }
                    Err(RetryError::Store(error)) => return Err(error),
                    Err(_) => {
                        tx.rollback_to_savepoint().await?;
                        refused += 1;
                    }
                }
            }
            if done > 0 {
                audit::note(tx, &actor, AuditAction::RetriedMany, None, Some(&done.to_string())).await?;
            }
            Ok((done, refused))
        })
    });
    work.await
}

async fn put_aside(access: Access, ids: Vec<DeadLetterId>) -> Outcome {
    let (store, actor) = access.into_actor();
    let asked = ids.clone();
    let work = store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move {
            let (count, at) = inbox::put_aside(tx, actor.project, &asked).await?;
            noted(tx, &actor, AuditAction::Dismissed, &asked, count).await?;
            Ok(at)
        })
    });
    let at = work.await?;
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Ok(vec![("put_aside", ids.join(",")), ("at", at.as_micros().to_string())])
}

async fn put_back(access: Access, ids: Vec<DeadLetterId>, at: &str) -> Outcome {
    let (store, actor) = access.into_actor();
    let at = Timestamp::from_micros(at.parse().map_err(|_| UiError::NotFound)?);
    let work = store.write::<_, _, StoreError>(move |tx| {
        Box::pin(async move {
            let count = inbox::put_back(tx, actor.project, &ids, at).await?;
            noted(tx, &actor, AuditAction::Restored, &ids, count).await
        })
    });
    work.await?;
    Ok(Vec::new())
}

/// One of them is named, several are counted.
async fn noted(
    tx: &mut Tx,
    actor: &Actor,
    action: AuditAction,
    ids: &[DeadLetterId],
    count: u64,
) -> Result<(), StoreError> {
    let only = if let [only] = ids { Some(only.to_string()) } else { None };
    match count {
        0 => Ok(()),
        count => audit::note(tx, actor, action, only.as_deref(), Some(&count.to_string())).await,
    }
}
