//! Attempts by hour, stacked by status. Drawn on the server; each column is a link to its attempts.

use leptos::prelude::*;

use super::when::{drawn, zone_name};
use crate::i18n::{Civil, Locale, Word as _, month, use_locale};
use crate::model::{Chart, Column, Moment};
use crate::query;
use crate::ssr::use_visitor;

/// The figure with its legend, its ranges and its columns.
pub fn chart(path: &str, query_text: &str, chart: Chart) -> AnyView {
    let locale = use_locale();
    let filters = query::filters(query_text);
    let base = query::without(&filters, &["created_after", "created_before"]);
    let total: u64 = chart.totals.iter().map(|(_, count)| u64::from(*count)).sum();
    let ranges = ranges(locale, path, &base, &chart);
    let span = chart.range.is_none().then(|| span(locale, &chart));
    let legend = chart.totals.iter().filter(|(_, count)| *count > 0).map(|(status, count)| {
        let href = query::href(path, &query::with(&filters, "status", Some(status.as_str())));
        let class = format!("fill-{status}");
        view! {
            <li>
                <svg viewBox="0 0 8 8" aria-hidden="true"><rect class=class width="8" height="8" rx="2"></rect></svg>
                <a href=href>{status.in_words(locale)}" "{locale.number(u64::from(*count))}</a>
            </li>
        }
    });
    let legend = legend.collect_view();
    let view_box = format!("0 0 {} 100", chart.hours);
    let paths = chart.paths.into_iter().map(|(status, d)| view! { <path class=format!("fill-{status}") d=d></path> });
    let grid = format!("M0 100H{0}M0 50H{0}M0 0H{0}", chart.hours);
    let caption = if chart.by_day { locale.chart_caption_days() } else { locale.chart_caption() };
    let many = !chart.by_day && chart.columns.len() > 12;
    let columns = chart
        .columns
        .into_iter()
        .enumerate()
        .map(|(index, found)| column(locale, path, &base, &found, chart.by_day, many && index % 4 != 0));
    view! {
        <figure class="chart">
            <figcaption>
                <strong>{locale.attempts(total)}</strong>
                {span.map(|span| view! { <span class="num">{span}</span> })}
                <ul class="legend">{legend}</ul>
                <nav class="ranges" aria-label=locale.range()>{ranges}</nav>
            </figcaption>
            <div class="plot">
                <svg viewBox=view_box preserveAspectRatio="none" aria-hidden="true">
                    <path class="grid" d=grid></path>
                    {paths.collect_view()}
                </svg>
                <ol class="spans" class:days=chart.by_day aria-label=caption title=locale.chart_help()>
                    {columns.collect_view()}
                </ol>
            </div>
        </figure>
    }
    .into_any()
}

/// Which stretch is drawn, where it is none of those offered.
fn span(locale: Locale, chart: &Chart) -> String {
    let ends = (chart.columns.first(), chart.columns.last());
    let (Some(first), Some(last)) = ends else { return String::new() };
    let told = |start: Moment| {
        let text = long_label(locale, Civil::of(start.time()), chart.by_day);
        if chart.by_day { text } else { format!("{text} UTC") }
    };
    let first = told(first.start);
    if chart.columns.len() == 1 { first } else { format!("{first} – {}", told(last.start)) }
}

fn ranges(locale: Locale, path: &str, base: &str, chart: &Chart) -> impl IntoView + use<> {
    let links = chart.ranges.iter().map(|(hours, start)| {
        let label = match hours {
            24 => locale.range_day().to_owned(),
            168 => locale.range_week().to_owned(),
            hours => locale.days(hours / 24),
        };
        let query = query::with(base, "created_after", Some(start.as_str()).filter(|start| !start.is_empty()));
        let current = (chart.range == Some(*hours)).then_some("true");
        view! { <a href=query::href(path, &query) aria-current=current>{label}</a> }
    });
    links.collect_view()
}

fn column(locale: Locale, path: &str, base: &str, column: &Column, by_day: bool, quiet: bool) -> AnyView {
    // A day is one of UTC's; an hour is told in the viewer's own time.
    let start = column.start.time();
    let (civil, zone) =
        if by_day { (Civil::of(start), " UTC".to_owned()) } else { (drawn(start), zone_name(use_visitor().zone)) };
    let said = locale.column(&format!("{}{zone}", long_label(locale, civil, by_day)), &column.counts);
    let query = query::with(base, "created_after", Some(&column.range.0));
    let href = query::href(path, &query::with(&query, "created_before", Some(&column.range.1)));
    view! {
        <li data-quiet=quiet.then_some("")>
            <a href=href title=said.clone() aria-label=said data-noscroll draggable="false"><span>{label(locale, civil, by_day)}</span></a>
        </li>
    }
    .into_any()
}

fn label(locale: Locale, c: Civil, by_day: bool) -> String {
    if !by_day {
        format!("{:02}:00", c.hour)
    } else if c.day == 1 {
        format!("{} {}", c.day, month(locale, c.month))
    } else {
        c.day.to_string()
    }
}

fn long_label(locale: Locale, c: Civil, by_day: bool) -> String {
    let day = format!("{} {}", c.day, month(locale, c.month));
    if by_day { day } else { format!("{day}, {:02}:{:02}", c.hour, c.minute) }
}
