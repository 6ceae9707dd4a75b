//! The lock and the cache in front of the idempotency table. An entry lives as long as what it says
//! is true: a lock for the lease, an answer until it is erased from the table.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Timestamp;
use domain::id::RequestId;
use serde::{Deserialize, Serialize};
use store::Store;
use store::idempotency::{Capture, StoredAnswer};

use super::Redis;

/// Sets a lock that nobody holds, or says who does.
const LOCK: &str = "
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
return redis.call('GET', KEYS[1])
";
/// Removes a lock if it is still ours.
const UNLOCK: &str = "
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
";

/// What stands in Redis under a key.
#[derive(Serialize, Deserialize)]
struct Entry {
    fingerprint: String,
    request_id: RequestId,
    first_seen: i64,
    /// The sealed answer, in base64; absent while the first request runs.
    answer: Option<String>,
}

/// An answer from the cache.
pub(crate) struct Cached {
    pub(crate) is_same: bool,
    pub(crate) first_request_id: RequestId,
    pub(crate) first_seen: Timestamp,
    pub(crate) answer: StoredAnswer,
}

/// Who holds the lock.
pub(crate) struct Taken {
    pub(crate) is_same: bool,
    pub(crate) first_request_id: RequestId,
    pub(crate) first_seen: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    status_code: u16,
    headers: Vec<(String, String)>,
    /// In base64.
    body: String,
}

impl Redis {
    /// The answer that is kept for a key, if Redis knows it.
    pub(crate) async fn cached(&self, store: &Store, capture: &Capture) -> Option<Cached> {
        let text: Option<String> = self.ask(redis::cmd("GET").arg(name(capture))).await?;
        let entry: Entry = serde_json::from_str(&text?).ok()?;
        let sealed = STANDARD.decode(entry.answer?).ok()?;
        // Sealed by a key that has been retired since, or not by us: the table knows better.
        let opened = store.keys().open(&sealed, &name(capture)).ok()?;
        let Answer { status_code, headers, body } = serde_json::from_slice(&opened).ok()?;
        Some(Cached {
            is_same: entry.fingerprint == capture.fingerprint.to_string(),
            first_request_id: entry.request_id,
            first_seen: Timestamp::from_micros(entry.first_seen),
            answer: StoredAnswer { status_code, headers, body: STANDARD.decode(body).ok()? },
        })
    }

    /// Takes the lock for the lease. `Some` says who has it instead; `None`: it is ours, or Redis
    /// can't be asked and the table alone decides.
    pub(crate) async fn lock(&self, capture: &Capture, now: Timestamp) -> Option<Taken> {
        let mut command = redis::cmd("EVAL");
        let lease = capture.leased_until.since(now).as_millis().max(1);
        command.arg(LOCK).arg(1).arg(name(capture)).arg(running(capture)).arg(u64::try_from(lease).unwrap_or(u64::MAX));
        let held: Option<String> = self.ask(&command).await?;
        let entry: Entry = serde_json::from_str(&held?).ok()?;
        // An answer is no lock: the table will say the same.
        entry.answer.is_none().then(|| Taken {
            is_same: entry.fingerprint == capture.fingerprint.to_string(),
            first_request_id: entry.request_id,
            first_seen: Timestamp::from_micros(entry.first_seen),
        })
    }

    /// Gives the lock up, when nothing was done.
    pub(crate) async fn unlock(&self, capture: &Capture) {
        let mut command = redis::cmd("EVAL");
        command.arg(UNLOCK).arg(1).arg(name(capture)).arg(running(capture));
        let _: Option<u32> = self.ask(&command).await;
    }

    /// Keeps the answer for as long as the table does. The lock is gone with it.
    pub(crate) async fn keep(&self, store: &Store, capture: &Capture, answer: &StoredAnswer) {
        let StoredAnswer { status_code, headers, body } = answer;
        let kept = Answer { status_code: *status_code, headers: headers.clone(), body: STANDARD.encode(body) };
        let Ok(plain) = serde_json::to_vec(&kept) else { return };
        let sealed = store.keys().seal(&plain, &name(capture), store.entropy());
        let millis = capture.expires_at.since(store.now()).as_millis();
        let Some(millis) = u64::try_from(millis).ok().filter(|millis| *millis > 0) else { return };
        let mut command = redis::cmd("SET");
        command.arg(name(capture)).arg(text(capture, Some(STANDARD.encode(sealed)))).arg("PX").arg(millis);
        let _: Option<String> = self.ask(&command).await;
    }
}

/// The contract's name of a key.
fn name(capture: &Capture) -> String {
    format!("papi:idem:{}:{}", capture.api_key_id, capture.key)
}

fn running(capture: &Capture) -> String {
    text(capture, None)
}

fn text(capture: &Capture, answer: Option<String>) -> String {
    let Capture { fingerprint, request_id, first_seen, .. } = capture;
    let entry = Entry {
        fingerprint: fingerprint.to_string(),
        request_id: *request_id,
        first_seen: first_seen.as_micros(),
        answer,
    };
    // A struct of texts and numbers always serialises.
    serde_json::to_string(&entry).unwrap_or_default()
}
