//! Keeps the demo alive: every few seconds something happens in the shop.

use std::time::Duration;

use domain::filter::TimeRange;
use domain::id::ProjectId;
use domain::model::RawJson;
use domain::page::{Page, PageRequest};
use store::contacts::{ContactChange, NewContact};
use store::events::NewEvent;
use store::{Store, StoreError, Tx, contacts, events};
use tokio_util::sync::CancellationToken;

use super::dice::Dice;
use super::events::{contact, data};

/// Kinds of what happens, the common ones more than once.
const KINDS: &[&str] = &[
    "payment.succeeded",
    "payment.succeeded",
    "payment.succeeded",
    "message.accepted",
    "message.accepted",
    "message.accepted",
    "contact.updated",
    "contact.updated",
    "scenario.started",
    "payment.failed",
    "subscription.created",
    "contact.created",
];
/// Customers of the emitter's own have phones from here on.
const FIRST_NUMBER: u64 = 2_000_000;

/// Runs until `closing`.
pub(crate) async fn run(store: Store, project: ProjectId, closing: CancellationToken) {
    let seed = u64::from_le_bytes(domain::entropy::random_bytes(store.entropy()));
    let dice = Dice::new(seed);
    loop {
        let pause = Duration::from_millis(dice.between(5_000, 10_000));
        tokio::select! {
            () = closing.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        let dice = Dice::new(dice.roll());
        let happened: Result<(), StoreError> =
            store.write(move |tx| Box::pin(async move { happen(tx, project, &dice).await })).await;
        if let Err(error) = happened {
            tracing::debug!(%error, "nothing happened in the demo shop this time");
        }
    }
}

async fn happen(tx: &mut Tx, project: ProjectId, dice: &Dice) -> Result<(), StoreError> {
    let kind = *dice.pick(KINDS);
    happened(tx, project, kind, dice).await
}

async fn happened(tx: &mut Tx, project: ProjectId, kind: &str, dice: &Dice) -> Result<(), StoreError> {
    let Page { data: customers, .. } =
        contacts::list(tx, project, &TimeRange::default(), PageRequest::first(50)).await?;
    if customers.is_empty() {
        return Ok(());
    }
    let somebody = dice.pick(&customers);
    let wrong = |error: serde_json::Error| StoreError::Inconsistent(format!("the demo's own JSON: {error}"));
    let about = match kind {
        "contact.created" => {
            let number = FIRST_NUMBER + dice.between(0, 7_000_000);
            let new = contact(tx.now(), number, dice).map_err(wrong)?;
            let (phone, name, email) = (new.phone, new.name, new.email);
            let new = NewContact { phone, name, email, tags: new.tags, attributes: new.attributes };
            let Ok(made) = contacts::insert(tx, project, new).await else {
                return Err(StoreError::Unavailable("that phone exists already".to_owned()));
            };
            RawJson::of(&made).map_err(wrong)?
        }
        "contact.updated" => {
            let tags = if somebody.tags.is_empty() { vec!["returning".to_owned()] } else { Vec::new() };
            let change = ContactChange { tags: Some(tags), ..ContactChange::default() };
            let Ok(Some(updated)) = contacts::update(tx, project, somebody.id, change).await else {
                return Err(StoreError::Unavailable("that contact is gone".to_owned()));
            };
            RawJson::of(&updated.contact).map_err(wrong)?
        }
        _ => data(kind, somebody.id, tx.now(), dice).map_err(wrong)?,
    };
    let Ok(event_type) = kind.parse() else { return Ok(()) };
    events::publish(tx, project, NewEvent { event_type, data: about, request_id: None }).await.map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::surroundings::{SystemClock, SystemEntropy};

    #[tokio::test]
    async fn every_kind_happens_and_its_data_is_an_object() {
        let folder = std::env::temp_dir().join(format!("botix-emitter-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let env = store::Environment {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            keys: store::Keyring::derive(&[7; 32], None).unwrap(),
            schedule: domain::ladder::RetrySchedule::default(),
            auto_disable_after: None,
            spans: None,
        };
        let store = Store::open(store::StoreConfig::Sqlite { path: folder.join("demo.sqlite") }, env).await.unwrap();
        store.migrate().await.unwrap();
        let made = store.write::<_, _, StoreError>(|tx| {
            Box::pin(async move {
                let project = store::projects::insert(tx, "Shop", None).await?.id;
                let dice = Dice::new(1);
                let first = contact(tx.now(), FIRST_NUMBER, &dice).unwrap();
                let (phone, name, email) = (first.phone, first.name, first.email);
                let first = NewContact { phone, name, email, tags: first.tags, attributes: first.attributes };
                contacts::insert(tx, project, first).await.unwrap();
                for kind in KINDS {
                    happened(tx, project, kind, &Dice::new(dice.roll())).await.unwrap();
                }
                Ok(project)
            })
        });
        let project = made.await.unwrap();
        let mut conn = store.reader().await.unwrap();
        let every = events::EventListFilter::default();
        let all = events::list(&mut conn, project, &every, PageRequest::first(50)).await.unwrap().data;
        assert_eq!(all.len(), KINDS.len());
        let updated = all.iter().find(|event| event.event_type == "contact.updated").unwrap();
        assert!(updated.data.as_str().starts_with(r#"{"id":"con_"#), "{}", updated.data.as_str());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
