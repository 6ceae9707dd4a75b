//! A point in time: in the visitor's zone as the server knows it, in the browser the viewer's own, and
//! the exact one in UTC on hover.

use leptos::prelude::*;

use crate::i18n::{Civil, short_civil, use_locale, utc_moment};
use crate::model::Moment;
use crate::ssr::use_visitor;

/// `<time>`, which the browser tells as so long ago for the hour just past.
pub fn when(at: Moment) -> AnyView {
    time(at, "when")
}

/// A point in time to the millisecond, for a time line.
pub fn exactly(at: Moment) -> AnyView {
    time(at, "exactly")
}

/// A point in time that is never told as so long ago.
pub fn at(at: Moment) -> AnyView {
    time(at, "at")
}

/// A point to come, and how long until then, which the browser keeps true.
pub fn until(at: Moment) -> AnyView {
    let millis = at.time().as_millis();
    let left = use_locale().until(millis - use_visitor().now.as_millis());
    view! { {when(at)}<span data-until=millis.to_string()>{left}</span> }.into_any()
}

/// A point in time where only text can stand.
pub fn moment_text(at: Moment) -> String {
    format!("{}{}", short_civil(use_locale(), drawn(at.time())), zone_name(use_visitor().zone))
}

/// `kind` says how the browser writes it. What the browser will write is drawn here already, so that nothing
/// moves when it does; without scripts, where "a minute ago" would grow old, the point in time stands.
fn time(at: Moment, kind: &'static str) -> AnyView {
    let (locale, visitor, civil) = (use_locale(), use_visitor(), drawn(at.time()));
    let mut text = short_civil(locale, civil);
    if kind == "exactly" {
        text = format!("{text}.{:03}", civil.milli);
    }
    let zone = view! { <small class="zone">{zone_name(visitor.zone)}</small> };
    let age = visitor.now.as_millis() - at.time().as_millis();
    let recent = if kind == "when" { locale.ago(age) } else { None };
    let text = match recent {
        Some(ago) => view! { <span class="ago">{ago}</span><span class="still">{text}{zone}</span> }.into_any(),
        None => view! { {text}{zone} }.into_any(),
    };
    view! { <time datetime=rfc3339(at) title=utc_moment(at.time()) data-time=kind>{text}</time> }.into_any()
}

/// A time in the zone that the page is drawn in.
pub(super) fn drawn(time: domain::Timestamp) -> Civil {
    let minutes = i64::from(use_visitor().zone.unwrap_or(0));
    Civil::of(domain::Timestamp::from_millis(time.as_millis() + minutes * 60_000))
}

/// ` UTC`, ` UTC+3`, ` UTC+5:30`.
pub(super) fn zone_name(minutes: Option<i32>) -> String {
    let minutes = minutes.unwrap_or(0);
    let (sign, hours, rest) = (if minutes < 0 { '-' } else { '+' }, minutes.abs() / 60, minutes.abs() % 60);
    match (hours, rest) {
        (0, 0) => " UTC".to_owned(),
        (hours, 0) => format!(" UTC{sign}{hours}"),
        (hours, rest) => format!(" UTC{sign}{hours}:{rest:02}"),
    }
}

fn rfc3339(at: Moment) -> String {
    let c = Civil::of(at.time());
    format!("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", c.year, c.month, c.day, c.hour, c.minute, c.second, c.milli)
}

#[cfg(test)]
mod tests {
    use super::zone_name;

    #[test]
    fn a_zone_is_named_by_its_distance_from_utc() {
        let names = [None, Some(180), Some(-210), Some(330)].map(zone_name);
        assert_eq!(names, [" UTC", " UTC+3", " UTC-3:30", " UTC+5:30"]);
    }
}
