//! Points in time and spans, in words. Pure arithmetic on UTC, the same on the server and in the
//! browser's first render; the viewer's own zone comes after hydration.

use std::time::Duration;

use domain::Timestamp;

use super::{Locale, plural};

/// A UTC date and time, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// The year.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999.
    pub milli: u16,
}

impl Civil {
    /// The UTC reading of `at` (proleptic Gregorian calendar).
    pub fn of(at: Timestamp) -> Self {
        let (days, rest) = (at.as_millis().div_euclid(86_400_000), at.as_millis().rem_euclid(86_400_000));
        // Years that begin in March make the leap day the last one.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * of_year + 2) / 153;
        let month = small(if march_month < 10 { march_month + 3 } else { march_month - 9 });
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: small(of_year - (153 * march_month + 2) / 5 + 1),
            hour: small(rest / 3_600_000),
            minute: small(rest / 60_000 % 60),
            second: small(rest / 1_000 % 60),
            milli: u16::try_from(rest % 1_000).unwrap_or(0),
        }
    }
}

fn small(number: i64) -> u8 {
    u8::try_from(number).unwrap_or(0)
}

/// The month's short name, in Russian in the genitive.
pub const fn month(locale: Locale, month: u8) -> &'static str {
    const RU: [&str; 12] = ["янв", "фев", "мар", "апр", "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"];
    const EN: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let index = if month == 0 || month > 12 { 0 } else { month as usize - 1 };
    match locale {
        Locale::Ru => RU[index],
        Locale::En => EN[index],
    }
}

/// `22 May, 14:37:00`.
pub fn short_civil(locale: Locale, c: Civil) -> String {
    format!("{} {}, {:02}:{:02}:{:02}", c.day, month(locale, c.month), c.hour, c.minute, c.second)
}

/// `22 May 2026`, for what is long ago.
pub fn full_date(locale: Locale, at: Timestamp) -> String {
    let c = Civil::of(at);
    format!("{} {} {}", c.day, month(locale, c.month), c.year)
}

/// `2026-05-22 14:37:00.123 UTC`.
pub fn utc_moment(at: Timestamp) -> String {
    let c = Civil::of(at);
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03} UTC",
        c.year, c.month, c.day, c.hour, c.minute, c.second, c.milli
    )
}

/// `15 minutes`, `25 hours`, `2 days`: the largest unit that leaves at least two of it, or one exact.
pub fn duration_words(locale: Locale, duration: Duration) -> String {
    let secs = duration.as_secs();
    let (count, forms_ru, forms_en) = match secs {
        0..90 => (secs, ["секунда", "секунды", "секунд"], ["second", "seconds", "seconds"]),
        90..5_400 => ((secs + 30) / 60, ["минута", "минуты", "минут"], ["minute", "minutes", "minutes"]),
        5_400..172_800 => ((secs + 1_800) / 3_600, ["час", "часа", "часов"], ["hour", "hours", "hours"]),
        _ => (secs / 86_400, ["день", "дня", "дней"], ["day", "days", "days"]),
    };
    let forms = match locale {
        Locale::Ru => forms_ru,
        Locale::En => forms_en,
    };
    format!("{count}\u{a0}{}", plural(locale, count, forms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_agree_with_the_calendar() {
        for text in [
            "1970-01-01T00:00:00.000Z",
            "2000-02-29T23:59:59.999Z",
            "2026-12-31T12:00:00.001Z",
            "1969-12-31T23:59:59.000Z",
        ] {
            let c = Civil::of(Timestamp::parse(text).unwrap());
            let again = format!(
                "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
                c.year, c.month, c.day, c.hour, c.minute, c.second, c.milli
            );
            assert_eq!(again, text);
        }
    }

    #[test]
    fn the_month_stands_in_the_genitive_in_russian() {
        let at = Timestamp::parse("2026-05-02T04:07:09.123Z").unwrap();
        assert_eq!(short_civil(Locale::Ru, Civil::of(at)), "2 мая, 04:07:09");
        assert_eq!(short_civil(Locale::En, Civil::of(at)), "2 May, 04:07:09");
        assert_eq!(utc_moment(at), "2026-05-02 04:07:09.123 UTC");
    }

    #[test]
    fn spans_are_said_in_the_unit_that_fits() {
        let en = |s| duration_words(Locale::En, Duration::from_secs(s)).replace('\u{a0}', " ");
        assert_eq!(
            [en(1), en(60), en(120), en(3_600), en(90_000), en(259_200)],
            ["1 second", "60 seconds", "2 minutes", "60 minutes", "25 hours", "3 days"]
        );
        assert_eq!(duration_words(Locale::Ru, Duration::from_secs(21 * 60)), "21\u{a0}минута");
    }
}
