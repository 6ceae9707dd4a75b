//! The attempts' rows, many to a statement.

use domain::Timestamp;
use domain::id::AttemptId;
use domain::model::Headers;
use domain::status::DeliveryStatus;

use super::{Finished, attempt_status, next_at};
use crate::error::StoreError;
use crate::sql::{Bind as _, Sql, Value};
use crate::table::pieces;
use crate::tx::Tx;

/// Inserts a row for each attempt, next to where its delivery stands now.
pub(super) async fn insert(
    tx: &mut Tx,
    batch: &[(&Finished, DeliveryStatus)],
    now: Timestamp,
) -> Result<(), StoreError> {
    let dialect = tx.dialect();
    for piece in pieces(dialect, batch) {
        let rows = piece
            .iter()
            .map(|(finished, status)| attempt_row(AttemptId::generate(now, tx.entropy()), finished, *status, now));
        let rows = rows.collect::<Result<_, _>>()?;
        let query = Sql::new(
            "INSERT INTO btx_webhook_attempt (id, project_id, delivery_id, event_id, event_type, endpoint_id, \
             request_id, attempt_number, cause, url, status, response_status_code, error_code, remote_ip, \
             requested_at, responded_at, duration_ms, next_attempt_at, request_headers, response_headers, \
             response_body, response_body_truncated, created_at) ",
        );
        query.table(dialect, rows).execute(tx).await?;
    }
    Ok(())
}

fn attempt_row(
    id: AttemptId,
    finished: &Finished,
    delivery: DeliveryStatus,
    now: Timestamp,
) -> Result<[Value; 23], StoreError> {
    let took = finished.responded_at.map(|at| at.since(finished.requested_at).as_millis());
    let result = &finished.result;
    Ok([
        id.value(),
        finished.project_id.value(),
        finished.delivery_id.value(),
        finished.event_id.value(),
        finished.event_type.as_str().value(),
        finished.endpoint_id.value(),
        finished.request_id.value(),
        finished.attempt_number.value(),
        finished.trigger.value(),
        finished.url.as_str().value(),
        attempt_status(finished).value(),
        result.status.value(),
        result.error.value(),
        result.remote_ip.as_ref().value(),
        finished.requested_at.value(),
        finished.responded_at.value(),
        took.map(|millis| i64::try_from(millis).unwrap_or(i64::MAX)).value(),
        next_at(finished).filter(|_| delivery.is_waiting()).value(),
        lines(&finished.request_headers)?.value(),
        result.response_headers.as_ref().map(lines).transpose()?.value(),
        result.response_body.as_ref().value(),
        result.response_body_truncated.value(),
        now.value(),
    ])
}

/// Headers are stored as a list of lines: an object would lose their order and their repetitions.
fn lines(headers: &Headers) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(&headers.0).map_err(|error| StoreError::Inconsistent(format!("headers: {error}")))
}
