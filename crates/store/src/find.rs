//! Whether things exist, by id alone: what the search box asks. Each look is by an index, within one
//! project.

use std::time::Duration;

use domain::Timestamp;
use domain::id::{
    AttemptId, BinId, CaptureId, ContactId, DeadLetterId, DeliveryId, EndpointId, EventId, ProjectId, RequestId, Ulid,
};

use crate::conn::Conn;
use crate::error::StoreError;
use crate::paging::rows;
use crate::sql::Sql;

/// Which of `ids` the project has; all are of one kind, that of the first. Attempts and requests are
/// found among those of the first one's millisecond only, because their ids' time is where they lie.
pub async fn existing(conn: &mut Conn, project: ProjectId, ids: &[String]) -> Result<Vec<String>, StoreError> {
    let Some((prefix, body)) = ids.first().and_then(|id| id.split_at_checked(4)) else { return Ok(Vec::new()) };
    let by_key = |table: &str| Sql::new("SELECT id AS found FROM ").push(table).push(" WHERE id IN ");
    let by_request =
        |table: &str| Sql::new("SELECT DISTINCT request_id AS found FROM ").push(table).push(" WHERE request_id IN ");
    let logged = |table: &str| {
        let at = Ulid::from_string(body).ok().and_then(|ulid| i64::try_from(ulid.timestamp_ms()).ok());
        let at = Timestamp::from_millis(at.unwrap_or(0));
        let query = Sql::new("SELECT id AS found FROM ").push(table).push(" WHERE created_at >= ").bind(at);
        query.push(" AND created_at < ").bind(at.plus(Duration::from_millis(1))).push(" AND id IN ")
    };
    let looks = match prefix {
        EventId::PREFIX => vec![by_key("btx_event")],
        DeliveryId::PREFIX => vec![by_key("btx_webhook_delivery")],
        DeadLetterId::PREFIX => vec![by_key("btx_webhook_dead_letter")],
        EndpointId::PREFIX => {
            vec![Sql::new("SELECT id AS found FROM btx_webhook_endpoint WHERE deleted_at IS NULL AND id IN ")]
        }
        ContactId::PREFIX => vec![by_key("btx_contact")],
        BinId::PREFIX => vec![by_key("btx_inspector_bin")],
        CaptureId::PREFIX => vec![Sql::new(
            "SELECT id AS found FROM btx_inspector_capture c WHERE EXISTS \
             (SELECT 1 FROM btx_inspector_bin b WHERE b.id = c.bin_id) AND id IN ",
        )],
        AttemptId::PREFIX => vec![logged("btx_webhook_attempt")],
        RequestId::PREFIX => {
            vec![logged("btx_request"), by_request("btx_webhook_delivery"), by_request("btx_event")]
        }
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for look in looks {
        let query = look.bind_list(ids.iter().cloned()).push(" AND project_id = ").bind(project).uncached();
        found.extend(rows(conn, query, |row| row.text("found")).await?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
