//! Named points at which a test stops the process, to see what a crash there leaves behind.
//!
//! Only an unoptimised build has them: the tests drive it, nobody runs it. Whoever reaches an armed
//! point says so in the log and goes no further, and the test ends the process with `kill -9`. In an
//! optimised build [`pass`] is nothing.

#[cfg(debug_assertions)]
use std::sync::OnceLock;
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU32, Ordering};

/// What the log says at the point; a test waits for it.
#[cfg(debug_assertions)]
const HELD: &str = "held at a fail point";

#[cfg(debug_assertions)]
struct Armed {
    point: String,
    /// How often it may still be passed.
    left: AtomicU32,
}

#[cfg(debug_assertions)]
static ARMED: OnceLock<Armed> = OnceLock::new();

/// Arms one point: `after-claim`, or `after-claim:3` to let it pass twice first. The first call counts.
#[cfg(debug_assertions)]
pub fn arm(spec: &str) {
    let (point, times) = spec.split_once(':').unwrap_or((spec, "1"));
    let left = AtomicU32::new(times.parse().unwrap_or(1));
    // A second call finds it armed, which is what it asks for.
    let _ = ARMED.set(Armed { point: point.to_owned(), left });
}

/// Goes on, unless a test has armed this point.
#[cfg(debug_assertions)]
pub fn pass(point: &'static str) {
    let Some(armed) = ARMED.get().filter(|armed| armed.point == point) else { return };
    if armed.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) != Ok(1) {
        return;
    }
    tracing::warn!(point, "{HELD}");
    loop {
        std::thread::park();
    }
}

/// Nothing.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn pass(_point: &'static str) {}
