//! The chart: counts of hours become four paths and a row of columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use domain::Timestamp;
use domain::filter::TimeRange;
use domain::status::AttemptStatus;
use store::counters::HourCount;

use crate::model::{Chart, Column};

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);
/// Up to so many hours each hour is a column, beyond it each day is.
const HOURLY: u32 = 48;
/// The widest chart.
const WIDEST: u32 = 24 * 32;
/// From the bottom up.
const STACK: [AttemptStatus; 4] =
    [AttemptStatus::Delivered, AttemptStatus::Retrying, AttemptStatus::Interrupted, AttemptStatus::DeadLettered];

/// What is drawn: whole hours, and whole days where a column is a day.
pub(super) struct Axis {
    start: Timestamp,
    hours: u32,
    by_day: bool,
    shown: Option<u32>,
    ranges: Vec<(u32, String)>,
}

impl Axis {
    /// Of a filter's range; as far back as attempts are kept, by default.
    pub(super) fn of(range: &TimeRange, now: Timestamp, kept: Duration) -> Self {
        let kept_days = u32::try_from(kept.as_secs().div_ceil(86_400)).unwrap_or(14).clamp(1, 31);
        let start_of = |hours: u32| match hours {
            0..=HOURLY => now.hour().minus(HOUR * (hours - 1)),
            _ => now.day().minus(DAY * (hours / 24 - 1)),
        };
        let ranges = [24, 24 * 7, 24 * kept_days];
        let shown = match (range.created_after, range.created_before) {
            (None, None) => Some(24 * kept_days),
            (Some(after), None) => ranges.into_iter().find(|hours| start_of(*hours) == after),
            _ => None,
        };
        let start = range.created_after.unwrap_or_else(|| start_of(24 * kept_days)).hour();
        let end = match range.created_before {
            Some(before) if before.hour() == before => before,
            Some(before) => before.hour().plus(HOUR),
            None => now.hour().plus(HOUR),
        };
        let mut hours = hours_between(start, end).clamp(1, WIDEST);
        let by_day = hours > HOURLY;
        let mut first = start;
        if by_day {
            first = start.day();
            let last = end.minus(Duration::from_micros(1)).day().plus(DAY);
            hours = hours_between(first, last).clamp(24, WIDEST);
        }
        let ranges = ranges
            .into_iter()
            .map(|hours| (hours, if hours == 24 * kept_days { String::new() } else { start_of(hours).to_rfc3339() }))
            .collect();
        Self { start: first, hours, by_day, shown, ranges }
    }

    /// Where each offered range begins, in hours; empty for all that is kept.
    pub(super) fn ranges(&self) -> &[(u32, String)] {
        &self.ranges
    }

    /// What to read: never more than is drawn.
    pub(super) fn counted(&self, filter: &TimeRange) -> TimeRange {
        let end = self.start.plus(HOUR * self.hours);
        TimeRange {
            created_after: Some(filter.created_after.map_or(self.start, |after| after.hour().max(self.start))),
            created_before: Some(filter.created_before.map_or(end, |before| before.min(end))),
        }
    }

    /// Draws the counts.
    pub(super) fn draw(self, counts: &[HourCount]) -> Chart {
        let mut by_hour: BTreeMap<u32, [u32; 4]> = BTreeMap::new();
        let mut totals = [0_u32; 4];
        for count in counts.iter().filter(|count| count.hour >= self.start) {
            let (hour, row) = (hours_between(self.start, count.hour), row_of(count.status));
            if hour < self.hours {
                by_hour.entry(hour).or_default()[row] += count.count;
                totals[row] += count.count;
            }
        }
        let tallest = by_hour.values().map(|rows| rows.iter().sum::<u32>()).max().unwrap_or(0).max(1);
        let mut paths = [const { String::new() }; 4];
        for (hour, rows) in &by_hour {
            let mut top = 1_000_u32;
            for (row, count) in rows.iter().enumerate().filter(|(_, count)| **count > 0) {
                // Tenths of a percent; what happened at all is visible.
                let height = u32::try_from(u64::from(*count) * 1_000 / u64::from(tallest)).unwrap_or(1_000).max(15);
                top = top.saturating_sub(height);
                let _ =
                    write!(paths[row], "M{hour}.1 {}.{}h.8v{}.{}h-.8z", top / 10, top % 10, height / 10, height % 10);
            }
        }
        let width = if self.by_day { 24 } else { 1 };
        let columns = (0..self.hours / width)
            .map(|index| {
                let start = self.start.plus(HOUR * (index * width));
                let mut sums = [0; 4];
                for rows in by_hour.range(index * width..(index + 1) * width).map(|(_, rows)| rows) {
                    for (sum, count) in sums.iter_mut().zip(rows) {
                        *sum += count;
                    }
                }
                Column {
                    start: start.into(),
                    range: (start.to_rfc3339(), start.plus(HOUR * width).to_rfc3339()),
                    counts: STACK.into_iter().zip(sums).collect(),
                }
            })
            .collect();
        Chart {
            hours: self.hours,
            paths: STACK.into_iter().zip(paths).filter(|(_, path)| !path.is_empty()).collect(),
            totals: STACK.into_iter().zip(totals).collect(),
            columns,
            by_day: self.by_day,
            range: self.shown,
            ranges: self.ranges,
        }
    }
}

fn row_of(status: AttemptStatus) -> usize {
    STACK.iter().position(|other| *other == status).unwrap_or(0)
}

fn hours_between(start: Timestamp, end: Timestamp) -> u32 {
    u32::try_from(end.since(start).as_secs() / 3_600).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: Duration = Duration::from_secs(14 * 86_400);

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn by_default_there_are_fourteen_whole_days_with_today_last() {
        let axis = Axis::of(&TimeRange::default(), at("2026-05-22T14:37:00Z"), KEPT);
        let chart =
            axis.draw(&[HourCount { hour: at("2026-05-22T14:00:00Z"), status: AttemptStatus::Delivered, count: 3 }]);
        assert_eq!((chart.hours, chart.columns.len(), chart.range), (336, 14, Some(336)));
        assert_eq!(chart.columns[13].range.0, "2026-05-22T00:00:00.000Z");
        assert_eq!(chart.columns[13].counts[0], (AttemptStatus::Delivered, 3));
        assert_eq!(chart.paths, [(AttemptStatus::Delivered, "M326.1 0.0h.8v100.0h-.8z".to_owned())]);
    }

    #[test]
    fn a_short_range_has_an_hour_for_each_column_and_stacks_the_statuses() {
        let range = TimeRange {
            created_after: Some(at("2026-05-22T10:00:00Z")),
            created_before: Some(at("2026-05-22T11:30:00Z")),
        };
        let axis = Axis::of(&range, at("2026-05-22T14:37:00Z"), KEPT);
        let count = |status, count| HourCount { hour: at("2026-05-22T11:00:00Z"), status, count };
        let chart = axis.draw(&[count(AttemptStatus::Delivered, 6), count(AttemptStatus::DeadLettered, 2)]);
        assert_eq!((chart.hours, chart.columns.len(), chart.range), (2, 2, None));
        let paths: Vec<_> = chart.paths.iter().map(|(_, path)| path.as_str()).collect();
        assert_eq!(paths, ["M1.1 25.0h.8v75.0h-.8z", "M1.1 0.0h.8v25.0h-.8z"]);
    }

    #[test]
    fn each_offered_range_is_recognised_when_it_comes_back() {
        let now = at("2026-05-22T14:37:00Z");
        let first = Axis::of(&TimeRange::default(), now, KEPT);
        for (hours, start) in first.ranges.iter().filter(|(_, start)| !start.is_empty()) {
            let range = TimeRange { created_after: Some(at(start)), created_before: None };
            let chart = Axis::of(&range, now, KEPT).draw(&[]);
            assert_eq!((chart.range, chart.hours), (Some(*hours), *hours));
        }
    }
}
