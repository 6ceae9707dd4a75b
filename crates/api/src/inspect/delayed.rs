//! How many answers may wait at once: each holds a connection, and nobody's bin may hold them all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::BinId;

/// Of all bins together.
const IN_ALL: u32 = 512;
/// Of one bin.
const OF_ONE: u32 = 32;

/// The answers that wait.
#[derive(Default)]
pub(super) struct Delayed(Mutex<HashMap<BinId, u32>>);

/// A place among them, given back when it is dropped.
pub(super) struct Place {
    among: Arc<Delayed>,
    bin: BinId,
}

impl Delayed {
    /// A place, if there is one left.
    pub(super) fn take(among: &Arc<Self>, bin: BinId) -> Option<Place> {
        let mut taken = among.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, own) = (taken.values().sum::<u32>(), taken.get(&bin).copied().unwrap_or(0));
        if all >= IN_ALL || own >= OF_ONE {
            return None;
        }
        taken.insert(bin, own + 1);
        drop(taken);
        Some(Place { among: among.clone(), bin })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.among.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.bin) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.bin);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(n: u128) -> BinId {
        BinId::from_ulid(domain::id::Ulid(n))
    }

    #[test]
    fn one_bin_takes_no_other_bins_places_and_gives_its_own_back() {
        let delayed = Arc::<Delayed>::default();
        let held: Vec<_> = (0..OF_ONE).filter_map(|_| Delayed::take(&delayed, bin(1))).collect();
        assert_eq!(held.len(), OF_ONE as usize);
        assert!(Delayed::take(&delayed, bin(1)).is_none());
        let other = Delayed::take(&delayed, bin(2));
        assert!(other.is_some());
        drop(held);
        assert!(Delayed::take(&delayed, bin(1)).is_some());
        drop(other);
        assert!(delayed.0.lock().unwrap().is_empty(), "nothing is left behind");
    }

    #[test]
    fn all_bins_together_have_a_bound_too() {
        let delayed = Arc::<Delayed>::default();
        let held: Vec<_> = (0..IN_ALL + 8).filter_map(|n| Delayed::take(&delayed, bin(n.into()))).collect();
        assert_eq!(held.len(), IN_ALL as usize);
    }
}
