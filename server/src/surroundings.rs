//! The system's clock and randomness: the one place where they are read. Everything below is
//! handed them (`domain::Clock`, `domain::Entropy`).

use std::time::{SystemTime, UNIX_EPOCH};

use domain::{Clock, Entropy, Timestamp};

/// The system's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the clock that everything else is handed")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// The system's source of random bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "the source that everything else is handed")]
    #[expect(clippy::expect_used, reason = "without randomness no secret is safe; there is nothing to go on with")]
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the system's source of randomness");
    }
}
