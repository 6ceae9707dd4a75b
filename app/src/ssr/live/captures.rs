//! What a bin captures, for the page that shows it. Found by polling as attempts are, with the same
//! overlap: a transaction that began earlier may commit later.

use std::collections::VecDeque;

use domain::cursor::Position;
use domain::filter::TimeRange;
use domain::id::{BinId, CaptureId, ProjectId, Ulid};
use domain::model::Capture;
use domain::page::{Listed as _, PageRequest, PageStart};
use store::{Conn, StoreError, inspector};

use super::OVERLAP;

const BATCH: u32 = 100;
/// More than a bin holds.
const REMEMBERED: usize = 1_000;

/// A bin that is followed.
pub(super) struct Captures {
    bin: BinId,
    pub(super) at: Position,
    sent: VecDeque<CaptureId>,
}

impl Captures {
    pub(super) const fn new(bin: BinId, at: Position) -> Self {
        Self { bin, at, sent: VecDeque::new() }
    }

    /// What came since the last look, oldest first.
    pub(super) async fn next(&mut self, conn: &mut Conn, project: ProjectId) -> Result<Vec<Capture>, StoreError> {
        let since = Position { created_at: self.at.created_at.minus(OVERLAP), ulid: Ulid::nil() };
        let mut found = self.look(conn, project, since).await?;
        if found.is_empty() {
            // More than one look takes may lie within the overlap.
            found = self.look(conn, project, self.at).await?;
        }
        for capture in &found {
            self.at = self.at.max(capture.position());
            self.sent.push_back(capture.id);
        }
        while self.sent.len() > REMEMBERED {
            self.sent.pop_front();
        }
        Ok(found)
    }

    async fn look(&self, conn: &mut Conn, project: ProjectId, since: Position) -> Result<Vec<Capture>, StoreError> {
        let request = PageRequest { limit: BATCH, from: PageStart::Before(since) };
        let page = inspector::captures(conn, project, self.bin, &TimeRange::default(), request).await?;
        let mut found = page.data;
        found.retain(|capture| !self.sent.contains(&capture.id) && capture.position() != self.at);
        found.reverse();
        Ok(found)
    }
}
