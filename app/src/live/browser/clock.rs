//! The viewer's own time on every `<time>` of the page, and «12 s ago» kept true.

use std::time::Duration;

use domain::Timestamp;
use leptos::prelude::set_interval;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{all, page_locale};
use crate::i18n::{Civil, short_civil};

const TICK: Duration = Duration::from_secs(5);

pub(super) fn start() {
    set_interval(tick, TICK);
}

/// Writes all of them anew.
pub(super) fn tick() {
    let (locale, now) = (page_locale(), millis(&js_sys::Date::new_0()));
    for time in all("time[data-time]") {
        let place =
            time.query_selector(".ago").ok().flatten().map_or_else(|| time.first_child(), |ago| ago.first_child());
        let (Some(text), Some(kind)) = (place, time.get_attribute("data-time")) else { continue };
        let Some(at) = moment(&time) else { continue };
        let written = match kind.as_str() {
            "exactly" => {
                let civil = local(at);
                format!("{}.{:03}", short_civil(locale, civil), civil.milli)
            }
            "when" => locale.ago(now - at).unwrap_or_else(|| short_civil(locale, local(at))),
            _ => short_civil(locale, local(at)),
        };
        if text.text_content().as_deref() != Some(written.as_str()) {
            text.set_text_content(Some(&written));
        }
    }
    for left in all("[data-until]") {
        let at = left.get_attribute("data-until").and_then(|at| at.parse::<i64>().ok());
        let text = at.and_then(|at| locale.until(at - now));
        left.set_text_content(text.as_deref());
    }
}

fn moment(time: &Element) -> Option<i64> {
    let at = js_sys::Date::new(&JsValue::from_str(&time.get_attribute("datetime")?));
    Some(millis(&at))
}

#[expect(clippy::cast_possible_truncation, reason = "milliseconds of this era fit by far")]
fn millis(date: &js_sys::Date) -> i64 {
    date.get_time() as i64
}

/// A time in the viewer's own zone, as that zone was then.
fn local(at: i64) -> Civil {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this era fit by far")]
    let date = js_sys::Date::new(&JsValue::from_f64(at as f64));
    #[expect(clippy::cast_possible_truncation, reason = "the zone's distance in minutes")]
    let minutes = date.get_timezone_offset() as i64;
    Civil::of(Timestamp::from_millis(at - minutes * 60_000))
}
