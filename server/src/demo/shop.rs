//! The shop of the demo: who listens to its events, how each receiver behaves, and why.

use std::time::Duration;

use domain::Timestamp;
use domain::ladder::Outcome;
use domain::status::AttemptError;

use super::dice::Dice;

/// An endpoint of the shop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listener {
    /// Its path on the sample receiver, or what stands for it in the list.
    pub(crate) name: &'static str,
    /// The whole URL where it isn't on the sample receiver.
    pub(crate) elsewhere: Option<&'static str>,
    /// What it subscribes to.
    pub(crate) event_types: &'static [&'static str],
    /// The project's own note.
    pub(crate) description: &'static str,
    /// How it has behaved.
    pub(crate) character: Character,
}

/// How a receiver behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Character {
    /// Almost always well.
    Healthy,
    /// Down for a day last week, and down again now.
    FailingNow,
    /// Slow, now and then too slow or too busy.
    Slow,
    /// Refuses everything since its secret was rotated.
    WrongSecret,
    /// Its name does not resolve any more.
    Gone,
    /// An address that nothing is sent to.
    Private,
    /// Switched off two days ago.
    Disabled,
}

/// Every endpoint, oldest first.
pub(crate) const LISTENERS: &[Listener] = &[
    Listener {
        name: "crm",
        elsewhere: None,
        event_types: &["contact.*"],
        description: "CRM: contacts",
        character: Character::Healthy,
    },
    Listener {
        name: "billing",
        elsewhere: None,
        event_types: &["payment.*", "subscription.*"],
        description: "Billing",
        character: Character::FailingNow,
    },
    Listener {
        name: "analytics",
        elsewhere: None,
        event_types: &["*"],
        description: "Analytics warehouse",
        character: Character::Slow,
    },
    Listener {
        name: "loyalty",
        elsewhere: None,
        event_types: &["contact.created"],
        description: "Loyalty programme",
        character: Character::WrongSecret,
    },
    Listener {
        name: "partner",
        elsewhere: Some("https://hooks.partner.example/botix"),
        event_types: &["subscription.*"],
        description: "Partner that moved away",
        character: Character::Gone,
    },
    Listener {
        name: "accounting",
        elsewhere: Some("http://10.20.0.15:8080/hooks/botix"),
        event_types: &["payment.refunded"],
        description: "Accounting in the office network",
        character: Character::Private,
    },
    Listener {
        name: "sandbox",
        elsewhere: None,
        event_types: &["scenario.*"],
        description: "Sandbox of the developers",
        character: Character::Disabled,
    },
];

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);

/// Since when the failing one has been down.
pub(crate) const DOWN_SINCE: Duration = Duration::from_secs(100 * 60);
/// Since when the disabled one has been off.
pub(crate) const DISABLED_SINCE: Duration = Duration::from_secs(2 * 86_400);
/// The day that the failing one was down before: from, to.
const DOWN_BEFORE: (Duration, Duration) = (Duration::from_secs(132 * 3_600), Duration::from_secs(100 * 3_600));
/// Since when the secret is wrong.
pub(crate) const ROTATED_SINCE: Duration = Duration::from_secs(3 * 86_400);
/// Since when the name is gone.
const GONE_SINCE: Duration = Duration::from_secs(6 * 86_400);

/// What one attempt met.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
    pub(crate) body: &'static str,
}

impl Listener {
    /// Its URL, with the sample receiver at `receiver`.
    pub(crate) fn url(&self, receiver: &str) -> String {
        self.elsewhere.map_or_else(|| format!("{receiver}/{}", self.name), str::to_owned)
    }

    /// The address that a connection to it has.
    pub(crate) const fn remote_ip(&self) -> &'static str {
        if self.elsewhere.is_some() { "203.0.113.24" } else { "127.0.0.1" }
    }

    /// How long before the present it was created.
    pub(crate) fn age(&self) -> Duration {
        match self.character {
            Character::Private => 4 * DAY,
            _ => 20 * DAY,
        }
    }

    /// How it meets an attempt at `at`, seen from `now`.
    pub(crate) fn meet(&self, at: Timestamp, now: Timestamp, dice: &Dice) -> Met {
        let ago = now.since(at);
        match self.character {
            Character::FailingNow => {
                let down = ago <= DOWN_SINCE || (ago <= DOWN_BEFORE.0 && ago > DOWN_BEFORE.1);
                if down {
                    answered(503, ms(dice, 40, 900), "upstream connect error: no healthy host")
                } else {
                    healthy(dice)
                }
            }
            Character::Slow => slow(at, dice),
            Character::WrongSecret if ago <= ROTATED_SINCE => {
                answered(401, ms(dice, 15, 60), r#"{"error":"signature does not match"}"#)
            }
            Character::Gone if ago <= GONE_SINCE => failed(AttemptError::DnsError, ms(dice, 3, 90)),
            Character::Private => failed(AttemptError::BlockedAddress, ms(dice, 0, 2)),
            Character::Healthy | Character::WrongSecret | Character::Gone | Character::Disabled => healthy(dice),
        }
    }
}

fn healthy(dice: &Dice) -> Met {
    if dice.happens(980) {
        return answered(200, ms(dice, 35, 260), r#"{"ok":true}"#);
    }
    match dice.roll() % 4 {
        0 => failed(AttemptError::ConnectionReset, ms(dice, 20, 400)),
        1 => failed(AttemptError::ConnectTimeout, 10 * MINUTE / 60),
        2 => answered(500, ms(dice, 80, 700), "Internal Server Error"),
        _ => answered(503, ms(dice, 20, 90), "restarting, try again in a minute"),
    }
}

fn slow(at: Timestamp, dice: &Dice) -> Met {
    if dice.happens(15) {
        return failed(AttemptError::ReadTimeout, HOUR / 120);
    }
    if dice.happens(15) {
        let wait = Duration::from_secs(dice.between(20, 240));
        let took = ms(dice, 10, 40);
        let outcome = Outcome::Responded { status: 429, retry_after: Some(at.plus(took + wait)) };
        return Met { outcome, took, body: "too many requests" };
    }
    answered(202, ms(dice, 250, 2_400), r#"{"queued":1}"#)
}

fn answered(status: u16, took: Duration, body: &'static str) -> Met {
    Met { outcome: Outcome::Responded { status, retry_after: None }, took, body }
}

fn failed(error: AttemptError, took: Duration) -> Met {
    Met { outcome: Outcome::Failed(error), took, body: "" }
}

fn ms(dice: &Dice, low: u64, high: u64) -> Duration {
    Duration::from_micros(dice.between(low * 1_000, high * 1_000))
}
