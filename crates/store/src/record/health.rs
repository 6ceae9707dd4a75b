//! What outcomes say about their endpoints, and the end of one that has failed for too long.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::Timestamp;
use domain::event_type::EventType;
use domain::id::{EndpointId, ProjectId};
use domain::ladder::NextStep;
use domain::model::RawJson;
use domain::status::{DeliveryStatus, DisabledReason};

use super::Finished;
use crate::error::StoreError;
use crate::events::{self, NewEvent};
use crate::paging::rows;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::{endpoints, health};

/// A success that is not news (none came before it by so much less) is not written down again:
/// an endpoint that works costs a look for each batch and a write now and then.
const SUCCESS_EVERY: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Tally {
    failures: u32,
    failing_since: Option<Timestamp>,
    last_success_at: Option<Timestamp>,
    last_failure_at: Option<Timestamp>,
}

/// Adds a batch's outcomes to their endpoints' health, one statement for all. Interrupted attempts say
/// nothing about the receiver. An endpoint that has failed for longer than is allowed is disabled.
///
/// In the order of ids, and before anything changes an endpoint's own row: two replicas wait for each
/// other instead of deadlocking.
pub(super) async fn note(tx: &mut Tx, ours: &[(&Finished, DeliveryStatus)], now: Timestamp) -> Result<(), StoreError> {
    let tallies = tally(ours);
    if tallies.is_empty() {
        return Ok(());
    }
    let mut query = Sql::new(
        "INSERT INTO btx_endpoint_health AS h \
         (endpoint_id, consecutive_failures, failing_since, last_success_at, last_failure_at) VALUES ",
    );
    for (n, (endpoint, (_, tally))) in tallies.iter().enumerate() {
        query = query
            .push(if n == 0 { "(" } else { ", (" })
            .bind(*endpoint)
            .push(", ")
            .bind(tally.failures)
            .push(", ")
            .bind(tally.failing_since)
            .push(", ")
            .bind(tally.last_success_at)
            .push(", ")
            .bind(tally.last_failure_at)
            .push(")");
    }
    let query = query
        .push(
            " ON CONFLICT (endpoint_id) DO UPDATE SET \
             consecutive_failures = excluded.consecutive_failures + \
             CASE WHEN excluded.last_success_at IS NULL THEN h.consecutive_failures ELSE 0 END, \
             failing_since = CASE WHEN excluded.last_success_at IS NULL \
             THEN COALESCE(h.failing_since, excluded.failing_since) ELSE excluded.failing_since END, \
             last_success_at = COALESCE(excluded.last_success_at, h.last_success_at), \
             last_failure_at = COALESCE(excluded.last_failure_at, h.last_failure_at) \
             WHERE excluded.last_failure_at IS NOT NULL OR h.consecutive_failures > 0 \
             OR h.last_success_at IS NULL OR h.last_success_at < excluded.last_success_at - ",
        )
        .bind(i64::try_from(SUCCESS_EVERY.as_micros()).unwrap_or(i64::MAX))
        .push(" RETURNING endpoint_id, consecutive_failures, failing_since");
    // A handful of endpoints is the common case, whose few texts are worth keeping prepared.
    let query = if tallies.len() > 8 { query.uncached() } else { query };
    let environment = tx.environment();
    let least = environment.schedule.max_attempts();
    let fares = rows(tx, query, |row| {
        Ok((row.parse::<EndpointId>("endpoint_id")?, row.int("consecutive_failures")?, row.opt_time("failing_since")?))
    });
    let mut fares = fares.await?;
    let Some(after) = environment.auto_disable_after else { return Ok(()) };
    fares.sort_unstable();
    for (endpoint, failures, since) in fares {
        // A whole ladder at least: one bad moment and then silence is no week of failing.
        let too_long = failures >= i64::from(least) && since.is_some_and(|since| since.plus(after) <= now);
        if let Some((project, _)) = tallies.get(&endpoint).filter(|_| too_long) {
            disable(tx, *project, endpoint, DisabledReason::Failing, now).await?;
        }
    }
    Ok(())
}

fn tally(ours: &[(&Finished, DeliveryStatus)]) -> BTreeMap<EndpointId, (ProjectId, Tally)> {
    let mut ended: Vec<_> = ours.iter().filter_map(|(one, _)| one.responded_at.map(|at| (at, *one))).collect();
    ended.sort_by_key(|(at, _)| *at);
    let mut tallies = BTreeMap::<_, (ProjectId, Tally)>::new();
    for (at, finished) in ended {
        let (_, tally) = tallies.entry(finished.endpoint_id).or_insert_with(|| (finished.project_id, Tally::default()));
        if finished.next == NextStep::Delivered {
            let last_failure_at = tally.last_failure_at;
            *tally = Tally { last_success_at: Some(at), last_failure_at, ..Tally::default() };
        } else {
            tally.failures += 1;
            tally.failing_since = tally.failing_since.or(Some(at));
            tally.last_failure_at = Some(at);
        }
    }
    tallies
}

/// Disables an endpoint, visibly: with its reason and time on it and, where owners have chosen that
/// endpoints may be disabled for failing, with an event. What waits for it goes to the inbox when it
/// falls due, and later events leave `skipped` deliveries.
pub(super) async fn disable(
    tx: &mut Tx,
    project: ProjectId,
    id: EndpointId,
    reason: DisabledReason,
    now: Timestamp,
) -> Result<(), StoreError> {
    let query = Sql::new("UPDATE btx_webhook_endpoint SET enabled = 0, disabled_reason = ")
        .bind(reason)
        .push(", disabled_at = ")
        .bind(now)
        .push(", updated_at = ")
        .bind(now)
        .push(" WHERE enabled = 1 AND deleted_at IS NULL AND project_id = ")
        .bind(project)
        .push(" AND id = ")
        .bind(id);
    if query.execute(tx).await? == 0 {
        return Ok(());
    }
    tracing::warn!(endpoint = %id, %reason, "an endpoint is disabled");
    if tx.environment().auto_disable_after.is_none() {
        return Ok(());
    }
    let Some(mut endpoint) = endpoints::get(tx, project, id).await? else { return Ok(()) };
    endpoint.health = health::of(tx, project, id, now).await?;
    let data = RawJson::of(&endpoint).map_err(|error| StoreError::Inconsistent(format!("event: {error}")))?;
    let event_type: EventType = EventType::ENDPOINT_DISABLED
        .parse()
        .map_err(|_| StoreError::Inconsistent("the name of an event is none".to_owned()))?;
    events::publish(tx, project, NewEvent { event_type, data, request_id: None }).await.map(drop)
}
