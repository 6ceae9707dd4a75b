//! The answers that were given a moment ago, so that the retry that follows a lost answer asks the database
//! nothing.
//!
//! An answer never changes until it expires, so that what is remembered is right in every replica. Nothing
//! relies on it being remembered.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use domain::Timestamp;
use domain::id::ApiKeyId;
use store::idempotency::{Capture, Seen, SeenState};

/// What one of the two generations holds at most, in answers and in bytes of their bodies.
const ANSWERS: usize = 4_096;
const BYTES: usize = 8 * 1_024 * 1_024;

/// Two generations: when the younger is full, the elder is forgotten.
#[derive(Default)]
pub(crate) struct Recent(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    younger: HashMap<(ApiKeyId, String), Seen>,
    elder: HashMap<(ApiKeyId, String), Seen>,
    bytes: usize,
}

impl Recent {
    /// The answer to the key that `capture` asks for, unless it has expired by `now` or is forgotten.
    pub(super) fn find(&self, capture: &Capture, now: Timestamp) -> Option<Seen> {
        let generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (capture.api_key_id, capture.key.clone());
        let seen = generations.younger.get(&key).or_else(|| generations.elder.get(&key));
        seen.filter(|seen| seen.expires_at > now).cloned()
    }

    /// Remembers what is known of the key, if it is an answer.
    pub(super) fn remember(&self, capture: &Capture, seen: Seen) {
        let SeenState::Done(answer) = &seen.state else { return };
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        generations.bytes += answer.body.len();
        generations.younger.insert((capture.api_key_id, capture.key.clone()), seen);
        if generations.younger.len() >= ANSWERS || generations.bytes >= BYTES {
            generations.elder = std::mem::take(&mut generations.younger);
            generations.bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::fingerprint::Fingerprint;
    use domain::id::{ProjectId, RequestId};
    use store::idempotency::StoredAnswer;

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    struct Zeros;

    impl domain::Entropy for Zeros {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }

    fn capture(key: &str) -> Capture {
        Capture {
            api_key_id: ApiKeyId::generate(NOW, &Zeros),
            key: key.to_owned(),
            project: ProjectId::generate(NOW, &Zeros),
            method: "POST".to_owned(),
            path: "/public/v1/contacts".to_owned(),
            fingerprint: Fingerprint::of("POST", "/public/v1/contacts", None, b"{}"),
            request_id: RequestId::generate(NOW, &Zeros),
            first_seen: NOW,
            leased_until: NOW.plus(Duration::from_secs(60)),
            expires_at: NOW.plus(Duration::from_secs(86_400)),
            body: None,
        }
    }

    fn answered(capture: &Capture, body: Vec<u8>) -> Seen {
        Seen::answered(capture, StoredAnswer { status_code: 201, headers: Vec::new(), body })
    }

    #[test]
    fn an_answer_is_remembered_until_it_expires() {
        let (recent, first) = (Recent::default(), capture("first"));
        assert!(recent.find(&first, NOW).is_none());
        recent.remember(&first, answered(&first, b"{}".to_vec()));
        assert!(recent.find(&first, NOW.plus(Duration::from_secs(86_399))).is_some());
        assert!(recent.find(&first, first.expires_at).is_none());
        assert!(recent.find(&capture("second"), NOW).is_none());
    }

    #[test]
    fn what_is_remembered_is_bounded_in_number_and_in_bytes() {
        let (recent, first) = (Recent::default(), capture("first"));
        recent.remember(&first, answered(&first, b"{}".to_vec()));
        for n in 0..2 * ANSWERS {
            let other = capture(&n.to_string());
            recent.remember(&other, answered(&other, b"{}".to_vec()));
        }
        assert!(recent.find(&first, NOW).is_none());
        recent.remember(&first, answered(&first, b"{}".to_vec()));
        for n in 0..4 {
            let other = capture(&format!("large {n}"));
            recent.remember(&other, answered(&other, vec![b' '; BYTES / 2 + 1]));
        }
        assert!(recent.find(&first, NOW).is_none());
    }
}
