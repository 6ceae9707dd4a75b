//! How many requests a minute (contract section 4).
//!
//! Exact: never more than the limit within any 60 seconds, so there is no edge of a window at which
//! twice as many fit. Each caller's requests of the last minute are remembered by their times.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use domain::Timestamp;
use domain::id::{ApiKeyId, BinId};

const WINDOW_SECONDS: u32 = 60;
pub(crate) const WINDOW: i64 = 60_000_000;
/// Beyond this many callers, those that have been silent for a minute are forgotten, and addresses
/// that are still too many share one count.
const MOST_CALLERS: usize = 20_000;

/// Whose requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    /// A valid key.
    Key(ApiKeyId),
    /// Somebody without one.
    Address(IpAddr),
    /// Whoever sends to this bin of the inspector.
    Bin(BinId),
}

impl Who {
    /// An address, or for IPv6 the network of one customer: single addresses cost nothing there.
    pub(crate) fn address(address: Option<IpAddr>) -> Self {
        Self::Address(match address {
            Some(IpAddr::V6(v6)) => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            Some(v4) => v4,
            None => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        })
    }
}

/// Where a caller stands after this request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Requests a minute.
    pub(crate) limit: u32,
    /// How many more are allowed now.
    pub(crate) remaining: u32,
    /// Seconds until the next place becomes free.
    pub(crate) free_in: u32,
    /// The same as a Unix time.
    pub(crate) reset: i64,
    /// Whether this request was within the limit.
    pub(crate) allowed: bool,
}

#[derive(Default)]
pub(crate) struct RateLimiter(Mutex<HashMap<Who, VecDeque<i64>>>);

impl RateLimiter {
    /// Counts one request, unless it is over the limit.
    pub(crate) fn take(&self, who: Who, limit: u32, now: Timestamp) -> Rate {
        let now = now.as_micros();
        let limit = limit.max(1);
        let mut callers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let who = Self::place(&mut callers, who, now);
        let times = callers.entry(who).or_default();
        while times.front().is_some_and(|time| now - time >= WINDOW) {
            times.pop_front();
        }
        let used = u32::try_from(times.len()).unwrap_or(u32::MAX);
        let allowed = used < limit;
        if allowed {
            times.push_back(now);
        }
        let oldest = times.front().copied().unwrap_or(now);
        Rate::at(limit, used, allowed, oldest, now)
    }

    fn place(callers: &mut HashMap<Who, VecDeque<i64>>, who: Who, now: i64) -> Who {
        if callers.len() < MOST_CALLERS || callers.contains_key(&who) {
            return who;
        }
        callers.retain(|_, times| times.back().is_some_and(|time| now - time < WINDOW));
        match who {
            Who::Address(_) if callers.len() >= MOST_CALLERS => Who::address(None),
            who => who,
        }
    }
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::Address(address) => address.fmt(f),
            Self::Bin(id) => id.fmt(f),
        }
    }
}

impl Rate {
    /// Where a caller stands who had `used` places before this request; `oldest` and `now` in microseconds.
    pub(crate) fn at(limit: u32, used: u32, allowed: bool, oldest: i64, now: i64) -> Self {
        let remaining = limit.saturating_sub(used + u32::from(allowed));
        // A clock that was set back must not promise a place in the far future.
        let free_at = oldest.min(now) + WINDOW;
        let free_in = u32::try_from((free_at - now + 999_999) / 1_000_000).unwrap_or(WINDOW_SECONDS);
        Self { limit, remaining, free_in, reset: (free_at + 999_999).div_euclid(1_000_000), allowed }
    }

    /// The headers on every answer: always fresh, never stored.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let number = |n: i64| HeaderValue::from(n);
        headers.insert(HeaderName::from_static("x-ratelimit-limit"), number(self.limit.into()));
        headers.insert(HeaderName::from_static("x-ratelimit-remaining"), number(self.remaining.into()));
        headers.insert(HeaderName::from_static("x-ratelimit-reset"), number(self.reset));
        let policy = format!("\"default\";q={};w={WINDOW_SECONDS}", self.limit);
        let state = format!("\"default\";r={};t={}", self.remaining, self.free_in);
        for (name, text) in [("ratelimit-policy", policy), ("ratelimit", state)] {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_780_000_000_000 + millis)
    }

    fn who() -> Who {
        Who::address("203.0.113.9".parse().ok())
    }

    #[test]
    fn no_sixty_seconds_hold_more_than_the_limit() {
        let limiter = RateLimiter::default();
        let mut allowed = Vec::new();
        // Bursts just before and just after full minutes, where a fixed window lets twice as many in.
        for millis in (0..180_000).step_by(100).chain((0..300).map(|n| 59_900 + n)) {
            if limiter.take(who(), 10, at(millis)).allowed {
                allowed.push(millis);
            }
        }
        allowed.sort_unstable();
        for first in &allowed {
            let within = allowed.iter().filter(|t| (*first..first + 60_000).contains(*t)).count();
            assert!(within <= 10, "{within} from {first} on");
        }
    }

    #[test]
    fn the_promised_moment_is_kept() {
        let limiter = RateLimiter::default();
        for n in 0..3 {
            let rate = limiter.take(who(), 3, at(n * 1_500));
            assert!(rate.allowed);
            assert_eq!(rate.remaining, 2 - u32::try_from(n).unwrap());
        }
        let refused = limiter.take(who(), 3, at(10_001));
        assert!(!refused.allowed);
        assert_eq!((refused.remaining, refused.free_in), (0, 50));
        assert!(!limiter.take(who(), 3, at(59_999)).allowed);
        assert!(limiter.take(who(), 3, at(10_001 + 50_000)).allowed);
    }

    #[test]
    fn callers_do_not_share_and_addresses_of_one_network_do() {
        let limiter = RateLimiter::default();
        let one = Who::address("2001:db8::1".parse().ok());
        let neighbour = Who::address("2001:db8::ffff".parse().ok());
        let other = Who::address("2001:db8:0:1::1".parse().ok());
        assert!(limiter.take(one, 1, at(0)).allowed);
        assert!(!limiter.take(neighbour, 1, at(0)).allowed);
        assert!(limiter.take(other, 1, at(0)).allowed);
    }

    #[test]
    fn a_flood_of_addresses_does_not_grow_without_end() {
        let limiter = RateLimiter::default();
        for n in 0..(u32::try_from(MOST_CALLERS).unwrap() + 100) {
            limiter.take(Who::address(Some(std::net::Ipv4Addr::from(n).into())), 10, at(0));
        }
        assert!(limiter.0.lock().unwrap().len() <= MOST_CALLERS + 1);
    }
}
