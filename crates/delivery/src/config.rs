//! What an engine is set up with.

use std::time::Duration;

use domain::address::AddressGuard;

use crate::trust::ExtraRoots;

/// Between the longest possible request and the end of its lease.
const LEASE_MARGIN: Duration = Duration::from_secs(10);

/// The engine's limits. The defaults are the contract's.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which addresses are never sent to.
    pub guard: AddressGuard,
    /// Authorities that receivers' certificates may come from, beside the public ones.
    pub extra_roots: ExtraRoots,
    /// For the name and the connection together.
    pub connect_timeout: Duration,
    /// For the whole answer, from the moment the connection stands.
    pub read_timeout: Duration,
    /// Requests under way at once.
    pub concurrency: u32,
    /// Requests under way at once to one endpoint: what a slow receiver can take from the others.
    pub per_endpoint: u32,
    /// Requests under way at once for one project: what all its receivers together can take.
    pub per_project: u32,
    /// How often the database is asked without any wake-up: other replicas and the command line
    /// send none.
    pub poll: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            guard: AddressGuard::default(),
            extra_roots: ExtraRoots::default(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(30),
            concurrency: 1_024,
            per_endpoint: 32,
            per_project: 512,
            poll: Duration::from_millis(200),
        }
    }
}

impl Config {
    /// No request takes longer than this.
    pub fn longest_request(&self) -> Duration {
        self.connect_timeout + self.read_timeout
    }

    /// How long a claim holds.
    pub fn lease(&self) -> Duration {
        self.longest_request() + LEASE_MARGIN
    }
}
