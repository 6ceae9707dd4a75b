//! One count for all replicas: never more than the limit within any minute, as in memory.

use domain::Timestamp;
use domain::entropy::random_bytes;

use super::Redis;
use crate::rate_limit::{Rate, WINDOW, Who};

/// Forgets what is older than the window, counts, and adds this request if it fits: in one step, so
/// that two replicas never take the same place. The times are members of a sorted set.
const TAKE: &str = "
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
local used = redis.call('ZCARD', KEYS[1])
local allowed = 0
if used < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
  redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] / 1000))
  allowed = 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {used, allowed, oldest[2] or ARGV[1]}
";

impl Redis {
    /// Counts one request, unless it is over the limit; `None` when Redis can't be asked.
    pub(crate) async fn take(
        &self,
        who: Who,
        limit: u32,
        now: Timestamp,
        entropy: &dyn domain::Entropy,
    ) -> Option<Rate> {
        let limit = limit.max(1);
        let member = u128::from_be_bytes(random_bytes::<16>(entropy));
        let mut command = redis::cmd("EVAL");
        command.arg(TAKE).arg(1).arg(format!("papi:rate:{who}"));
        command.arg(now.as_micros()).arg(WINDOW).arg(limit).arg(format!("{member:032x}"));
        let (used, allowed, oldest): (u32, u32, f64) = self.ask(&command).await?;
        #[expect(clippy::cast_possible_truncation, reason = "microseconds of this century are exact in a double")]
        let oldest = oldest as i64;
        Some(Rate::at(limit, used, allowed == 1, oldest, now.as_micros()))
    }
}
