//! The two standard streams, for people and scripts. The log goes its own way (`telemetry`).

use std::io::{self, Write as _};

use serde::Serialize;

/// One JSON object on standard output.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)?;
    out.flush()
}

/// Text on standard output.
pub(crate) fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// One line on standard error.
pub(crate) fn complain(text: &str) {
    // Nobody is left to tell if this fails.
    let _ = writeln!(io::stderr().lock(), "botix: {text}");
}
