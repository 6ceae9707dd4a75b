//! The binary from outside: what an operator sees (contract sections 1, 10 and 11).

mod command_line;
mod configuration;
mod demo;
mod serving;
mod shutdown;
mod support;
