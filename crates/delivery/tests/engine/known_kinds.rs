//! Ways in which other webhook engines are known to have failed, each test named after its kind.

mod attempts;
mod endpoints;
mod leases;
mod neighbours;
