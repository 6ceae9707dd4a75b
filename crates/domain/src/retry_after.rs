//! `Retry-After` (RFC 9110, section 10.2.3): seconds, or any of the three HTTP date forms.

use std::time::{Duration, UNIX_EPOCH};

use crate::time::Timestamp;

/// The furthest away that a receiver can put the next attempt (contract section 8).
pub const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// When the receiver wants the next attempt, at most [`MAX_RETRY_AFTER`] from `now`. `None` for what
/// is zero, past, negative or no number: the table's step is taken then.
pub fn parse_retry_after(value: &str, now: Timestamp) -> Option<Timestamp> {
    let value = value.trim();
    let latest = now.plus(MAX_RETRY_AFTER);
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        // More digits than fit are a very long time, which is the longest allowed.
        let seconds = value.parse::<u64>().unwrap_or(u64::MAX);
        let wanted = now.plus(Duration::from_secs(seconds.min(MAX_RETRY_AFTER.as_secs())));
        return (seconds > 0).then_some(wanted);
    }
    let date = httpdate::parse_http_date(value).ok()?;
    let since_epoch = date.duration_since(UNIX_EPOCH).ok()?;
    let wanted = Timestamp::default().plus(since_epoch);
    (wanted > now).then_some(wanted.min(latest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sun, 06 Nov 1994 08:49:37 GMT, the RFC's own example.
    const THEN: Timestamp = Timestamp::from_secs(784_111_777);

    #[test]
    fn seconds_count_from_now() {
        assert_eq!(parse_retry_after(" 120 ", THEN), Some(THEN.plus(Duration::from_secs(120))));
    }

    #[test]
    fn all_three_date_forms_are_read() {
        let before = THEN.minus(Duration::from_secs(60));
        for form in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(parse_retry_after(form, before), Some(THEN), "{form}");
        }
    }

    #[test]
    fn nothing_is_further_away_than_a_day() {
        let digits = "9".repeat(400);
        for far in ["86401", "99999999999999999999999", digits.as_str(), "Sun, 06 Nov 2044 08:49:37 GMT"] {
            assert_eq!(parse_retry_after(far, THEN), Some(THEN.plus(MAX_RETRY_AFTER)), "{far}");
        }
    }

    #[test]
    fn retry_after_overflow_and_nonsense_fall_back_to_the_table() {
        for bad in [
            "",
            "0",
            "000",
            "-5",
            "+5",
            "1.5",
            "inf",
            "NaN",
            "1e300",
            "soon",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 99 Nov 2094 08:49:37 GMT",
        ] {
            assert_eq!(parse_retry_after(bad, THEN), None, "{bad}");
        }
    }
}
