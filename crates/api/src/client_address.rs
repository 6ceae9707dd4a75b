//! Where a request really came from, behind proxies that are trusted and only those.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::request::Parts;

use crate::state::ApiState;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The peer's address; behind trusted proxies the last address in `X-Forwarded-For` that is not one
/// of them. What a caller writes there itself stands further left and is never reached.
pub(crate) fn client_address(state: &ApiState, head: &Parts) -> Option<IpAddr> {
    let peer = head.extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip().to_canonical();
    if !state.is_trusted_proxy(peer) {
        return Some(peer);
    }
    let lines = head.headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
    let hops: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    let mut client = peer;
    for hop in hops.into_iter().rev() {
        let Some(address) = parse(hop) else { break };
        client = address;
        if !state.is_trusted_proxy(address) {
            break;
        }
    }
    Some(client)
}

/// An address, with a port or brackets or without.
fn parse(hop: &str) -> Option<IpAddr> {
    let bare = hop.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn addresses_are_read_with_and_without_ports() {
        for (hop, address) in [
            ("203.0.113.9", "203.0.113.9"),
            ("203.0.113.9:4711", "203.0.113.9"),
            ("[2001:db8::1]:80", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
        ] {
            assert_eq!(parse(hop).map(|a| a.to_string()).as_deref(), Some(address), "{hop}");
        }
        assert_eq!(parse("unknown"), None);
    }
}
