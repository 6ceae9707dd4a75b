//! What failed together, what was changed before, and until when nothing is lost.

use std::time::Duration;

use domain::Timestamp;
use domain::model::Endpoint;
use domain::page::{MAX_LIMIT, PageRequest};
use store::{endpoints, inbox};

use super::{Captions, captions};
use crate::model::{Change, FailingRow, GroupRow, Moment};
use crate::query;
use crate::ssr::{Access, Problem};

/// So long before a group began, a change may be its cause.
const SHORTLY: Duration = Duration::from_secs(3_600);

const HOUR: Duration = Duration::from_secs(3_600);

/// The groups of the inbox, the largest first.
pub(super) async fn groups(access: &mut Access, captions: &Captions) -> Result<Vec<GroupRow>, Problem> {
    let (project, conn) = (access.project, &mut access.conn);
    let found = inbox::groups(conn, project).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let endpoints = endpoints::list(conn, project, PageRequest::first(MAX_LIMIT)).await?.data;
    let rows = found.into_iter().map(|group| {
        let endpoint = endpoints.iter().find(|endpoint| endpoint.id == group.endpoint_id);
        let mut query = query::with("", "endpoint_id", Some(&group.endpoint_id.to_string()));
        query = query::with(&query, "reason", Some(group.reason.as_str()));
        let code = group.response_status_code.map(|code| code.to_string());
        query = query::with(&query, "response_status_code", code.as_deref());
        query = query::with(&query, "error_code", group.error_code.map(domain::status::AttemptError::as_str));
        GroupRow {
            endpoint: captions.get(&group.endpoint_id).cloned().unwrap_or_else(|| group.endpoint_id.to_string()),
            reason: group.reason,
            response_status_code: group.response_status_code,
            error_code: group.error_code,
            count: group.count,
            since: group.since.into(),
            changed: endpoint.and_then(|endpoint| changed(endpoint, group.since)),
            query,
        }
    });
    Ok(rows.collect())
}

/// The last change of an endpoint shortly before a time.
fn changed(endpoint: &Endpoint, since: domain::Timestamp) -> Option<(Change, u32)> {
    let changes = [
        (Change::Secret, endpoint.secret_rotated_at),
        (Change::Settings, Some(endpoint.updated_at).filter(|at| *at > endpoint.created_at)),
        (Change::Created, Some(endpoint.created_at)),
    ];
    let before = changes.into_iter().filter_map(|(change, at)| at.map(|at| (change, at)));
    let close = before.filter(|(_, at)| *at <= since && since.since(*at) <= SHORTLY);
    // A secret's replacement is a change of the settings, too: the first of equals is the precise one.
    let mut last: Option<(Change, domain::Timestamp)> = None;
    for (change, at) in close {
        if last.is_none_or(|(_, other)| at > other) {
            last = Some((change, at));
        }
    }
    last.map(|(change, at)| (change, u32::try_from(since.since(at).as_secs()).unwrap_or(u32::MAX)))
}

/// The endpoints that fail at present.
pub(super) async fn failing(access: &mut Access) -> Result<Vec<FailingRow>, Problem> {
    let (project, conn) = (access.project, &mut access.conn);
    let found = inbox::failing(conn, project).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let captions = captions(endpoints::captions(conn, project).await?);
    let rows = found.into_iter().map(|row| FailingRow {
        endpoint: captions.get(&row.endpoint_id).cloned().unwrap_or_else(|| row.endpoint_id.to_string()),
        endpoint_id: row.endpoint_id.to_string(),
        waiting: row.waiting,
        since: row.since.into(),
        lost_at: row.first_dead_letter_at.map(Into::into),
        lost_by: added_up(&row.by_hour),
    });
    Ok(rows.collect())
}

/// By the end of each hour, as many as in all hours before.
fn added_up(by_hour: &[(Timestamp, u32)]) -> Vec<(Moment, u32)> {
    let hours = by_hour.iter().scan(0, |sum, (hour, n)| {
        *sum += n;
        Some((hour.plus(HOUR).into(), *sum))
    });
    hours.collect()
}

#[cfg(test)]
mod tests {
    use domain::id::{EndpointId, Ulid};

    use super::*;

    fn endpoint(rotated: Option<i64>, updated: i64) -> Endpoint {
        Endpoint {
            id: EndpointId::from_ulid(Ulid::nil()),
            url: String::new(),
            event_types: Vec::new(),
            description: None,
            enabled: true,
            disabled_reason: None,
            disabled_at: None,
            secret: None,
            secret_rotated_at: rotated.map(Timestamp::from_secs),
            previous_secret_expires_at: None,
            health: None,
            created_at: Timestamp::from_secs(0),
            updated_at: Timestamp::from_secs(updated),
        }
    }

    #[test]
    fn a_group_lines_up_with_the_last_change_before_it() {
        let began = Timestamp::from_secs(10_040);
        assert_eq!(changed(&endpoint(Some(10_000), 10_000), began), Some((Change::Secret, 40)));
        assert_eq!(changed(&endpoint(Some(9_000), 10_000), began), Some((Change::Settings, 40)));
        assert_eq!(changed(&endpoint(None, 10_041), began), None, "what came after is no cause");
        assert_eq!(changed(&endpoint(Some(100), 100), began), None, "what was long before is no cause");
    }
}
