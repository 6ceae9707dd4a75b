//! What the words of the contract mean: ids, times, events, statuses, the retry ladder, cursors,
//! fingerprints, error codes and the objects that the API and the dashboard show.
//!
//! No I/O, no ambient clock, no ambient randomness. Compiles for the browser, so that both sides
//! share one vocabulary.

pub mod address;
pub mod api_key;
pub mod cursor;
pub mod duration;
pub mod endpoint_url;
pub mod entropy;
pub mod error_code;
pub mod event_type;
pub mod filter;
pub mod fingerprint;
pub mod id;
pub mod idempotency_key;
pub mod ladder;
pub mod model;
pub mod outgoing;
pub mod page;
pub mod payload;
pub mod retry_after;
mod schema;
pub mod script;
pub mod search;
pub mod secret;
pub mod signature;
pub mod status;
pub mod time;
pub mod visitor;

pub use entropy::Entropy;
pub use error_code::ErrorCode;
pub use page::{Page, PageRequest};
pub use time::{Clock, Timestamp};
