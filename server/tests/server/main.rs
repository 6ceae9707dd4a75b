//! The binary from outside: what an operator sees (contract sections 1, 10 and 11).
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that can't go on fails, and says where")]

mod command_line;
mod configuration;
mod demo;
mod serving;
mod shutdown;
mod support;
