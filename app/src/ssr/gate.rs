//! Keeps password guessing slow: few checks at once, and few failures for one address in a while.
//!
//! Kept in memory: each replica counts for itself, and a restart forgets. That bounds guessing to
//! some thousands a day for an address, which is all that is asked of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::Timestamp;
use tokio::sync::{Semaphore, SemaphorePermit};

/// How many passwords are checked at once: each check takes 19 MiB and a core.
const AT_ONCE: usize = 2;
/// How long a sign-in waits for its turn before it is told to come back.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many failures an address may have within [`WINDOW`].
const FAILURES: u32 = 10;
const WINDOW: Duration = Duration::from_secs(5 * 60);
/// Beyond so many addresses the oldest counts are forgotten.
const REMEMBERED: usize = 10_000;

/// Shared by all sign-ins of a process.
#[derive(Clone)]
pub struct SignInGate(Arc<Gate>);

struct Gate {
    turns: Semaphore,
    failures: Mutex<HashMap<String, Failures>>,
}

#[derive(Clone, Copy)]
struct Failures {
    since: Timestamp,
    count: u32,
}

impl Default for SignInGate {
    fn default() -> Self {
        Self(Arc::new(Gate { turns: Semaphore::new(AT_ONCE), failures: Mutex::new(HashMap::new()) }))
    }
}

impl SignInGate {
    /// Waits for a turn; `None` when the address has failed too often, or too many others wait.
    pub(super) async fn enter(&self, email: &str, now: Timestamp) -> Option<SemaphorePermit<'_>> {
        if self.is_shut(email, now) {
            return None;
        }
        tokio::time::timeout(PATIENCE, self.0.turns.acquire()).await.ok()?.ok()
    }

    /// Counts a failure.
    pub(super) fn failed(&self, email: &str, now: Timestamp) {
        let mut failures = self.0.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() >= REMEMBERED {
            failures.retain(|_, found| now.since(found.since) < WINDOW);
        }
        if failures.len() >= REMEMBERED {
            failures.clear();
        }
        let found = failures.entry(normal(email)).or_insert(Failures { since: now, count: 0 });
        if now.since(found.since) >= WINDOW {
            *found = Failures { since: now, count: 0 };
        }
        found.count = found.count.saturating_add(1);
    }

    /// Forgets the failures of somebody who got in.
    pub(super) fn passed(&self, email: &str) {
        self.0.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(&normal(email));
    }

    fn is_shut(&self, email: &str, now: Timestamp) -> bool {
        let failures = self.0.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.get(&normal(email)).is_some_and(|found| found.count >= FAILURES && now.since(found.since) < WINDOW)
    }
}

fn normal(email: &str) -> String {
    email.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn ten_failures_shut_the_gate_for_one_address_and_a_while() {
        let (gate, start) = (SignInGate::default(), Timestamp::from_secs(1_000));
        for _ in 0..FAILURES {
            assert!(gate.enter("a@example.com", start).await.is_some());
            gate.failed("A@example.com ", start);
        }
        assert!(gate.enter("a@example.com", start).await.is_none());
        assert!(gate.enter("b@example.com", start).await.is_some());
        assert!(gate.enter("a@example.com", start.plus(WINDOW)).await.is_some());
    }

    #[tokio::test]
    async fn getting_in_forgets_the_failures_before() {
        let (gate, start) = (SignInGate::default(), Timestamp::from_secs(1_000));
        for _ in 0..FAILURES {
            gate.failed("a@example.com", start);
        }
        gate.passed("a@example.com");
        assert!(gate.enter("a@example.com", start).await.is_some());
    }
}
