//! A rehearsal of the retry ladder: a real event, with the bytes and headers that an endpoint would get,
//! against a bin's script, on a clock that jumps from rung to rung. Nothing is sent.

use std::time::Duration;

use domain::Timestamp;
use domain::id::{BinId, EndpointId, EventId, ProjectId, RequestId};
use domain::ladder::{NextStep, Outcome};
use domain::model::{CaptureSource, Event, HeaderLine, Headers, Rehearsal, Rung};
use domain::outgoing::Outgoing;
use domain::payload;
use domain::retry_after::parse_retry_after;
use domain::script::{Script, ScriptStep};
use domain::status::{AttemptError, AttemptStatus, CaptureKind};

use super::receive::{self, NewCapture, Received};
use super::redirect::path_and_query;
use crate::claim::{self, Target};
use crate::error::StoreError;
use crate::events;
use crate::sql::Sql;
use crate::tx::Tx;

/// What is rehearsed.
#[derive(Clone, Copy, Debug)]
pub struct Rehearse {
    /// The bin whose script answers, from its first answer on; requests that come meanwhile don't count.
    pub bin: BinId,
    /// The event.
    pub event: EventId,
    /// The endpoint that it would be sent to, with its secrets in force.
    pub endpoint: EndpointId,
    /// How long the engine waits for an answer: a longer delay is a `read_timeout`.
    pub read_timeout: Duration,
}

/// What is not there.
#[derive(Debug, thiserror::Error)]
pub enum RehearseError {
    /// The project has no such bin.
    #[error("no such bin")]
    NoBin,
    /// The project has no such event.
    #[error("no such event")]
    NoEvent,
    /// The project has no such endpoint.
    #[error("no such endpoint")]
    NoEndpoint,
    /// The database's.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Climbs the ladder until the event is delivered or given up; each rung leaves a capture in the bin.
///
/// # Errors
/// [`RehearseError`].
pub async fn rehearse(tx: &mut Tx, project: ProjectId, what: Rehearse) -> Result<Rehearsal, RehearseError> {
    if !receive::hold(tx, project, what.bin).await? {
        return Err(RehearseError::NoBin);
    }
    let script = script(tx, project, what.bin).await?;
    let event = events::get(tx, project, what.event).await?.ok_or(RehearseError::NoEvent)?;
    let target = claim::target(tx, project, what.endpoint).await?.ok_or(RehearseError::NoEndpoint)?;
    let (started, schedule) = (tx.now(), tx.environment().schedule);
    let request_id = RequestId::generate(started, tx.entropy());
    let mut requested_at = started;
    let mut rungs: Vec<Rung> = Vec::new();
    loop {
        let taken = u32::try_from(rungs.len()).unwrap_or(u32::MAX);
        let step = script.at(taken.into());
        let (outcome, responded_at) = play(&step, requested_at, what.read_timeout);
        let attempt_number = taken + 1;
        let next = schedule.next(attempt_number, outcome, responded_at);
        let new = NewCapture {
            kind: CaptureKind::Rehearsed,
            received: request(project, &event, &target, request_id, attempt_number, requested_at),
            response_status_code: answered(outcome),
            source: CaptureSource {
                event_id: Some(event.id),
                endpoint_id: Some(target.id),
                request_id: Some(request_id),
                simulated_at: Some(requested_at),
                ..CaptureSource::default()
            },
            // One after the other in the list, too.
            created_at: started.plus(Duration::from_micros(taken.into())),
        };
        let capture_id = receive::insert(tx, project, what.bin, new).await?;
        let rung = |status, next_attempt_at, by_retry_after| Rung {
            attempt_number,
            capture_id,
            requested_at,
            responded_at,
            response_status_code: answered(outcome),
            error_code: failure(outcome),
            status,
            next_attempt_at,
            by_retry_after,
        };
        let (status, reason, disables_endpoint) = match next {
            NextStep::RetryAt { at, hold_endpoint_until } => {
                rungs.push(rung(AttemptStatus::Retrying, Some(at), hold_endpoint_until.is_some()));
                requested_at = at;
                continue;
            }
            NextStep::Delivered => (AttemptStatus::Delivered, None, false),
            NextStep::DeadLetter { reason, disable_endpoint } => {
                (AttemptStatus::DeadLettered, Some(reason), disable_endpoint)
            }
        };
        rungs.push(rung(status, None, false));
        let (bin_id, event_id, endpoint_id) = (what.bin, event.id, target.id);
        return Ok(Rehearsal { bin_id, event_id, endpoint_id, rungs, status, reason, disables_endpoint });
    }
}

/// What comes of an answer, and when.
fn play(step: &ScriptStep, at: Timestamp, read_timeout: Duration) -> (Outcome, Timestamp) {
    let delay = Duration::from_millis(step.delay_ms.into());
    if delay >= read_timeout {
        return (Outcome::Failed(AttemptError::ReadTimeout), at.plus(read_timeout));
    }
    let responded_at = at.plus(delay);
    let retry_after = step.headers.get("retry-after").and_then(|value| parse_retry_after(value, responded_at));
    (Outcome::Responded { status: step.status, retry_after }, responded_at)
}

const fn answered(outcome: Outcome) -> Option<u16> {
    match outcome {
        Outcome::Responded { status, .. } => Some(status),
        Outcome::Failed(_) | Outcome::Interrupted { .. } => None,
    }
}

const fn failure(outcome: Outcome) -> Option<AttemptError> {
    match outcome {
        Outcome::Failed(error) => Some(error),
        Outcome::Responded { .. } | Outcome::Interrupted { .. } => None,
    }
}

fn request(
    project: ProjectId,
    event: &Event,
    target: &Target,
    request_id: RequestId,
    attempt_number: u32,
    at: Timestamp,
) -> Received {
    let body = payload::render(project, event);
    let (secret, previous_secret) = (&target.secret, target.previous_secret.as_ref());
    let Headers(lines) = Outgoing { event, secret, previous_secret, request_id, attempt_number, at }.headers(&body);
    let (path, query) = path_and_query(&target.url);
    Received {
        method: "POST".to_owned(),
        path: path.to_owned(),
        query: query.map(str::to_owned),
        headers: lines.iter().map(|(name, value)| HeaderLine::new(name, value.as_bytes())).collect(),
        body,
        remote_ip: None,
    }
}

async fn script(tx: &mut Tx, project: ProjectId, bin: BinId) -> Result<Script, StoreError> {
    let query = Sql::new("SELECT script FROM btx_inspector_bin WHERE project_id = ").bind(project);
    query.push(" AND id = ").bind(bin).fetch_one(tx).await?.json("script")
}
