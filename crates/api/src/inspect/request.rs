//! A request as a bin keeps it.

use axum::http::header::COOKIE;
use axum::http::request::Parts;
use bytes::Bytes;
use domain::model::HeaderLine;
use domain::visitor::SESSION_COOKIES;
use store::inspector::Received;

use super::PREFIX;
use crate::client_address::client_address;
use crate::state::ApiState;

/// The token in a path, and what follows it, as it was written.
pub(super) fn token_and_rest(path: &str) -> (&str, &str) {
    let behind = path.strip_prefix(PREFIX).and_then(|rest| rest.strip_prefix('/')).unwrap_or_default();
    behind.find('/').map_or((behind, ""), |at| behind.split_at(at))
}

/// All of it but our own session.
pub(super) fn received(api: &ApiState, head: &Parts, rest: &str, body: Bytes) -> Received {
    let lines = head.headers.iter().filter_map(|(name, value)| {
        let value = value.as_bytes();
        if name == COOKIE { without_session(value).map(|rest| (name, rest)) } else { Some((name, value.to_vec())) }
    });
    Received {
        method: head.method.as_str().to_owned(),
        path: rest.to_owned(),
        query: head.uri.query().map(str::to_owned),
        headers: lines.map(|(name, value)| HeaderLine::new(name.as_str(), &value)).collect(),
        body: body.into(),
        remote_ip: client_address(api, head).map(|address| address.to_string()),
    }
}

/// A `Cookie` line without the dashboard's session, byte for byte when there is none in it; `None` when nothing else is.
fn without_session(line: &[u8]) -> Option<Vec<u8>> {
    let is_session = |pair: &&[u8]| {
        let name = pair.split(|byte| *byte == b'=').next().unwrap_or_default().trim_ascii();
        SESSION_COOKIES.iter().any(|session| name == session.as_bytes())
    };
    let pairs: Vec<&[u8]> = line.split(|byte| *byte == b';').collect();
    if !pairs.iter().any(&is_session) {
        return Some(line.to_vec());
    }
    let others: Vec<&[u8]> = pairs.into_iter().filter(|pair| !is_session(pair)).collect();
    let rest = others.join(&b';').trim_ascii().to_vec();
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_behind_the_token_is_kept_as_it_was_written() {
        for (path, token, rest) in [
            ("/inspect", "", ""),
            ("/inspect/", "", ""),
            ("/inspect/abc", "abc", ""),
            ("/inspect/abc/", "abc", "/"),
            ("/inspect/abc//a/../b%2F/", "abc", "//a/../b%2F/"),
            ("/inspector", "", ""),
        ] {
            assert_eq!(token_and_rest(path), (token, rest), "{path}");
        }
    }

    #[test]
    fn our_own_session_is_cut_out_of_a_cookie_line_and_nothing_else() {
        let kept = |line: &[u8]| without_session(line).map(|line| String::from_utf8_lossy(&line).into_owned());
        assert_eq!(kept(b"a=1;  b=2 ; c").as_deref(), Some("a=1;  b=2 ; c"));
        assert_eq!(kept(b"a=1; botix_session=secret; b=2").as_deref(), Some("a=1; b=2"));
        assert_eq!(kept(b"__Host-botix_session=secret; b=2").as_deref(), Some("b=2"));
        assert_eq!(kept(b"botix_session=secret"), None);
        assert_eq!(kept(b"botix_session = x;botix_session=y"), None);
        assert_eq!(kept(b"xbotix_session=1; botix_lang=ru").as_deref(), Some("xbotix_session=1; botix_lang=ru"));
    }
}
