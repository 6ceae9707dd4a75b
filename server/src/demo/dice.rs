//! Numbers that look random and are the same each time: the seeded fortnight differs from one start
//! to the next only by the present. Not for secrets.

use std::sync::atomic::{AtomicU64, Ordering};

use domain::Entropy;

/// `SplitMix64` (Steele, Lea and Flood, 2014): small, and even enough for a picture.
#[derive(Debug)]
pub(crate) struct Dice(AtomicU64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    pub(crate) fn roll(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut z = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` up to, but not, `high`.
    pub(crate) fn between(&self, low: u64, high: u64) -> u64 {
        low + self.roll() % (high - low).max(1)
    }

    /// Whether something happens that does so `per_mille` times in a thousand.
    pub(crate) fn happens(&self, per_mille: u64) -> bool {
        self.roll() % 1_000 < per_mille
    }

    /// One of `items`, which must not be empty.
    pub(crate) fn pick<'a, T>(&self, items: &'a [T]) -> &'a T {
        let at = usize::try_from(self.between(0, items.len() as u64)).unwrap_or(0);
        &items[at]
    }
}

impl Entropy for Dice {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let bytes = self.roll().to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
    }
}
