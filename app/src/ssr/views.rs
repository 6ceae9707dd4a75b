//! From repositories to what pages are drawn from.

mod attempt;
mod attempts;
mod chart;
mod curl;
mod dead_letters;
mod deliveries;
mod endpoints;
mod events;
mod frame;
mod idempotency;
mod inbox;
pub(crate) mod inspector;
mod jobs;
mod json;
mod paging;
mod people;
mod requests;
mod search;

use std::collections::HashMap;

use domain::entropy::random_bytes;
use domain::id::{DeliveryId, EndpointId};
use domain::model::Attempt;
use store::Conn;

pub(crate) use attempt::attempt;
pub(crate) use attempts::attempts;
pub(crate) use dead_letters::{dead_letter, dead_letters};
pub(crate) use deliveries::delivery;
pub(crate) use endpoints::{endpoint, endpoints};
pub(crate) use events::{event, events};
pub(crate) use frame::frame;
pub(crate) use idempotency::keys;
pub(crate) use jobs::{job, retry_many};
pub(crate) use people::{api_key, api_keys, settings};
pub(crate) use requests::{requests, trace};
pub(crate) use search::search;

use super::{Access, Problem};
use crate::model::{AttemptRow, Retried, RetryForm};

/// How many rows a page shows.
const ROWS: u32 = 40;

/// Endpoints by id, as they are written beside an attempt.
pub(super) type Captions = HashMap<EndpointId, String>;

/// The URLs without their scheme.
pub(super) fn captions(urls: Vec<(EndpointId, String)>) -> Captions {
    urls.into_iter().map(|(id, url)| (id, short_url(&url).to_owned())).collect()
}

fn short_url(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest).trim_end_matches('/')
}

/// Choices for a filter, in the order of their captions.
fn choices(captions: &Captions) -> Vec<(String, String)> {
    let mut list: Vec<_> = captions.iter().map(|(id, caption)| (id.to_string(), caption.clone())).collect();
    list.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    list
}

/// Every endpoint of the project, for a choice.
pub(super) async fn endpoint_choices(access: &mut Access) -> Result<Vec<(String, String)>, Problem> {
    let urls = store::endpoints::captions(&mut access.conn, access.project).await?;
    Ok(choices(&captions(urls)))
}

/// An attempt as a list shows it.
pub(super) fn attempt_row(attempt: &Attempt, captions: &Captions) -> AttemptRow {
    AttemptRow {
        id: attempt.id.to_string(),
        delivery_id: attempt.delivery_id.to_string(),
        event_type: attempt.event_type.clone(),
        endpoint: captions.get(&attempt.endpoint_id).cloned().unwrap_or_else(|| short_url(&attempt.url).to_owned()),
        attempt_number: attempt.attempt_number,
        status: attempt.status,
        response_status_code: attempt.response_status_code,
        error_code: attempt.error_code,
        duration_ms: attempt.duration_ms,
        at: attempt.created_at.into(),
    }
}

/// A form with a fresh token, for those who may.
fn retry_form(access: &Access, id: String) -> Option<RetryForm> {
    access.may_retry().then(|| RetryForm { id, token: fresh_token(access) })
}

fn fresh_token(access: &Access) -> String {
    format!("{:032x}", u128::from_be_bytes(random_bytes(access.state.store.entropy())))
}

/// What became of the delivery that a press of Retry has made; nothing when there is none such.
async fn retried(access: &mut Access, id: Option<&str>, captions: &Captions) -> Result<Option<Retried>, Problem> {
    let Some(Ok(id)) = id.map(str::parse::<DeliveryId>) else { return Ok(None) };
    let project = access.project;
    let conn: &mut Conn = &mut access.conn;
    let Some(delivery) = store::deliveries::get(conn, project, id).await? else { return Ok(None) };
    let made = store::attempts::of_delivery(conn, project, id).await?;
    Ok(Some(Retried {
        delivery_id: id.to_string(),
        status: delivery.status,
        last: made.last().map(|attempt| attempt_row(attempt, captions)),
    }))
}
