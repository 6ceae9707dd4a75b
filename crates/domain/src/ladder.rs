//! The retry ladder: what happens after an attempt, as a pure function (contract section 8).
//!
//! Five attempts: at once, then after 1 minute, 15 minutes, 1 hour and 24 hours, each counted from
//! the end of the attempt before. Fixed steps without jitter, so that an owner can tell when a
//! delivery closes at the latest.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::duration::{InvalidDuration, format_duration, parse_duration};
use crate::status::{AttemptError, DeadLetterReason};
use crate::time::Timestamp;

/// After so many interrupted attempts in a row one rung is taken, so that a delivery that kills the
/// process can't be tried without end.
pub const INTERRUPTIONS_PER_RUNG: u32 = 5;

/// The waits between attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrySchedule(Vec<Duration>);

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver answered.
    Responded {
        /// The HTTP status.
        status: u16,
        /// When it wants the next attempt, already read and bounded.
        retry_after: Option<Timestamp>,
    },
    /// There is no usable answer.
    Failed(AttemptError),
    /// The process died during the attempt; so many in a row by now, this one included.
    Interrupted {
        /// How many in a row.
        in_a_row: u32,
    },
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Done.
    Delivered,
    /// Try again.
    RetryAt {
        /// Not before this.
        at: Timestamp,
        /// Send nothing else to the endpoint before this, either: it asked for it.
        hold_endpoint_until: Option<Timestamp>,
    },
    /// Give up.
    DeadLetter {
        /// Why.
        reason: DeadLetterReason,
        /// Whether the endpoint said that it is gone for good (410).
        disable_endpoint: bool,
    },
}

impl Outcome {
    /// Whether the attempt takes a rung of the ladder.
    pub const fn takes_rung(self) -> bool {
        match self {
            Self::Responded { .. } | Self::Failed(_) => true,
            Self::Interrupted { in_a_row } => in_a_row >= INTERRUPTIONS_PER_RUNG,
        }
    }
}

impl RetrySchedule {
    /// How many attempts take a rung before the dead letter.
    pub fn max_attempts(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The waits, first to last.
    pub fn steps(&self) -> &[Duration] {
        &self.0
    }

    /// What follows an attempt that ended at `ended_at`. `rungs_taken` counts the attempts that took
    /// a rung, this one included where it does.
    pub fn next(&self, rungs_taken: u32, outcome: Outcome, ended_at: Timestamp) -> NextStep {
        match outcome {
            Outcome::Responded { status: 200..=299, .. } => NextStep::Delivered,
            Outcome::Responded { status: 429, retry_after } => match self.step(rungs_taken) {
                Some(_) if retry_after.is_some() => {
                    NextStep::RetryAt { at: retry_after.unwrap_or(ended_at), hold_endpoint_until: retry_after }
                }
                _ => self.retry_or_give_up(rungs_taken, ended_at),
            },
            Outcome::Responded { status: status @ 400..=499, .. } => {
                NextStep::DeadLetter { reason: DeadLetterReason::Rejected, disable_endpoint: status == 410 }
            }
            Outcome::Failed(AttemptError::BlockedAddress) => {
                NextStep::DeadLetter { reason: DeadLetterReason::BlockedAddress, disable_endpoint: false }
            }
            Outcome::Interrupted { .. } if !outcome.takes_rung() => {
                NextStep::RetryAt { at: ended_at, hold_endpoint_until: None }
            }
            Outcome::Responded { .. } | Outcome::Failed(_) | Outcome::Interrupted { .. } => {
                self.retry_or_give_up(rungs_taken, ended_at)
            }
        }
    }

    /// When the last scheduled attempt of a delivery is due whose next one is due at
    /// `next_attempt_at`: until then it can still be mended without anybody's Retry.
    pub fn dead_letters_at(&self, rungs_taken: u32, next_attempt_at: Timestamp) -> Timestamp {
        let ahead = self.0.get(rungs_taken as usize..).unwrap_or_default();
        ahead.iter().fold(next_attempt_at, |at, step| at.plus(*step))
    }

    fn step(&self, rungs_taken: u32) -> Option<Duration> {
        self.0.get(rungs_taken.saturating_sub(1) as usize).copied()
    }

    fn retry_or_give_up(&self, rungs_taken: u32, ended_at: Timestamp) -> NextStep {
        match self.step(rungs_taken) {
            Some(step) => NextStep::RetryAt { at: ended_at.plus(step), hold_endpoint_until: None },
            None => NextStep::DeadLetter { reason: DeadLetterReason::AttemptsExhausted, disable_endpoint: false },
        }
    }
}

impl Default for RetrySchedule {
    fn default() -> Self {
        Self([60, 15 * 60, 60 * 60, 24 * 60 * 60].map(Duration::from_secs).to_vec())
    }
}

impl FromStr for RetrySchedule {
    type Err = InvalidDuration;

    fn from_str(text: &str) -> Result<Self, InvalidDuration> {
        text.split(',').map(|step| parse_duration(step.trim())).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for RetrySchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(|step| format_duration(*step)).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_780_000_000);

    fn responded(status: u16) -> Outcome {
        Outcome::Responded { status, retry_after: None }
    }

    #[test]
    fn the_ladder_is_1m_15m_1h_24h_and_then_the_inbox() {
        let schedule = RetrySchedule::default();
        assert_eq!(schedule.to_string(), "1m,15m,1h,24h");
        let waits: Vec<_> = (1..=5).map(|rung| schedule.next(rung, responded(503), NOW)).collect();
        let retry = |secs| NextStep::RetryAt { at: NOW.plus(Duration::from_secs(secs)), hold_endpoint_until: None };
        let inbox = NextStep::DeadLetter { reason: DeadLetterReason::AttemptsExhausted, disable_endpoint: false };
        assert_eq!(waits, [retry(60), retry(900), retry(3_600), retry(86_400), inbox]);
        assert_eq!(schedule.max_attempts(), 5);
        assert_eq!(schedule.dead_letters_at(0, NOW), NOW.plus(Duration::from_secs(25 * 3_600 + 16 * 60)));
        assert_eq!(schedule.dead_letters_at(4, NOW), NOW);
    }

    #[test]
    fn each_kind_of_answer_has_its_consequence() {
        let next = |status| RetrySchedule::default().next(1, responded(status), NOW);
        for good in [200, 201, 202, 204, 299] {
            assert_eq!(next(good), NextStep::Delivered, "{good}");
        }
        for retried in [100, 301, 302, 308, 429, 500, 503, 599, 600, 999] {
            assert!(matches!(next(retried), NextStep::RetryAt { .. }), "{retried}");
        }
        for rejected in [400, 401, 403, 404, 408, 425, 499] {
            assert_eq!(
                next(rejected),
                NextStep::DeadLetter { reason: DeadLetterReason::Rejected, disable_endpoint: false },
                "{rejected}"
            );
        }
        assert_eq!(next(410), NextStep::DeadLetter { reason: DeadLetterReason::Rejected, disable_endpoint: true });
    }

    #[test]
    fn a_429_names_the_next_time_and_holds_the_endpoint() {
        let at = NOW.plus(Duration::from_secs(2));
        let step = RetrySchedule::default().next(1, Outcome::Responded { status: 429, retry_after: Some(at) }, NOW);
        assert_eq!(step, NextStep::RetryAt { at, hold_endpoint_until: Some(at) });
        let last = RetrySchedule::default().next(5, Outcome::Responded { status: 429, retry_after: Some(at) }, NOW);
        assert!(matches!(last, NextStep::DeadLetter { .. }), "a receiver can't ask for a sixth attempt");
    }

    #[test]
    fn a_503_with_retry_after_keeps_to_the_table() {
        let at = NOW.plus(Duration::from_secs(2));
        let step = RetrySchedule::default().next(1, Outcome::Responded { status: 503, retry_after: Some(at) }, NOW);
        assert_eq!(step, NextStep::RetryAt { at: NOW.plus(Duration::from_secs(60)), hold_endpoint_until: None });
    }

    #[test]
    fn an_interruption_is_tried_at_once_and_five_in_a_row_take_a_rung() {
        let schedule = RetrySchedule::default();
        for in_a_row in 1..5 {
            let step = schedule.next(0, Outcome::Interrupted { in_a_row }, NOW);
            assert_eq!(step, NextStep::RetryAt { at: NOW, hold_endpoint_until: None });
        }
        let fifth = schedule.next(1, Outcome::Interrupted { in_a_row: 5 }, NOW);
        assert_eq!(fifth, NextStep::RetryAt { at: NOW.plus(Duration::from_secs(60)), hold_endpoint_until: None });
    }

    fn outcomes() -> impl Strategy<Value = Outcome> {
        prop_oneof![
            (100_u16..=999, proptest::option::of(1_i64..86_400)).prop_map(|(status, after)| Outcome::Responded {
                status,
                retry_after: after.map(|secs| NOW.plus(Duration::from_secs(secs.unsigned_abs()))),
            }),
            proptest::sample::select(AttemptError::ALL).prop_map(Outcome::Failed),
            (1_u32..=5).prop_map(|in_a_row| Outcome::Interrupted { in_a_row }),
        ]
    }

    proptest! {
        #[test]
        fn whatever_happens_no_more_than_five_rungs_are_taken(outcomes in proptest::collection::vec(outcomes(), 1..60)) {
            let schedule = RetrySchedule::default();
            let mut rungs = 0;
            for outcome in outcomes {
                rungs += u32::from(outcome.takes_rung());
                prop_assert!(rungs <= schedule.max_attempts());
                match schedule.next(rungs, outcome, NOW) {
                    NextStep::RetryAt { at, .. } => prop_assert!(at >= NOW),
                    NextStep::Delivered | NextStep::DeadLetter { .. } => break,
                }
            }
        }
    }
}
