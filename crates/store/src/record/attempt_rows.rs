//! The attempts' rows, many to a statement.

use domain::Timestamp;
use domain::id::AttemptId;
use domain::model::Headers;
use domain::status::DeliveryStatus;

use super::{Finished, attempt_status, next_at};
use crate::chunks::chunks;
use crate::error::StoreError;
use crate::sql::Sql;
use crate::tx::Tx;

/// Inserts a row for each attempt, next to where its delivery stands now.
pub(super) async fn insert(
    tx: &mut Tx,
    batch: &[(&Finished, DeliveryStatus)],
    now: Timestamp,
) -> Result<(), StoreError> {
    for chunk in chunks(batch) {
        let mut query = Sql::new(
            "INSERT INTO btx_webhook_attempt (id, project_id, delivery_id, event_id, event_type, endpoint_id, \
             request_id, attempt_number, cause, url, status, response_status_code, error_code, remote_ip, \
             requested_at, responded_at, duration_ms, next_attempt_at, request_headers, response_headers, \
             response_body, response_body_truncated, created_at) VALUES ",
        );
        for (n, (finished, status)) in chunk.iter().enumerate() {
            let id = AttemptId::generate(now, tx.entropy());
            query = attempt_row(query.push(if n == 0 { "(" } else { ", (" }), id, finished, *status, now)?.push(")");
        }
        query.execute(tx).await?;
    }
    Ok(())
}

fn attempt_row(
    query: Sql,
    id: AttemptId,
    finished: &Finished,
    delivery: DeliveryStatus,
    now: Timestamp,
) -> Result<Sql, StoreError> {
    let took = finished.responded_at.map(|at| at.since(finished.requested_at).as_millis());
    let result = &finished.result;
    Ok(query
        .bind(id)
        .push(", ")
        .bind(finished.project_id)
        .push(", ")
        .bind(finished.delivery_id)
        .push(", ")
        .bind(finished.event_id)
        .push(", ")
        .bind(&finished.event_type)
        .push(", ")
        .bind(finished.endpoint_id)
        .push(", ")
        .bind(finished.request_id)
        .push(", ")
        .bind(finished.attempt_number)
        .push(", ")
        .bind(finished.trigger)
        .push(", ")
        .bind(&finished.url)
        .push(", ")
        .bind(attempt_status(finished))
        .push(", ")
        .bind(result.status)
        .push(", ")
        .bind(result.error)
        .push(", ")
        .bind(result.remote_ip.as_ref())
        .push(", ")
        .bind(finished.requested_at)
        .push(", ")
        .bind(finished.responded_at)
        .push(", ")
        .bind(took.map(|millis| i64::try_from(millis).unwrap_or(i64::MAX)))
        .push(", ")
        .bind(next_at(finished).filter(|_| delivery.is_waiting()))
        .push(", ")
        .bind(lines(&finished.request_headers)?)
        .push(", ")
        .bind(result.response_headers.as_ref().map(lines).transpose()?)
        .push(", ")
        .bind(result.response_body.as_ref())
        .push(", ")
        .bind(result.response_body_truncated)
        .push(", ")
        .bind(now))
}

/// Headers are stored as a list of lines: an object would lose their order and their repetitions.
fn lines(headers: &Headers) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(&headers.0).map_err(|error| StoreError::Inconsistent(format!("headers: {error}")))
}
