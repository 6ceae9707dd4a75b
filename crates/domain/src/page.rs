//! One page of a list (contract section 6), the same for the API and the dashboard.

use serde::{Deserialize, Serialize};

use crate::cursor::Position;

/// The page size when none is asked for.
pub const DEFAULT_LIMIT: u32 = 20;
/// The largest page size.
pub const MAX_LIMIT: u32 = 200;

/// Which page is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// How many rows at most, 1 to [`MAX_LIMIT`].
    pub limit: u32,
    /// Where the page begins.
    pub from: PageStart,
}

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStart {
    /// At the newest row.
    First,
    /// At the row behind (older than) this one.
    After(Position),
    /// The page whose last row is just before (newer than) this one; for the dashboard's «Newer».
    Before(Position),
    /// After skipping so many rows: the deprecated 1.0 mode.
    Offset(u32),
}

impl PageRequest {
    /// The first page of so many rows.
    pub const fn first(limit: u32) -> Self {
        Self { limit, from: PageStart::First }
    }

    /// The page behind `position`.
    pub const fn after(limit: u32, position: Position) -> Self {
        Self { limit, from: PageStart::After(position) }
    }
}

/// Rows, newest first, and whether older ones follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The rows, newest first.
    pub data: Vec<T>,
    /// Whether at least one older row matches.
    pub has_more: bool,
}

impl<T> Page<T> {
    /// A page from up to `limit + 1` rows read: the surplus one only says that there is more.
    pub fn from_surplus(mut rows: Vec<T>, limit: u32) -> Self {
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        Self { data: rows, has_more }
    }

    /// The same page with each row changed.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page { data: self.data.into_iter().map(change).collect(), has_more: self.has_more }
    }
}

/// A row that stands at one place of a list ordered by `(created_at, id)` descending.
pub trait Listed {
    /// Its place.
    fn position(&self) -> Position;
}

impl<T: Listed> Page<T> {
    /// Where the next page begins; `None` at the end.
    pub fn next(&self) -> Option<Position> {
        if self.has_more { self.data.last().map(Listed::position) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exactly_full_last_page_has_no_more() {
        assert!(!Page::from_surplus(vec![1, 2, 3], 3).has_more);
        let page = Page::from_surplus(vec![1, 2, 3, 4], 3);
        assert!(page.has_more);
        assert_eq!(page.data, [1, 2, 3]);
    }
}
