//! Identifiers: a prefix that tells the kind, and a ULID that tells the time.
//!
//! Contract section 2. Each kind is a type of its own, so that a delivery's id can't be passed
//! where an event's is meant.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
pub use ulid::Ulid;

use crate::entropy::{Entropy, random_bytes};
use crate::time::Timestamp;

/// The text is no id of the expected kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be {expected} followed by 26 characters (Crockford base 32)")]
pub struct InvalidId {
    /// The prefix that was expected, e.g. `evt_`.
    pub expected: &'static str,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(Ulid);

            impl $name {
                /// What every id of this kind begins with.
                pub const PREFIX: &'static str = $prefix;

                /// A fresh id whose time part is `at`.
                pub fn generate(at: Timestamp, entropy: &dyn Entropy) -> Self {
                    Self(ulid_at(at, entropy))
                }

                /// The id without its prefix.
                pub const fn ulid(self) -> Ulid {
                    self.0
                }

                /// The id with this ULID.
                pub const fn from_ulid(ulid: Ulid) -> Self {
                    Self(ulid)
                }

                /// The millisecond in which the id was made.
                pub fn time(self) -> Timestamp {
                    Timestamp::from_millis(i64::try_from(self.0.timestamp_ms()).unwrap_or(i64::MAX))
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str($prefix)?;
                    f.write_str(self.0.array_to_str(&mut [0; ulid::ULID_LEN]))
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(self, f)
                }
            }

            impl FromStr for $name {
                type Err = InvalidId;

                /// Accepts the canonical form only: upper case, no look-alike letters.
                fn from_str(text: &str) -> Result<Self, InvalidId> {
                    parse(text, $prefix).map(Self)
                }
            }

            crate::schema::inline_schema!($name, crate::schema::id($prefix));

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                    text.parse().map_err(D::Error::custom)
                }
            }
        )*

        /// Every prefix of the contract.
        pub const PREFIXES: &[&str] = &[$($prefix),*];
    };
}

ids! {
    /// A project: the tenant that owns everything below it.
    ProjectId = "prj_";
    /// A person who signs in to the dashboard.
    UserId = "usr_";
    /// An API key.
    ApiKeyId = "key_";
    /// A contact.
    ContactId = "con_";
    /// A message.
    MessageId = "msg_";
    /// A catalog import.
    ImportId = "imp_";
    /// A catalog item.
    ItemId = "itm_";
    /// A scenario.
    ScenarioId = "scn_";
    /// A run of a scenario.
    RunId = "run_";
    /// A webhook endpoint.
    EndpointId = "whe_";
    /// A domain event.
    EventId = "evt_";
    /// The delivery of one event to one endpoint.
    DeliveryId = "dlv_";
    /// One attempt at a delivery.
    AttemptId = "att_";
    /// A dead letter.
    DeadLetterId = "dlq_";
    /// A bulk retry.
    JobId = "job_";
    /// An inspector bin.
    BinId = "bin_";
    /// A request captured in a bin.
    CaptureId = "cap_";
    /// One API request, or the request identity of one webhook delivery.
    RequestId = "req_";
    /// An entry of the audit log.
    AuditId = "aud_";
}

fn ulid_at(at: Timestamp, entropy: &dyn Entropy) -> Ulid {
    let millis = u64::try_from(at.as_millis()).unwrap_or(0);
    let random = u128::from_be_bytes(random_bytes::<16>(entropy));
    Ulid::from_parts(millis, random)
}

fn parse(text: &str, prefix: &'static str) -> Result<Ulid, InvalidId> {
    let invalid = InvalidId { expected: prefix };
    let body = text.strip_prefix(prefix).ok_or(invalid)?;
    let ulid = Ulid::from_string(body).map_err(|_| invalid)?;
    // The library also reads lower case and look-alikes; one row must have one spelling.
    if ulid.array_to_str(&mut [0; ulid::ULID_LEN]) == body { Ok(ulid) } else { Err(invalid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;
    impl Entropy for Sevens {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    #[test]
    fn an_id_reads_back_as_itself_and_knows_its_time() {
        let at = Timestamp::from_millis(1_780_000_000_123);
        let id = EventId::generate(at, &Sevens);
        assert_eq!(id.to_string().len(), 30);
        assert_eq!(id.to_string().parse::<EventId>(), Ok(id));
        assert_eq!(id.time(), at);
    }

    #[test]
    fn other_prefixes_cases_and_lengths_are_refused() {
        let id = EventId::generate(Timestamp::from_millis(1), &Sevens).to_string();
        for wrong in [
            id.to_lowercase(),
            id.replace("evt_", "dlv_"),
            format!("{id}0"),
            id[..29].to_owned(),
            String::new(),
            "evt_ZZZZZZZZZZZZZZZZZZZZZZZZZZ".into(),
        ] {
            assert!(wrong.parse::<EventId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ids_sort_by_time() {
        let early = RequestId::generate(Timestamp::from_millis(1), &Sevens);
        let late = RequestId::generate(Timestamp::from_millis(2), &Sevens);
        assert!(early.to_string() < late.to_string() && early < late);
    }
}
