//! The live stream of a project's attempts: server-sent events whose id is the place of the newest
//! attempt in the list, so that a browser that lost the connection goes on where it stopped.
//!
//! Attempts committed by other replicas are found by polling. What was sent already is left out here, and
//! once more in the browser. With `bin=` the rows are what that bin captures; everything else stays.

mod captures;
mod tail;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::time::Duration;

use async_stream::stream;
use axum::Extension;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use domain::Timestamp;
use domain::cursor::Position;
use domain::filter::{AttemptFilter, Filter as _, FilterReader};
use domain::id::{ProjectId, Ulid};
use domain::model::{Attempt, Capture, User};
use leptos::prelude::{Owner, RenderHtml as _, provide_context};
use store::{StoreError, attempts, dead_letters, endpoints};
use tokio::time::{sleep, timeout};

use self::captures::Captures;
use self::tail::Tail;
use super::state::AppState;
use super::views::inspector::capture_row;
use super::views::{Captions, attempt_row, captions};
use super::visit::{Visitor, may_see};
use crate::live::{LiveBatch, LiveRow};
use crate::pages::attempts::attempt_row as draw;
use crate::pages::inspector::capture_row as draw_capture;
use crate::query;

/// How far back each look goes.
const OVERLAP: Duration = Duration::from_secs(5);
/// How often other replicas' work is looked for.
const POLL: Duration = Duration::from_secs(1);
/// How long news are gathered, so that a burst is one message.
const GATHER: Duration = Duration::from_millis(150);
/// How many looks pass between two checks of whether the person may still see the project.
const CHECK_EVERY: u32 = 60;

struct Feed {
    state: AppState,
    visitor: Visitor,
    project: ProjectId,
    user: User,
    /// The list's own, as text: what the rows' links carry.
    filters: String,
    filter: AttemptFilter,
    tail: Tail,
    /// The bin whose page it is.
    bin: Option<Captures>,
}

/// `/developers/{project_id}/live?after=…` with the list's own filters beside it.
pub(super) async fn stream(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Path(project): Path<String>,
    RawQuery(search): RawQuery,
    headers: HeaderMap,
) -> Response {
    let Some(user) = visitor.user.clone() else { return StatusCode::UNAUTHORIZED.into_response() };
    let search = search.unwrap_or_default();
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (last, last_captured) = match last {
        Some(last) => {
            last.split_once('!').map_or((Some(last.clone()), None), |(a, b)| (Some(a.into()), Some(b.into())))
        }
        None => (None, None),
    };
    let place =
        |last: Option<String>, name| last.or_else(|| query::value(&search, name)).and_then(|text| read_position(&text));
    let (place, captured) = (place(last, "after"), place(last_captured, "captured_after"));
    let bin = query::value(&search, "bin").and_then(|bin| bin.parse().ok());
    let filters = query::without(&search, &["after", "captured_after", "bin"]);
    let pairs = query::pairs(&filters);
    let (Ok(project), Ok(filter)) = (project.parse(), AttemptFilter::read(&mut FilterReader::new(pairs))) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match may_see(&state, project, &user).await {
        Ok(true) => {}
        Ok(false) => return StatusCode::NOT_FOUND.into_response(),
        Err(_) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
    let start = Position { created_at: state.store.now(), ulid: Ulid::nil() };
    let bin = bin.map(|bin| Captures::new(bin, captured.unwrap_or(start)));
    let tail = Tail::new(place.unwrap_or(start));
    let feed = Feed { state, visitor, project, user, filters, filter, tail, bin };
    let mut answer =
        Sse::new(feed.events()).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response();
    // Proxies that gather an answer before they pass it on would hold the stream back.
    answer.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

impl Feed {
    fn events(mut self) -> impl futures::Stream<Item = Result<Event, Infallible>> {
        let mut recorded = self.state.store.signals().recorded();
        let mut captured = self.state.store.signals().captured();
        let closing = self.state.closing.clone();
        stream! {
            // Tells the page that the line stands, before anything happens.
            yield Ok(Event::default().event("ready").data("1"));
            for look in 1_u32.. {
                if closing.is_cancelled() {
                    break;
                }
                match self.next_batch().await {
                    Ok(Some(batch)) => {
                        let captured = self.bin.as_ref().map(|bin| format!("!{}", write_position(bin.at)));
                        let id = write_position(self.tail.at) + captured.as_deref().unwrap_or_default();
                        match Event::default().id(id).json_data(&batch) {
                            Ok(event) => yield Ok(event),
                            Err(error) => tracing::error!(%error, "a live batch could not be written"),
                        }
                    }
                    Ok(None) => {}
                    Err(error) => {
                        tracing::warn!(%error, "the live stream paused");
                        sleep(POLL * 5).await;
                    }
                }
                if look.is_multiple_of(CHECK_EVERY)
                    && matches!(may_see(&self.state, self.project, &self.user).await, Ok(false))
                {
                    break;
                }
                if self.tail.is_behind {
                    continue;
                }
                tokio::select! {
                    news = timeout(POLL, recorded.changed()) => {
                        if matches!(news, Ok(Ok(()))) {
                            sleep(GATHER).await;
                        }
                    }
                    Ok(()) = captured.changed(), if self.bin.is_some() => sleep(GATHER).await,
                    () = closing.cancelled() => break,
                }
            }
        }
    }

    async fn next_batch(&mut self) -> Result<Option<LiveBatch>, StoreError> {
        let mut conn = self.state.store.reader().await?;
        let everything = AttemptFilter::default();
        let places = self.tail.next(&mut conn, self.project).await?;
        let mut found = attempts::at_places(&mut conn, self.project, &everything, &places).await?;
        let captured = match &mut self.bin {
            Some(bin) => bin.next(&mut conn, self.project).await?,
            None => Vec::new(),
        };
        if found.is_empty() && captured.is_empty() {
            return Ok(None);
        }
        let deliveries: BTreeSet<String> = found.iter().map(|attempt| attempt.delivery_id.to_string()).collect();
        let dead_letters = dead_letters::count_unresolved(&mut conn, self.project).await?;
        let rows = if self.bin.is_some() {
            captured.iter().map(|capture| self.captured(capture)).collect()
        } else {
            if self.filter != everything {
                found = attempts::at_places(&mut conn, self.project, &self.filter, &places).await?;
            }
            let captions = captions(endpoints::captions(&mut conn, self.project).await?);
            found.iter().map(|attempt| self.row(attempt, &captions)).collect()
        };
        Ok(Some(LiveBatch { rows, deliveries: deliveries.into_iter().collect(), dead_letters }))
    }

    /// A row as the list draws it, in the visitor's language and time.
    fn row(&self, attempt: &Attempt, captions: &Captions) -> LiveRow {
        let (locale, visitor) = (self.visitor.locale, self.visitor.clone());
        let path = format!("/developers/{}/webhooks", self.project);
        let html = Owner::new().with(|| {
            provide_context(locale);
            provide_context(visitor);
            draw(locale, &path, &self.filters, "", attempt_row(attempt, captions)).to_html()
        });
        LiveRow { id: attempt.id.to_string(), delivery_id: attempt.delivery_id.to_string(), html }
    }

    /// A capture as its bin's list draws it.
    fn captured(&self, capture: &Capture) -> LiveRow {
        let (locale, visitor) = (self.visitor.locale, self.visitor.clone());
        let path = format!("/developers/{}/inspector/{}", self.project, capture.bin_id);
        let html = Owner::new().with(|| {
            provide_context(locale);
            provide_context(visitor);
            draw_capture(locale, &path, "", "", capture_row(capture)).to_html()
        });
        LiveRow { id: capture.id.to_string(), delivery_id: String::new(), html }
    }
}

pub(crate) fn write_position(position: Position) -> String {
    format!("{}-{}", position.created_at.as_micros(), position.ulid)
}

fn read_position(text: &str) -> Option<Position> {
    let (micros, ulid) = text.split_once('-')?;
    let created_at = Timestamp::from_micros(micros.parse().ok()?);
    Some(Position { created_at, ulid: Ulid::from_string(ulid).ok()? })
}

/// Where a page's live rows go on from.
pub(super) fn live_from(newest: Option<&Attempt>, now: Timestamp) -> String {
    let start = Position { created_at: now, ulid: Ulid::nil() };
    write_position(newest.map_or(start, domain::page::Listed::position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_back_and_junk_does_not() {
        let place =
            Position { created_at: Timestamp::from_micros(1_780_000_000_123_456), ulid: Ulid::from_parts(7, 9) };
        assert_eq!(read_position(&write_position(place)), Some(place));
        for junk in ["", "1", "-", "x-01HXY8Z2K5VQGN3PMAB7DEFGHJ", "5-x"] {
            assert_eq!(read_position(junk), None, "{junk}");
        }
    }
}
