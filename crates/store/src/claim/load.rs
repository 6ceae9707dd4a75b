//! What a claimed delivery needs to be sent: its endpoint as it is now, and its event.

use std::collections::HashMap;

use domain::Timestamp;
use domain::id::{EndpointId, EventId};
use domain::model::Event;
use domain::secret::WebhookSecret;

use super::{Lease, Target};
use crate::error::StoreError;
use crate::events;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;

pub(super) async fn targets(
    tx: &mut Tx,
    leased: &[Lease],
    now: Timestamp,
) -> Result<HashMap<EndpointId, Target>, StoreError> {
    let mut ids: Vec<_> = leased.iter().map(|lease| lease.endpoint_id).collect();
    ids.dedup();
    let query = Sql::new(
        "SELECT id, url, secret, previous_secret, previous_secret_expires_at, enabled, deleted_at \
         FROM btx_webhook_endpoint WHERE id IN ",
    );
    let found = query.bind_list(ids).uncached().fetch_all(tx).await?;
    found.iter().map(|row| target(tx, row, now).map(|target| (target.id, target))).collect()
}

fn target(tx: &Tx, row: &Row, now: Timestamp) -> Result<Target, StoreError> {
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

pub(super) async fn of_leases(tx: &mut Tx, leased: &[Lease]) -> Result<HashMap<EventId, Event>, StoreError> {
    let mut ids: Vec<_> = leased.iter().map(|lease| lease.event_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let query = Sql::new("SELECT id, event_type, data, request_id, created_at FROM btx_event WHERE id IN ");
    let found = query.bind_list(ids).uncached().fetch_all(tx).await?;
    found.iter().map(|row| events::read(row).map(|event| (event.id, event))).collect()
}
