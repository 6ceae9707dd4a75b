//! Who has how many requests under way: the limits in all and per endpoint.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::EndpointId;
use tokio::sync::Notify;

/// The requests under way. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Slots(Arc<Inner>);

#[derive(Default)]
struct Inner {
    in_use: Mutex<HashMap<EndpointId, u32>>,
    freed: Notify,
}

/// One place, given back when it is dropped.
pub(crate) struct Slot {
    slots: Slots,
    endpoint: EndpointId,
}

impl Slots {
    /// Takes a place. Whether one is left was asked before the claim; this only counts.
    pub(crate) fn take(&self, endpoint: EndpointId) -> Slot {
        *self.in_use().entry(endpoint).or_default() += 1;
        Slot { slots: self.clone(), endpoint }
    }

    /// How many each endpoint has under way.
    pub(crate) fn snapshot(&self) -> HashMap<EndpointId, u32> {
        self.in_use().clone()
    }

    /// How many are under way in all.
    pub(crate) fn total(&self) -> u32 {
        self.in_use().values().sum()
    }

    /// Waits until a place is given back.
    pub(crate) async fn freed(&self) {
        self.0.freed.notified().await;
    }

    fn in_use(&self) -> std::sync::MutexGuard<'_, HashMap<EndpointId, u32>> {
        // The map is consistent after every single change, so a panic elsewhere spoils nothing.
        self.0.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut in_use = self.slots.in_use();
        if let Some(count) = in_use.get_mut(&self.endpoint) {
            *count -= 1;
            if *count == 0 {
                in_use.remove(&self.endpoint);
            }
        }
        drop(in_use);
        self.slots.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_given_back_when_its_holder_is_gone() {
        let slots = Slots::default();
        let endpoint: EndpointId = "whe_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        let (one, two) = (slots.take(endpoint), slots.take(endpoint));
        assert_eq!((slots.total(), slots.snapshot()[&endpoint]), (2, 2));
        drop(one);
        assert_eq!(slots.total(), 1);
        drop(two);
        assert!(slots.snapshot().is_empty());
    }
}
