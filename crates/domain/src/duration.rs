//! Durations as the configuration writes them: `500ms`, `10s`, `1m`, `1h`, `14d` (contract section 10).

use std::time::Duration;

/// The text is no duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a whole number with a unit, such as 500ms, 10s, 1m, 1h or 14d")]
pub struct InvalidDuration;

/// Unit and its milliseconds, the largest first.
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Reads a duration.
///
/// # Errors
/// [`InvalidDuration`] when there is no unit, another unit, a sign, a fraction or too large a number.
pub fn parse_duration(text: &str) -> Result<Duration, InvalidDuration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| InvalidDuration)?;
    let (_, millis) = UNITS.iter().find(|(name, _)| *name == unit).ok_or(InvalidDuration)?;
    number.checked_mul(*millis).map(Duration::from_millis).ok_or(InvalidDuration)
}

/// Writes a duration in the largest unit that leaves no remainder, one day as `24h`; finer than
/// milliseconds is cut.
pub fn format_duration(duration: Duration) -> String {
    let total = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let fits =
        UNITS.iter().find(|(unit, millis)| total != 0 && total % millis == 0 && (*unit != "d" || total > *millis));
    fits.map_or_else(|| "0s".to_owned(), |(unit, millis)| format!("{}{unit}", total / millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_is_read_and_written_back() {
        for text in ["500ms", "10s", "1m", "1h", "14d", "24h", "90s", "1001ms"] {
            assert_eq!(format_duration(parse_duration(text).unwrap()), text);
        }
        assert_eq!(parse_duration("14d"), Ok(Duration::from_hours(14 * 24)));
        assert_eq!(format_duration(Duration::ZERO), "0s");
    }

    #[test]
    fn everything_else_is_refused() {
        for bad in
            ["", "10", "s", "1.5s", "-1s", "+1s", "1 s", "1S", "1w", "1s1", "99999999999999999999d", "999999999999999d"]
        {
            assert_eq!(parse_duration(bad), Err(InvalidDuration), "{bad}");
        }
    }
}
