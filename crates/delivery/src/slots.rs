//! Who has how many requests under way, and how many each may have: the limits in all, per project
//! and per endpoint, and a slow start for an endpoint that fails.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::id::{EndpointId, ProjectId};
use store::claim::{ClaimLimits, Due};
use tokio::sync::Notify;

use crate::config::Config;

/// Deliveries in one claim at most.
const CLAIM: u32 = 512;
/// So many failures in a row make an endpoint a failing one.
const FAILING: u32 = 3;
/// Places of an endpoint that fails: enough to find out that it answers again, too few to knock over
/// a receiver that has just come back.
const LEAST: u32 = 2;
/// So many slowed endpoints are remembered; of the others the database knows that they fail.
const REMEMBERED: usize = 10_000;

/// The requests under way. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Slots(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Default)]
struct State {
    total: u32,
    /// Of them, requests that have not ended.
    sending: u32,
    /// What has been given back since somebody last waited for it: places of endpoints, and those in all.
    freed: u32,
    /// How much of it is worth a wake-up.
    enough: u32,
    by_endpoint: HashMap<EndpointId, u32>,
    by_project: HashMap<ProjectId, u32>,
    /// Endpoints that failed lately and are not back at full speed yet.
    slowed: HashMap<EndpointId, Pace>,
}

/// How an endpoint that failed lately is treated.
#[derive(Clone, Copy)]
struct Pace {
    failures: u32,
    places: u32,
}

/// One place, given back when it is dropped: that of its endpoint and project as soon as the request has ended, the
/// one in all when its outcome is recorded. So a receiver is asked again while the database writes, and what has been
/// sent and not yet written down stays bounded.
pub(crate) struct Slot {
    slots: Slots,
    project: ProjectId,
    endpoint: EndpointId,
    is_sending: bool,
}

impl Slots {
    /// Takes a place. Whether one is left was asked before the claim; this only counts.
    pub(crate) fn take(&self, project: ProjectId, endpoint: EndpointId) -> Slot {
        let mut state = self.state();
        state.total += 1;
        state.sending += 1;
        *state.by_endpoint.entry(endpoint).or_default() += 1;
        *state.by_project.entry(project).or_default() += 1;
        drop(state);
        Slot { slots: self.clone(), project, endpoint, is_sending: true }
    }

    /// What the next claim may take from these endpoints.
    pub(crate) fn limits(&self, config: &Config, due: &[Due]) -> ClaimLimits {
        let mut state = self.state();
        for due in due.iter().filter(|due| due.consecutive_failures >= FAILING) {
            // News to this process: another one found out, or this one before it was started again.
            state.slowed.entry(due.endpoint_id).or_insert(Pace { failures: FAILING, places: LEAST });
        }
        state.freed = 0;
        let free = config.concurrency.saturating_sub(state.total);
        let places = |due: &Due| state.slowed.get(&due.endpoint_id).map(|pace| (due.endpoint_id, pace.places));
        ClaimLimits {
            total: free.min(CLAIM),
            free,
            per_endpoint: config.per_endpoint,
            per_project: config.per_project,
            slowed: due.iter().filter_map(places).collect(),
            by_endpoint: state.by_endpoint.clone(),
            by_project: state.by_project.clone(),
        }
    }

    /// Learns from an outcome how much a receiver can take, `most` being what it may have at best:
    /// failures in a row halve its places, each answer doubles them again.
    pub(crate) fn learn(&self, endpoint: EndpointId, answers: bool, most: u32) {
        let mut state = self.state();
        if answers {
            let Some(pace) = state.slowed.get_mut(&endpoint) else { return };
            pace.failures = 0;
            pace.places = pace.places.saturating_mul(2);
            if pace.places >= most {
                state.slowed.remove(&endpoint);
            }
        } else {
            if state.slowed.len() >= REMEMBERED {
                let State { slowed, by_endpoint, .. } = &mut *state;
                slowed.retain(|endpoint, _| by_endpoint.contains_key(endpoint));
            }
            let pace = state.slowed.entry(endpoint).or_insert(Pace { failures: 0, places: most });
            pace.failures += 1;
            if pace.failures >= FAILING {
                pace.places = (pace.places / 2).max(LEAST).min(most);
            }
        }
    }

    /// How many are under way or not recorded yet.
    pub(crate) fn total(&self) -> u32 {
        self.state().total
    }

    /// How many requests have not ended.
    pub(crate) fn sending(&self) -> usize {
        self.state().sending as usize
    }

    /// Waits until `enough` has been given back since the last time, counting each request once when it has ended
    /// and once when its outcome is recorded.
    pub(crate) async fn freed(&self, enough: u32) {
        loop {
            {
                let mut state = self.state();
                if state.freed >= enough {
                    state.freed = 0;
                    return;
                }
                state.enough = enough;
            }
            self.0.freed.notified().await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The maps are consistent after every single change, so a panic elsewhere spoils nothing.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    /// The request has ended: its receiver may get the next one.
    pub(crate) fn ended(&mut self) {
        self.free(0);
    }

    fn free(&mut self, total: u32) {
        let mut state = self.slots.state();
        state.total -= total;
        if std::mem::take(&mut self.is_sending) {
            state.sending -= 1;
            give_back(&mut state.by_endpoint, self.endpoint);
            give_back(&mut state.by_project, self.project);
        }
        state.freed += 1;
        let is_enough = state.freed >= state.enough;
        drop(state);
        if is_enough {
            self.slots.0.freed.notify_one();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.free(1);
    }
}

fn give_back<K: std::hash::Hash + Eq + Copy>(places: &mut HashMap<K, u32>, key: K) {
    if let Some(count) = places.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            places.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDPOINT: &str = "whe_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const PROJECT: &str = "prj_01ARZ3NDEKTSV4RRFFQ69G5FAV";

    fn due(consecutive_failures: u32) -> Due {
        Due { endpoint_id: ENDPOINT.parse().unwrap(), project_id: PROJECT.parse().unwrap(), consecutive_failures }
    }

    fn room(slots: &Slots, due: &Due) -> u32 {
        slots.limits(&Config::default(), &[*due]).room(due)
    }

    #[test]
    fn a_place_is_given_back_when_its_holder_is_gone() {
        let (slots, due) = (Slots::default(), due(0));
        let take = || slots.take(due.project_id, due.endpoint_id);
        let (mut one, two) = (take(), take());
        assert_eq!((slots.total(), room(&slots, &due)), (2, 30));
        one.ended();
        assert_eq!((slots.total(), room(&slots, &due)), (2, 31), "sent, and not recorded");
        drop(one);
        assert_eq!((slots.total(), room(&slots, &due)), (1, 31));
        drop(two);
        assert!(slots.state().by_endpoint.is_empty() && slots.state().by_project.is_empty());
    }

    #[test]
    fn failures_in_a_row_take_places_and_each_answer_doubles_them_again() {
        let (slots, due) = (Slots::default(), due(0));
        let learn = |answers| {
            slots.learn(due.endpoint_id, answers, 32);
            room(&slots, &due)
        };
        assert_eq!([false; 8].map(learn), [32, 32, 16, 8, 4, 2, 2, 2]);
        assert_eq!([true; 4].map(learn), [4, 8, 16, 32]);
        assert!(slots.state().slowed.is_empty(), "and it is forgotten");
        assert_eq!([false, false, true, false, false].map(learn), [32; 5], "now and then is no reason");
    }

    #[test]
    fn what_another_process_found_out_slows_this_one_too() {
        let slots = Slots::default();
        assert_eq!((room(&slots, &due(2)), room(&slots, &due(3))), (32, 2));
        slots.learn(due(0).endpoint_id, true, 32);
        assert_eq!(room(&slots, &due(0)), 4, "it comes back by the same ramp");
    }

    #[test]
    fn the_fewer_places_are_free_the_fewer_each_endpoint_gets() {
        let slots = Slots::default();
        let config = Config { concurrency: 64, per_endpoint: 16, per_project: 1_000, ..Config::default() };
        let mut held = Vec::new();
        let mut endpoints = 0;
        // Hung endpoints, one after the other, each taking all that it gets.
        for n in 0..200_u32 {
            let endpoint = EndpointId::generate(
                domain::Timestamp::from_micros(1_780_000_000_000_000 + i64::from(n) * 1_000),
                &Zeros,
            );
            let due = Due { endpoint_id: endpoint, ..due(0) };
            let limits = slots.limits(&config, &[due]);
            let places = limits.room(&due).min(limits.total);
            held.extend((0..places).map(|_| slots.take(due.project_id, endpoint)));
            endpoints += u32::from(places > 0);
        }
        assert_eq!(slots.total(), 64);
        assert!(endpoints > 12, "{endpoints} instead of the four that could have taken everything");
    }

    struct Zeros;

    impl domain::Entropy for Zeros {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }
}
