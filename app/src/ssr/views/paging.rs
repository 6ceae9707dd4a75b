//! Newer and Older, by the same signed cursors that the API hands out.

use domain::cursor::{CursorSigner, Walk};
use domain::page::{Listed, Page, PageRequest, PageStart};

use super::ROWS;
use crate::model::Pager;
use crate::query;
use crate::ssr::Problem;

/// Which page a query asks for.
pub(super) fn wanted(signer: &CursorSigner, walk: Walk<'_>, query: &str) -> Result<PageRequest, Problem> {
    let from = if let Some(cursor) = query::value(query, "cursor") {
        PageStart::After(signer.read(&cursor, walk)?)
    } else if let Some(cursor) = query::value(query, "before") {
        PageStart::Before(signer.read(&cursor, walk)?)
    } else {
        PageStart::First
    };
    Ok(PageRequest { limit: ROWS, from })
}

/// Whether so few rows are newer that the first page shows them all: then that one is shown, full.
pub(super) fn ran_into_the_top<T>(request: PageRequest, page: &Page<T>) -> bool {
    matches!(request.from, PageStart::Before(_)) && page.data.len() < request.limit as usize
}

/// The pages around this one.
pub(super) fn around<T: Listed>(signer: &CursorSigner, walk: Walk<'_>, request: PageRequest, page: &Page<T>) -> Pager {
    let sign = |row: &T| signer.sign(walk, row.position());
    let newest = matches!(request.from, PageStart::First);
    Pager {
        newer: page.data.first().filter(|_| !newest).map(sign),
        older: page.next().map(|position| signer.sign(walk, position)),
    }
}
