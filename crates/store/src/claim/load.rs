//! Where a claimed delivery goes: its endpoint as it is now.
//!
//! A secret that can't be opened (its key was taken away too early) is that endpoint's trouble and
//! nobody else's: its deliveries go back to waiting and it is looked at again a while later.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use domain::Timestamp;
use domain::id::{EndpointId, ProjectId};
use domain::secret::WebhookSecret;

use super::{Lease, Target};
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

/// How long an endpoint whose secret can't be opened is left alone.
const UNOPENED: Duration = Duration::from_secs(60);

/// Those of `ids` that can be sent to; the others are missing.
pub(super) async fn targets(
    tx: &mut Tx,
    ids: impl Iterator<Item = EndpointId>,
    now: Timestamp,
) -> Result<HashMap<EndpointId, Target>, StoreError> {
    let ids: BTreeSet<_> = ids.collect();
    let query = Sql::new(
        "SELECT id, url, secret, previous_secret, previous_secret_expires_at, enabled, deleted_at \
         FROM btx_webhook_endpoint WHERE id IN ",
    );
    let found = query.bind_list(ids).uncached().fetch_all(tx).await?;
    let mut targets = HashMap::with_capacity(found.len());
    for row in &found {
        match opened(tx, row, now) {
            Ok(target) => drop(targets.insert(target.id, target)),
            Err(error) => {
                tracing::error!(%error, "an endpoint's deliveries wait: nothing else is held up");
                hold(tx, row.parse("id")?, now).await?;
            }
        }
    }
    Ok(targets)
}

async fn hold(tx: &mut Tx, endpoint: EndpointId, now: Timestamp) -> Result<(), StoreError> {
    let query = Sql::new("UPDATE btx_webhook_endpoint SET held_until = ").bind(now.plus(UNOPENED));
    query.push(" WHERE id = ").bind(endpoint).execute(tx).await.map(drop)
}

/// Gives a lease back as if it had never been taken.
pub(super) async fn give_back(tx: &mut Tx, lease: &Lease, token: &str) -> Result<(), StoreError> {
    Sql::new(
        "UPDATE btx_webhook_delivery SET attempts_count = attempts_count - 1, leased_until = NULL, \
         claim_token = NULL, claimed_at = NULL WHERE id = ",
    )
    .bind(lease.delivery_id)
    .push(" AND claim_token = ")
    .bind(token)
    .execute(tx)
    .await
    .map(drop)
}

/// One endpoint that has not been deleted, with its secrets in force.
pub(crate) async fn target(tx: &mut Tx, project: ProjectId, id: EndpointId) -> Result<Option<Target>, StoreError> {
    let query = Sql::new(
        "SELECT id, url, secret, previous_secret, previous_secret_expires_at, enabled, deleted_at \
         FROM btx_webhook_endpoint WHERE deleted_at IS NULL AND project_id = ",
    );
    let found = query.bind(project).push(" AND id = ").bind(id).fetch_optional(tx).await?;
    found.map(|row| opened(tx, &row, tx.now())).transpose()
}

fn opened(tx: &Tx, row: &Row, now: Timestamp) -> Result<Target, StoreError> {
    let id: EndpointId = row.parse("id")?;
    let open = |sealed: Vec<u8>| {
        let wrong = || StoreError::Inconsistent(format!("the secret of {id} can't be opened"));
        let plain = tx.keys().open(&sealed, &id.to_string()).map_err(|_| wrong())?;
        let text = String::from_utf8(plain).map_err(|_| wrong())?;
        WebhookSecret::parse(&text).map_err(|_| wrong())
    };
    let overlaps = row.opt_time("previous_secret_expires_at")?.is_some_and(|until| until > now);
    let previous = row.opt_bytes("previous_secret")?.filter(|_| overlaps);
    Ok(Target {
        id,
        url: row.text("url")?,
        secret: open(row.bytes("secret")?)?,
        previous_secret: previous.map(open).transpose()?,
        enabled: row.flag("enabled")?,
        deleted: row.opt_time("deleted_at")?.is_some(),
    })
}
