//! The life of a delivery under an injected clock, whatever comes: statuses, failures, any `Retry-After`, crashes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use domain::Timestamp;
use domain::ladder::{INTERRUPTIONS_PER_RUNG, NextStep, Outcome, RetrySchedule};
use domain::retry_after::{MAX_RETRY_AFTER, parse_retry_after};
use domain::status::{AttemptError, DeadLetterReason};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_secs(1_780_000_000);
const STEPS: [u64; 4] = [60, 900, 3_600, 86_400];

/// What happens to one attempt.
#[derive(Clone, Debug)]
enum Event {
    Answer { status: u16, retry_after: Option<String> },
    Failure(AttemptError),
    Crash,
}

/// One attempt as the log would show it.
#[derive(Debug)]
struct Attempt {
    event: Event,
    began: Timestamp,
    ended: Timestamp,
    rungs: u32,
    next: NextStep,
}

/// Lives through `events`, each attempt taking so many microseconds; the last event goes on for ever.
fn live(events: &[(Event, u64)]) -> Vec<Attempt> {
    let schedule = RetrySchedule::default();
    let (mut at, mut rungs, mut in_a_row) = (NOW, 0, 0);
    let mut log = Vec::new();
    for (event, took) in events.iter().chain(std::iter::repeat(events.last().unwrap())) {
        let ended = at.plus(Duration::from_micros(*took));
        let outcome = match event {
            Event::Answer { status, retry_after } => Outcome::Responded {
                status: *status,
                retry_after: retry_after.as_deref().and_then(|value| parse_retry_after(value, ended)),
            },
            Event::Failure(error) => Outcome::Failed(*error),
            Event::Crash => Outcome::Interrupted { in_a_row: in_a_row + 1 },
        };
        in_a_row = if matches!(event, Event::Crash) && !outcome.takes_rung() { in_a_row + 1 } else { 0 };
        rungs += u32::from(outcome.takes_rung());
        let next = schedule.next(rungs, outcome, ended);
        log.push(Attempt { event: event.clone(), began: at, ended, rungs, next });
        match next {
            NextStep::RetryAt { at: due, .. } => at = due,
            NextStep::Delivered | NextStep::DeadLetter { .. } => break,
        }
    }
    log
}

#[test]
fn a_receiver_that_never_recovers_is_given_up_after_25_hours_and_16_minutes_to_the_millisecond() {
    let log = live(&[(Event::Answer { status: 503, retry_after: None }, 0)]);
    let begun: Vec<_> = log.iter().map(|attempt| attempt.began.since(NOW).as_millis()).collect();
    assert_eq!(begun, [0, 60_000, 960_000, 4_560_000, 90_960_000]);
    assert_eq!(log[4].began.since(NOW), Duration::from_secs(25 * 3_600 + 16 * 60));
    let given_up = NextStep::DeadLetter { reason: DeadLetterReason::AttemptsExhausted, disable_endpoint: false };
    assert_eq!(log[4].next, given_up);
}

fn retry_afters() -> impl Strategy<Value = String> {
    prop_oneof![
        (0_u64..200_000).prop_map(|seconds| seconds.to_string()),
        any::<i64>().prop_map(|seconds| seconds.to_string()),
        any::<f64>().prop_map(|seconds| seconds.to_string()),
        (0_u64..4_000_000_000)
            .prop_map(|secs| httpdate::fmt_http_date(std::time::UNIX_EPOCH + Duration::from_secs(secs))),
        "[0-9]{1,400}",
        "\\PC{0,20}",
    ]
}

fn events() -> impl Strategy<Value = Vec<(Event, u64)>> {
    let event = prop_oneof![
        3 => (100_u16..=999, proptest::option::of(retry_afters())).prop_map(|(status, retry_after)| Event::Answer { status, retry_after }),
        3 => retry_afters().prop_map(|value| Event::Answer { status: 429, retry_after: Some(value) }),
        3 => proptest::sample::select(AttemptError::ALL).prop_map(Event::Failure),
        3 => (500_u16..=599).prop_map(|status| Event::Answer { status, retry_after: None }),
        4 => Just(Event::Crash),
    ];
    proptest::collection::vec((event, 0_u64..40_000_000), 1..60)
}

proptest! {
    #[test]
    fn every_life_ends_on_the_ladder(events in events()) {
        let log = live(&events);
        let last = log.last().unwrap();
        prop_assert!(last.rungs <= 5 && log.len() <= 5 * INTERRUPTIONS_PER_RUNG as usize, "{} attempts", log.len());
        let has_ended = matches!(last.next, NextStep::Delivered | NextStep::DeadLetter { .. });
        prop_assert!(has_ended);
        if let NextStep::DeadLetter { reason: DeadLetterReason::AttemptsExhausted, .. } = last.next {
            prop_assert_eq!(last.rungs, 5, "given up early");
        }
        let mut crashes = 0;
        for attempt in &log {
            crashes = if matches!(attempt.event, Event::Crash) { crashes + 1 } else { 0 };
            let NextStep::RetryAt { at, hold_endpoint_until } = attempt.next else { continue };
            let waits = at.since(attempt.ended);
            prop_assert!(at >= attempt.ended && waits <= MAX_RETRY_AFTER);
            let step = Duration::from_secs(STEPS[attempt.rungs.saturating_sub(1) as usize]);
            match &attempt.event {
                Event::Crash if crashes % INTERRUPTIONS_PER_RUNG != 0 => prop_assert_eq!(waits, Duration::ZERO),
                Event::Answer { status: 429, .. } if hold_endpoint_until.is_some() => prop_assert_eq!(hold_endpoint_until, Some(at)),
                Event::Answer { status, .. } => {
                    prop_assert!(!(200..300).contains(status) && (*status == 429 || !(400..500).contains(status)));
                    prop_assert_eq!(waits, step, "the table's, for {}", status);
                }
                Event::Failure(_) | Event::Crash => prop_assert_eq!(waits, step),
            }
        }
    }

    #[test]
    fn a_crash_takes_nothing_from_the_ladder(crashes in proptest::collection::vec(0_usize..4, 5)) {
        // Up to four crashes before each attempt: the same five rungs, at the same distances.
        let failure = (Event::Answer { status: 503, retry_after: None }, 0);
        let events: Vec<_> = crashes.iter().flat_map(|n| std::iter::repeat_n((Event::Crash, 0), *n).chain([failure.clone()])).collect();
        let log = live(&events);
        prop_assert_eq!(log.len(), 5 + crashes.iter().sum::<usize>());
        prop_assert_eq!(log.last().unwrap().began.since(NOW), Duration::from_secs(STEPS.iter().sum()));
    }
}
