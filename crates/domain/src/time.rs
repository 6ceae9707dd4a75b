//! Points in time, at microsecond precision, and the clock that hands them out.
//!
//! Contract section 2: RFC 3339 in UTC with milliseconds on the wire, microseconds in storage.

use std::fmt;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Microseconds since the Unix epoch. Ordered, copied and stored as one integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From microseconds since the Unix epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// From milliseconds since the Unix epoch; saturates at the ends of the range.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// From seconds since the Unix epoch; saturates at the ends of the range.
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// Microseconds since the Unix epoch.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Milliseconds since the Unix epoch, rounded down.
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// Seconds since the Unix epoch, rounded down.
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// The start of this time's UTC hour.
    pub const fn hour(self) -> Self {
        Self(self.0 - self.0.rem_euclid(3_600_000_000))
    }

    /// The start of this time's UTC day.
    pub const fn day(self) -> Self {
        Self(self.0 - self.0.rem_euclid(86_400_000_000))
    }

    /// Later by `duration`; saturates.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }

    /// Earlier by `duration`; saturates.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }

    /// How much later this is than `earlier`; zero when it is not.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Reads RFC 3339 with any offset and any precision (finer than microseconds is cut).
    ///
    /// # Errors
    /// [`InvalidTimestamp`] when the text is not a date and time with an offset.
    pub fn parse(text: &str) -> Result<Self, InvalidTimestamp> {
        DateTime::parse_from_rfc3339(text).map(|t| Self(t.timestamp_micros())).map_err(|_| InvalidTimestamp)
    }

    /// `2026-05-22T14:37:00.123Z`, the only form on the wire.
    pub fn to_rfc3339(self) -> String {
        DateTime::from_timestamp_micros(self.0).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_rfc3339())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_rfc3339())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

/// The text is not an RFC 3339 date and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an RFC 3339 time such as 2026-05-22T14:37:00Z")]
pub struct InvalidTimestamp;

/// The time, passed in. The system's own clock is read in `server` only.
pub trait Clock: Send + Sync + 'static {
    /// The present.
    fn now(&self) -> Timestamp;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_form_is_utc_with_milliseconds_and_z() {
        let t = Timestamp::parse("2026-05-22T17:37:00.1239+03:00").unwrap();
        assert_eq!(t.to_rfc3339(), "2026-05-22T14:37:00.123Z");
        assert_eq!(t.as_micros() % 1_000_000, 123_900);
    }

    #[test]
    fn before_the_epoch_rounds_down() {
        assert_eq!(Timestamp::from_micros(-1).as_millis(), -1);
        assert_eq!(Timestamp::from_micros(-1).hour(), Timestamp::from_secs(-3600));
    }

    #[test]
    fn sums_saturate_instead_of_wrapping() {
        assert_eq!(Timestamp::from_micros(i64::MAX).plus(Duration::MAX).as_micros(), i64::MAX);
        assert_eq!(Timestamp::default().since(Timestamp::from_secs(5)), Duration::ZERO);
    }
}
