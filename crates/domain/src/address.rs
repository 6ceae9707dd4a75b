//! Where webhooks are never sent to (contract section 8).
//!
//! Pure: the connector asks about the very address it is about to connect to, and the API about a
//! literal address in a URL. An IPv6 address that carries an IPv4 one is judged by both.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// The address is one that nothing is sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a public address")]
pub struct Blocked(pub IpAddr);

/// Judges addresses.
#[derive(Clone, Debug, Default)]
pub struct AddressGuard {
    allowed: Vec<IpNet>,
}

impl AddressGuard {
    /// A guard with exceptions, for development and tests (`BOTIX_ALLOWED_PRIVATE_NETWORKS`).
    pub const fn allowing(allowed: Vec<IpNet>) -> Self {
        Self { allowed }
    }

    /// Whether something may be sent there.
    ///
    /// # Errors
    /// [`Blocked`] with the address as given.
    pub fn check(&self, address: IpAddr) -> Result<(), Blocked> {
        let embedded = match address {
            IpAddr::V4(_) => None,
            IpAddr::V6(v6) => embedded_v4(v6).map(IpAddr::V4),
        };
        // The exception for 127.0.0.0/8 holds for ::ffff:127.0.0.1, too: it is the same place.
        let is_allowed = |ip: IpAddr| self.allowed.iter().any(|net| net.contains(&ip));
        if is_allowed(address) || embedded.is_some_and(is_allowed) {
            return Ok(());
        }
        let blocked = match (address, embedded) {
            (IpAddr::V4(v4), _) => is_reserved_v4(v4),
            (IpAddr::V6(v6), Some(IpAddr::V4(v4))) => is_reserved_v4(v4) || (!is_translation(v6) && is_reserved_v6(v6)),
            (IpAddr::V6(v6), _) => is_reserved_v6(v6),
        };
        if blocked { Err(Blocked(address)) } else { Ok(()) }
    }
}

/// The IANA special-purpose registry, and what clouds use for metadata inside it.
const RESERVED_V4: &[&str] = &[
    "0.0.0.0/8",        // unspecified, «this network»
    "10.0.0.0/8",       // private
    "100.64.0.0/10",    // carrier NAT; 100.100.100.200 is a metadata service
    "127.0.0.0/8",      // loopback
    "169.254.0.0/16",   // link-local; 169.254.169.254 and .170.2 are metadata services
    "172.16.0.0/12",    // private
    "192.0.0.0/24",     // IETF assignments; 192.0.0.192 is a metadata service
    "192.0.2.0/24",     // documentation
    "192.31.196.0/24",  // AS112
    "192.52.193.0/24",  // AMT
    "192.88.99.0/24",   // 6to4 relays, withdrawn
    "192.168.0.0/16",   // private
    "192.175.48.0/24",  // AS112
    "198.18.0.0/15",    // benchmarking
    "198.51.100.0/24",  // documentation
    "203.0.113.0/24",   // documentation
    "224.0.0.0/4",      // multicast
    "240.0.0.0/4",      // reserved, 255.255.255.255 included
    "168.63.129.16/32", // a cloud's own agent
];

const RESERVED_V6: &[&str] = &[
    "::/8",              // unspecified, loopback, IPv4-compatible and -mapped
    "64:ff9b::/96",      // NAT64, judged by what it carries
    "64:ff9b:1::/48",    // NAT64 of a local network
    "100::/64",          // discard
    "100:0:0:1::/64",    // dummy prefix
    "2001::/23",         // IETF assignments: Teredo, benchmarking, ORCHID
    "2001:db8::/32",     // documentation
    "2002::/16",         // 6to4, judged by what it carries
    "2620:4f:8000::/48", // AS112
    "3fff::/20",         // documentation
    "5f00::/16",         // segment routing
    "fc00::/7",          // unique-local; fd00:ec2::254 is a metadata service
    "fe80::/10",         // link-local
    "fec0::/10",         // site-local
    "ff00::/8",          // multicast
];

fn is_reserved_v4(address: Ipv4Addr) -> bool {
    RESERVED_V4.iter().filter_map(|net| net.parse::<Ipv4Net>().ok()).any(|net| net.contains(&address))
}

fn is_reserved_v6(address: Ipv6Addr) -> bool {
    let global = address.segments()[0] & 0xe000 == 0x2000;
    !global || RESERVED_V6.iter().filter_map(|net| net.parse::<Ipv6Net>().ok()).any(|net| net.contains(&address))
}

/// Forms whose only meaning is the IPv4 address they carry: a public one may be reached that way.
fn is_translation(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0] || segments[0] == 0x2002 || segments[..6] == [0, 0, 0, 0, 0, 0xffff]
}

/// The IPv4 address inside a mapped, compatible, NAT64, 6to4 or Teredo one.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = address.segments();
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match s {
        // Mapped, NAT64, 6to4.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            Some(join(high, low))
        }
        // Compatible (long withdrawn); :: and ::1 are no IPv4 addresses.
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => Some(join(high, low)),
        // Teredo hides the client's address by inverting it.
        [0x2001, 0, _, _, _, _, high, low] => Some(join(!high, !low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), Blocked> {
        AddressGuard::default().check(text.parse().unwrap())
    }

    #[test]
    fn every_reserved_range_is_blocked_at_both_ends() {
        for net in RESERVED_V4 {
            let net: Ipv4Net = net.parse().unwrap();
            assert!(AddressGuard::default().check(net.network().into()).is_err(), "{net}");
            assert!(AddressGuard::default().check(net.broadcast().into()).is_err(), "{net}");
        }
        for net in RESERVED_V6 {
            assert!(AddressGuard::default().check(net.parse::<Ipv6Net>().unwrap().network().into()).is_err(), "{net}");
        }
        for blocked in [
            "::",
            "::1",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001:db8::1",
            "3fff::1",
            "100::1",
            "4000::1",
            "2001:2::1",
        ] {
            assert!(check(blocked).is_err(), "{blocked}");
        }
    }

    #[test]
    fn neighbours_of_the_ranges_are_public() {
        for public in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert_eq!(check(public), Ok(()), "{public}");
        }
    }

    #[test]
    fn a_private_address_in_ipv6_clothes_is_blocked() {
        for blocked in [
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::1.1.1.1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "2001:0:1234::f5ff:fffe",
            "2001:0:0:0:0:0:101:101",
        ] {
            assert!(check(blocked).is_err(), "{blocked}");
        }
        assert_eq!(check("64:ff9b::1.1.1.1"), Ok(()), "what it carries is public");
    }

    #[test]
    fn the_allow_list_opens_what_it_names_in_every_form() {
        let guard = AddressGuard::allowing(vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
        for open in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(guard.check(open.parse().unwrap()), Ok(()), "{open}");
        }
        assert!(guard.check("10.0.0.1".parse().unwrap()).is_err());
    }
}
