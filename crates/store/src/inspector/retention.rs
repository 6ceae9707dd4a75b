//! What goes by itself: captures after 14 days, and those whose bin was deleted. A body may have a
//! megabyte, so few rows go at once: no write waits for long.

use domain::Timestamp;

use super::RETENTION;
use crate::error::StoreError;
use crate::sql::Sql;
use crate::store::Store;

/// Rows that one transaction deletes at most.
const BATCH: u32 = 20;

/// One round.
pub(crate) async fn run(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    let old = Sql::new("SELECT id FROM btx_inspector_capture WHERE created_at < ").bind(now.minus(RETENTION));
    delete(store, old).await?;
    let orphans = "SELECT id FROM btx_inspector_capture WHERE NOT EXISTS \
                   (SELECT 1 FROM btx_inspector_bin b WHERE b.id = btx_inspector_capture.bin_id)";
    delete(store, Sql::new(orphans)).await
}

/// Deletes what `ids` finds, batch by batch. Found by a reader first: most rounds have nothing to write.
async fn delete(store: &Store, ids: Sql) -> Result<(), StoreError> {
    loop {
        let found = ids.clone().push(" LIMIT ").bind(BATCH).fetch_all(&mut store.reader().await?).await?;
        let found = found.iter().map(|row| row.text("id")).collect::<Result<Vec<_>, _>>()?;
        let last = found.len() < BATCH as usize;
        if !found.is_empty() {
            let gone = Sql::new("DELETE FROM btx_inspector_capture WHERE id IN ").bind_list(found).uncached();
            store
                .write::<_, _, StoreError>(move |tx| Box::pin(async move { gone.execute(tx).await.map(drop) }))
                .await?;
        }
        if last {
            return Ok(());
        }
    }
}
