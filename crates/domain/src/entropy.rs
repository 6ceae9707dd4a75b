//! Randomness, passed in. The system's own source is read in `server` only.

/// A cryptographically secure source of random bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Fills the whole buffer.
    fn fill(&self, buffer: &mut [u8]);
}

/// `N` fresh random bytes.
pub fn random_bytes<const N: usize>(entropy: &dyn Entropy) -> [u8; N] {
    let mut bytes = [0; N];
    entropy.fill(&mut bytes);
    bytes
}
