//! A point in time: UTC as the server draws it, the viewer's own after hydration, the exact one on
//! hover.

use leptos::prelude::*;

use crate::i18n::{Civil, Locale, short_civil, use_locale, utc_moment};
use crate::live::{browser, use_clock};
use crate::model::Moment;

/// `<time>`, relative for the hour just past.
pub fn when(at: Moment) -> AnyView {
    let (locale, clock, time) = (use_locale(), use_clock(), at.time());
    let text = move || match clock.now() {
        None => short_civil(locale, drawn(time)),
        Some(now) => relative(locale, now.as_millis() - time.as_millis())
            .unwrap_or_else(|| short_civil(locale, browser::local(time))),
    };
    view! {
        <time datetime=rfc3339(at) title=utc_moment(time)>{text}<small class="zone">{zone_name(browser::page_zone())}</small></time>
    }
    .into_any()
}

/// A point in time to the millisecond, for a time line.
pub fn exactly(at: Moment) -> AnyView {
    let (locale, clock, time) = (use_locale(), use_clock(), at.time());
    let text = move || {
        let civil = if clock.now().is_some() { browser::local(time) } else { drawn(time) };
        format!("{}.{:03}", short_civil(locale, civil), civil.milli)
    };
    view! {
        <time datetime=rfc3339(at) title=utc_moment(time)>{text}<small class="zone">{zone_name(browser::page_zone())}</small></time>
    }
    .into_any()
}

/// A point in time that is never told as so long ago.
pub fn at(at: Moment) -> AnyView {
    let (locale, clock, time) = (use_locale(), use_clock(), at.time());
    let text = move || short_civil(locale, if clock.now().is_some() { browser::local(time) } else { drawn(time) });
    view! {
        <time datetime=rfc3339(at) title=utc_moment(time)>{text}<small class="zone">{zone_name(browser::page_zone())}</small></time>
    }
    .into_any()
}

/// A point to come, with how long until then once the viewer's clock is known.
pub fn until(at: Moment) -> AnyView {
    let (locale, clock) = (use_locale(), use_clock());
    let left = move || {
        let now = clock.now()?;
        locale.within(at.time().as_millis() - now.as_millis()).map(|text| format!(" ({text})"))
    };
    view! { {when(at)}{left} }.into_any()
}

/// A time in the zone that the page is drawn in.
pub(super) fn drawn(time: domain::Timestamp) -> Civil {
    let minutes = i64::from(browser::page_zone().unwrap_or(0));
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

/// Only the past is told as so long ago; of what is to come one wants the hour.
fn relative(locale: Locale, age: i64) -> Option<String> {
    if age < -2_000 { None } else { locale.ago(age) }
}

/// Written here, so that the browser carries no date library.
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
