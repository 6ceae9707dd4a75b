//! The keys whose first request this process is working on.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::id::{ApiKeyId, RequestId};
use domain::model::IdempotencyKey;
use domain::status::IdempotencyStatus;
use domain::{Timestamp, fingerprint::Fingerprint};
use store::StoreError;
use store::idempotency::{self as keys, Capture, Conflicting};

use crate::operation::Call;

type Key = (ApiKeyId, String);

/// Entries appear before the work starts and go when it has ended, whichever way.
#[derive(Default)]
pub(crate) struct Running(Mutex<HashMap<Key, Held>>);

struct Held {
    capture: Capture,
    conflicts: u32,
    last_conflict: Option<Capture>,
}

/// Who is at work already.
pub(super) struct Occupant {
    pub(super) fingerprint: Fingerprint,
    pub(super) request_id: RequestId,
    pub(super) first_seen: Timestamp,
}

/// The only one at work on its key. Given up when dropped.
pub(super) struct Place {
    running: Arc<Running>,
    key: Key,
    request_id: RequestId,
}

impl Running {
    /// Takes the key's only place, or says who has it.
    pub(super) fn enter(self: &Arc<Self>, capture: &Capture) -> Result<Place, Occupant> {
        let key = (capture.api_key_id, capture.key.clone());
        match self.lock().entry(key.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert(Held { capture: capture.clone(), conflicts: 0, last_conflict: None });
                Ok(Place { running: Arc::clone(self), key, request_id: capture.request_id })
            }
            Entry::Occupied(occupied) => {
                let held = occupied.get();
                Err(Occupant {
                    fingerprint: held.capture.fingerprint,
                    request_id: held.capture.request_id,
                    first_seen: held.capture.first_seen,
                })
            }
        }
    }

    /// Counts another request's attempt to use the key while its first request runs.
    pub(super) fn count_conflict(&self, other: &Capture) {
        if let Some(held) = self.lock().get_mut(&(other.api_key_id, other.key.clone())) {
            held.conflicts += 1;
            held.last_conflict = Some(other.clone());
        }
    }

    /// The key as a look-up shows it while its first request runs.
    pub(crate) fn look_up(&self, by: ApiKeyId, key: &str) -> Option<IdempotencyKey> {
        let running = self.lock();
        let Held { capture, conflicts, .. } = running.get(&(by, key.to_owned()))?;
        Some(IdempotencyKey {
            key: capture.key.clone(),
            status: IdempotencyStatus::InProgress,
            method: capture.method.clone(),
            path: capture.path.clone(),
            fingerprint: capture.fingerprint.to_string(),
            api_key_id: capture.api_key_id,
            first_request_id: capture.request_id,
            response_status_code: None,
            replays: 0,
            conflicts: *conflicts,
            created_at: capture.first_seen,
            expires_at: capture.expires_at,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Gives the place up. Conflicts that came meanwhile are added to the row now: while the work
    /// ran, counting them there would have made them wait for it.
    pub(super) fn leave(mut self, call: &Call) {
        let Some(held) = self.give_up() else { return };
        let Some(other) = held.last_conflict else { return };
        let last = Conflicting { first_request_id: held.capture.request_id, request: other };
        let (store, conflicts) = (call.state.store.clone(), held.conflicts);
        tokio::spawn(async move {
            let counted = store.write::<_, _, StoreError>(move |tx| {
                Box::pin(async move { keys::count_conflicts(tx, conflicts, &last).await })
            });
            if let Err(error) = counted.await {
                tracing::warn!(%error, "conflicts of an idempotency key were not counted");
            }
        });
    }

    /// Once given up, the place may be somebody else's, who must not lose it.
    fn give_up(&mut self) -> Option<Held> {
        match self.running.lock().entry(self.key.clone()) {
            Entry::Occupied(held) if held.get().capture.request_id == self.request_id => Some(held.remove()),
            _ => None,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.give_up();
    }
}
