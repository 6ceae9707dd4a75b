//! The URL of a webhook endpoint: what is refused when it is created (contract section 8).
//!
//! A name that leads to a blocked address can't be seen here; the address guard checks what is
//! connected to. A literal address can, in every spelling: the parser turns `0x7f.1` and
//! `2130706433` into 127.0.0.1 before anybody looks.

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

/// The longest URL, in bytes.
pub const MAX_LEN: usize = 2_048;

/// An `http` or `https` URL that events may be sent to, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUrl(String);

/// Why a URL is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEndpointUrl {
    /// No URL at all, or one with spaces or control characters in it.
    #[error("must be an absolute URL such as https://example.com/hooks")]
    Malformed,
    /// More than [`MAX_LEN`].
    #[error("must be at most 2048 bytes")]
    TooLong,
    /// Neither `http` nor `https`.
    #[error("must begin with https:// or http://")]
    Scheme,
    /// A user name or a password.
    #[error("must not contain a user name or password")]
    UserInfo,
    /// Below 1024 and neither 80 nor 443.
    #[error("must use port 80, 443, or one from 1024 on")]
    Port,
    /// A literal address that events are never sent to.
    #[error("must not point to a private, local or reserved address")]
    BlockedAddress,
}

impl EndpointUrl {
    /// Checks a URL. `is_blocked` is the address guard's word on a literal address.
    ///
    /// # Errors
    /// [`InvalidEndpointUrl`].
    pub fn parse(text: &str, is_blocked: impl Fn(IpAddr) -> bool) -> Result<Self, InvalidEndpointUrl> {
        if text.len() > MAX_LEN {
            return Err(InvalidEndpointUrl::TooLong);
        }
        // The parser would silently drop these, and what is stored would not be what was checked.
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(InvalidEndpointUrl::Malformed);
        }
        let url = Url::parse(text).map_err(|_| InvalidEndpointUrl::Malformed)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(InvalidEndpointUrl::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() || authority(text).contains('@') {
            return Err(InvalidEndpointUrl::UserInfo);
        }
        if url.port().is_some_and(|port| port < 1_024 && port != 80 && port != 443) {
            return Err(InvalidEndpointUrl::Port);
        }
        let address = match url.host() {
            None => return Err(InvalidEndpointUrl::Malformed),
            Some(Host::Domain(_)) => None,
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        };
        if address.is_some_and(is_blocked) {
            return Err(InvalidEndpointUrl::BlockedAddress);
        }
        Ok(Self(text.to_owned()))
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What stands between `//` and the path, query or fragment.
fn authority(text: &str) -> &str {
    let rest = text.split_once("//").map_or("", |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

impl fmt::Display for EndpointUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), InvalidEndpointUrl> {
        EndpointUrl::parse(text, |address| address.is_loopback()).map(drop)
    }

    #[test]
    fn ordinary_urls_are_kept_as_written() {
        for good in [
            "https://example.com",
            "http://example.com:80/hook?a=b",
            "https://example.com:443/",
            "https://example.com:8443/a@b",
            "http://8.8.8.8:1024/",
            "https://пример.рф/вебхук",
        ] {
            assert_eq!(EndpointUrl::parse(good, |_| false).map(|u| u.to_string()).as_deref(), Ok(good));
        }
    }

    #[test]
    fn every_spelling_of_a_blocked_address_is_seen() {
        for spelling in [
            "127.0.0.1",
            "127.1",
            "0x7f.1",
            "0177.0.0.1",
            "2130706433",
            "127.0.0.1.",
            "%31%32%37.1",
            "[::1]",
            "[0:0::1]",
        ] {
            let url = format!("http://{spelling}:9000/hook");
            assert_eq!(check(&url), Err(InvalidEndpointUrl::BlockedAddress), "{url}");
        }
        assert!(EndpointUrl::parse("http://127.0.0.1:9000/hook", |_| false).is_ok(), "an allow-list opens it");
    }

    #[test]
    fn schemes_ports_and_user_info_are_refused() {
        use InvalidEndpointUrl::{Malformed, Port, Scheme, TooLong, UserInfo};
        let long = format!("https://example.com/{}", "a".repeat(MAX_LEN));
        for (url, error) in [
            ("ftp://example.com/", Scheme),
            ("file:///etc/passwd", Scheme),
            ("javascript:alert(1)", Scheme),
            ("https://example.com:22/", Port),
            ("http://example.com:0/", Port),
            ("http://example.com:1023/", Port),
            ("https://user@example.com/", UserInfo),
            ("https://:secret@example.com/", UserInfo),
            ("https://@example.com/", UserInfo),
            ("", Malformed),
            ("example.com/hook", Malformed),
            ("https://", Malformed),
            (" https://example.com/", Malformed),
            ("https://exa\nmple.com/", Malformed),
            ("https:\\\\example.com", Malformed),
            (&long, TooLong),
        ] {
            assert_eq!(check(url), Err(error), "{url}");
        }
    }
}
