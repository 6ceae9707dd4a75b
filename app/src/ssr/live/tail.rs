//! The attempts recorded since a place in the list, each handed out once.
//!
//! A transaction that began earlier may commit later, so every look goes back some seconds and leaves out what it
//! knows; of those seconds it reads the ids alone, along the list's own index.

use std::collections::{HashSet, VecDeque};

use domain::cursor::Position;
use domain::id::{AttemptId, ProjectId, Ulid};
use store::{Conn, StoreError, attempts};

use super::OVERLAP;

/// Attempts handed out at once.
const BATCH: usize = 200;
/// Ids in one look.
const LOOK: u32 = 4_000;
/// More than a look reads, so that what it finds known is never handed out again.
const REMEMBERED: usize = 2 * LOOK as usize;

/// A reader of the list's newest end.
pub(super) struct Tail {
    /// The newest attempt that was handed out, or where the reader began.
    pub(super) at: Position,
    /// Whether the last look left more behind than it handed out.
    pub(super) is_behind: bool,
    known: HashSet<AttemptId>,
    /// The same, oldest first.
    order: VecDeque<AttemptId>,
}

impl Tail {
    /// From a place on. What lies shortly before it comes once more: the page knows what it shows.
    pub(super) fn new(at: Position) -> Self {
        Self { at, is_behind: false, known: HashSet::new(), order: VecDeque::new() }
    }

    /// Where in the list what was recorded since the last look is, oldest first.
    pub(super) async fn next(&mut self, conn: &mut Conn, project: ProjectId) -> Result<Vec<Position>, StoreError> {
        let since = Position { created_at: self.at.created_at.minus(OVERLAP), ulid: Ulid::nil() };
        let mut news = self.look(conn, project, since).await?;
        if news.is_empty() {
            // More than one look takes may lie within the overlap: go on from the newest one.
            news = self.look(conn, project, self.at).await?;
        }
        self.is_behind = news.len() > BATCH;
        news.truncate(BATCH);
        for place in &news {
            self.at = self.at.max(*place);
            self.remember(AttemptId::from_ulid(place.ulid));
        }
        Ok(news)
    }

    async fn look(&self, conn: &mut Conn, project: ProjectId, since: Position) -> Result<Vec<Position>, StoreError> {
        let mut found = attempts::places_since(conn, project, since, LOOK).await?;
        found.retain(|place| *place != self.at && !self.known.contains(&AttemptId::from_ulid(place.ulid)));
        Ok(found)
    }

    fn remember(&mut self, id: AttemptId) {
        if self.known.insert(id) {
            self.order.push_back(id);
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}
