//! The delivery engine: claim → send → record → reschedule or dead-letter (contract section 8).
//!
//! Any number of engines may share one database. What an engine holds in memory is only what is
//! under way at the moment, and the lease on it lets another one go on when this process dies.

mod classify;
mod client;
mod config;
mod connector;
mod engine;
mod metrics;
mod recorder;
mod replay;
mod request;
mod response;
mod send;
mod slots;
mod span;
mod stream;
mod trust;

pub use config::Config;
pub use engine::Engine;
pub use replay::Replays;
pub use trust::ExtraRoots;
