//! The Retry button. Its outcome is a page: the one it was pressed on, which then says what became
//! of it, with JavaScript or without.

use domain::id::{DeadLetterId, DeliveryId, ProjectId};
use domain::model::Delivery;
use leptos_axum::redirect;
use store::retry::{RetryError, retry_dead_letter, retry_delivery};

use super::preferences::is_page;
use super::{Access, Problem, answer};
use crate::error::UiError;
use crate::query;

const LONGEST_TOKEN: usize = 64;

impl From<RetryError> for Problem {
    fn from(error: RetryError) -> Self {
        match error {
            RetryError::NotFound => Self::Told(UiError::NotFound),
            RetryError::EndpointDeleted(_) => Self::Told(UiError::EndpointDeleted),
            RetryError::Resolved(_) => Self::Told(UiError::Resolved),
            RetryError::Store(error) => Self::Store(error),
        }
    }
}

/// Sends again and leads back to `page` with the new delivery, or the reason why not, in its query.
pub(crate) async fn retry(project: &str, id: &str, token: &str, page: &str) -> Result<(), UiError> {
    let ours = format!("/developers/{project}/");
    if !is_page(page) || !page.starts_with(&ours) {
        return answer(Err(UiError::NotFound.into()));
    }
    let (path, before) = page.split_once('?').unwrap_or((page, ""));
    let before = query::list(before);
    let told = match answer(send_again(project, id, token).await) {
        Ok(delivery) => query::with(&before, "retried", Some(&delivery.id.to_string())),
        Err(error) => query::with(&before, "problem", Some(error.word())),
    };
    redirect(&query::href(path, &told));
    Ok(())
}

enum Target {
    Delivery(DeliveryId),
    DeadLetter(DeadLetterId),
}

async fn send_again(project: &str, id: &str, token: &str) -> Result<Delivery, Problem> {
    let target = match (id.parse::<DeliveryId>(), id.parse::<DeadLetterId>()) {
        (Ok(id), _) => Target::Delivery(id),
        (_, Ok(id)) => Target::DeadLetter(id),
        _ => return Err(UiError::NotFound.into()),
    };
    let access = Access::to(project).await?;
    if !access.may_retry() {
        return Err(UiError::Forbidden.into());
    }
    if token.is_empty() || token.len() > LONGEST_TOKEN {
        return Err(UiError::NotFound.into());
    }
    let (project, token): (ProjectId, String) = (access.project, token.to_owned());
    // The reading connection is given back before the writer is waited for.
    let store = access.state.store.clone();
    drop(access);
    let work = store.write(move |tx| {
        Box::pin(async move {
            match target {
                Target::Delivery(id) => retry_delivery(tx, project, id, Some(&token)).await,
                Target::DeadLetter(id) => retry_dead_letter(tx, project, id, Some(&token)).await,
            }
        })
    });
    Ok(work.await?)
}
