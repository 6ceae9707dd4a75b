//! Two requests beside each other, line by line.

use std::collections::VecDeque;

use domain::model::HeaderLine;

use super::body;
use crate::model::{DiffLine, Difference};

/// Beyond so many pairs of lines what differs is shown as a whole: the time it takes grows with them.
const PAIRS: usize = 4_000_000;
/// So many lines around a difference say where it is.
const AROUND: usize = 3;
/// A body longer than this is compared byte by byte only.
const LONGEST: usize = 256 * 1024;

/// What of a request is compared.
pub(in crate::ssr::views) struct Side<'a> {
    /// Method, path and query.
    pub(in crate::ssr::views) line: String,
    /// Its headers.
    pub(in crate::ssr::views) headers: &'a [HeaderLine],
    /// Its body.
    pub(in crate::ssr::views) body: &'a [u8],
}

/// How `new` differs from `old`.
pub(in crate::ssr::views) fn between(old: &Side<'_>, new: &Side<'_>) -> Difference {
    let head = |side: &Side<'_>| {
        let lines = side.headers.iter().map(|header| format!("{}: {}", header.name.to_ascii_lowercase(), header.value));
        std::iter::once(side.line.clone()).chain(lines).collect::<Vec<_>>()
    };
    let size = |side: &Side<'_>| u32::try_from(side.body.len()).unwrap_or(u32::MAX);
    let differs_at = first_difference(old.body, new.body);
    Difference {
        head: lines(&head(old), &head(new)),
        body: if differs_at.is_some() { bodies(old.body, new.body) } else { Vec::new() },
        differs_at: differs_at.map(|at| u32::try_from(at).unwrap_or(u32::MAX)),
        bytes: (size(old), size(new)),
    }
}

fn first_difference(old: &[u8], new: &[u8]) -> Option<usize> {
    let common = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    (common < old.len().max(new.len())).then_some(common)
}

/// Line by line where both are text; a line's end is shown when that is what differs.
fn bodies(old: &[u8], new: &[u8]) -> Vec<DiffLine> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok().filter(|text| text.len() <= LONGEST);
    let (Some(old), Some(new)) = (text(old), text(new)) else { return Vec::new() };
    let split = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    if let (Some(old), Some(new)) = (body::pretty(&old), body::pretty(&new)) {
        let found = lines(&split(&old), &split(&new));
        if found.iter().any(|line| matches!(line, DiffLine::Removed(_) | DiffLine::Added(_))) {
            return found;
        }
    }
    // The same JSON in other bytes: white space, line ends.
    let exact = |text: &str| text.split_inclusive('\n').map(|line| format!("{line:?}")).collect::<Vec<_>>();
    lines(&exact(&old), &exact(&new))
}

fn lines(old: &[String], new: &[String]) -> Vec<DiffLine> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut all: Vec<DiffLine> = old[..start].iter().cloned().map(DiffLine::Both).collect();
    all.extend(middle(left, right));
    all.extend(old[old.len() - end..].iter().cloned().map(DiffLine::Both));
    folded(all)
}

/// By the longest common subsequence.
fn middle(left: &[String], right: &[String]) -> Vec<DiffLine> {
    let removed = |line: &String| DiffLine::Removed(line.clone());
    let added = |line: &String| DiffLine::Added(line.clone());
    if left.len().saturating_mul(right.len()) > PAIRS {
        return left.iter().map(removed).chain(right.iter().map(added)).collect();
    }
    let width = right.len() + 1;
    let mut longest = vec![0_u32; (left.len() + 1) * width];
    for (i, a) in left.iter().enumerate().rev() {
        for (j, b) in right.iter().enumerate().rev() {
            longest[i * width + j] = if a == b {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            out.push(DiffLine::Both(left[i].clone()));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            out.push(removed(&left[i]));
            i += 1;
        } else {
            out.push(added(&right[j]));
            j += 1;
        }
    }
    out.extend(left[i..].iter().map(removed));
    out.extend(right[j..].iter().map(added));
    out
}

/// Leaves out what is the same and far from any difference.
fn folded(all: Vec<DiffLine>) -> Vec<DiffLine> {
    let mut out = Vec::new();
    let mut same: VecDeque<DiffLine> = VecDeque::new();
    let mut begins = true;
    for line in all {
        if matches!(line, DiffLine::Both(_)) {
            same.push_back(line);
            continue;
        }
        spill(&mut out, &mut same, if begins { 0 } else { AROUND }, AROUND);
        out.push(line);
        begins = false;
    }
    let after = if begins { usize::MAX } else { AROUND };
    spill(&mut out, &mut same, after, 0);
    out
}

fn spill(out: &mut Vec<DiffLine>, same: &mut VecDeque<DiffLine>, first: usize, last: usize) {
    if same.len() > first.saturating_add(last).saturating_add(1) {
        let left_out = same.len() - first - last;
        let tail = same.split_off(same.len() - last);
        out.extend(same.drain(..first));
        same.clear();
        out.push(DiffLine::Skipped(u32::try_from(left_out).unwrap_or(u32::MAX)));
        out.extend(tail);
    } else {
        out.extend(same.drain(..));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[DiffLine]) -> Vec<String> {
        lines
            .iter()
            .map(|line| match line {
                DiffLine::Both(text) => format!(" {text}"),
                DiffLine::Removed(text) => format!("-{text}"),
                DiffLine::Added(text) => format!("+{text}"),
                DiffLine::Skipped(count) => format!("…{count}"),
            })
            .collect()
    }

    fn side(body: &[u8]) -> Side<'_> {
        Side { line: "POST /".to_owned(), headers: &[], body }
    }

    #[test]
    fn the_same_bytes_are_the_same() {
        let found = between(&side(b"{\"a\":1}"), &side(b"{\"a\":1}"));
        assert!(found.same_head());
        assert_eq!((found.differs_at, found.body.len(), found.bytes), (None, 0, (7, 7)));
    }

    #[test]
    fn a_value_that_changed_is_one_line_out_and_one_in() {
        let found = between(&side(br#"{"a":1,"b":2}"#), &side(br#"{"a":1,"b":3,"c":4}"#));
        assert_eq!(found.differs_at, Some(11));
        assert_eq!(shown(&found.body), [" {", "   \"a\": 1,", "-  \"b\": 2", "+  \"b\": 3,", "+  \"c\": 4", " }"]);
    }

    #[test]
    fn the_same_json_in_other_bytes_shows_which_bytes() {
        let found = between(&side(b"{\"a\":1}"), &side(b"{\"a\": 1}\n"));
        assert_eq!(shown(&found.body), ["-\"{\\\"a\\\":1}\"", "+\"{\\\"a\\\": 1}\\n\""]);
    }

    #[test]
    fn binary_bodies_say_where_they_part() {
        let found = between(&side(b"\xff\x00\x01"), &side(b"\xff\x00\x02\x03"));
        assert_eq!((found.differs_at, found.body.len()), (Some(2), 0));
    }

    #[test]
    fn what_is_the_same_and_far_away_is_left_out() {
        let old: Vec<String> = (0..30).map(|n| n.to_string()).collect();
        let mut new = old.clone();
        new[15] = "x".to_owned();
        assert_eq!(shown(&lines(&old, &new)), ["…12", " 12", " 13", " 14", "-15", "+x", " 16", " 17", " 18", "…11"]);
    }
}
