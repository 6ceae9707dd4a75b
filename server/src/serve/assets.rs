//! What the browser loads: `target/site`, carried inside a release build and read from disk by a
//! debug build, so that a change of style needs no compiler.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method, Response, StatusCode};
use axum::response::IntoResponse as _;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::hex::hex;

#[derive(RustEmbed)]
#[folder = "../target/site"]
#[allow_missing = true]
struct Site;

/// The names do not change with the content: ask each time, and hear «not modified».
const REVALIDATE: &str = "no-cache";

/// Answers with a file of the site, or 404.
pub(crate) async fn serve(request: Request) -> axum::response::Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [("allow", "GET, HEAD")]).into_response();
    }
    let path = request.uri().path();
    let name = path.trim_start_matches('/');
    let plain = if is_plain(path) { Site::get(name) } else { None };
    let Some(plain) = plain else { return (StatusCode::NOT_FOUND, "not found\n").into_response() };
    let packed = accepts_brotli(request.headers()).then(|| Site::get(&format!("{name}.br"))).flatten();
    let encoding = packed.is_some().then_some("br");
    answer(name, &packed.unwrap_or(plain), encoding, request.headers(), request.method() == Method::HEAD)
}

fn answer(
    name: &str,
    file: &EmbeddedFile,
    encoding: Option<&'static str>,
    asked: &HeaderMap,
    head_only: bool,
) -> axum::response::Response {
    let tag = format!("\"{}\"", hex(&file.metadata.sha256_hash()[..12]));
    let known = asked.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| known.split(',').any(|each| each.trim().trim_start_matches("W/") == tag));
    let mut headers: Vec<(HeaderName, String)> = vec![
        (ETAG, tag),
        (CACHE_CONTROL, REVALIDATE.to_owned()),
        (VARY, "accept-encoding".to_owned()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    let mut response = Response::builder();
    let body = if unchanged {
        response = response.status(StatusCode::NOT_MODIFIED);
        Body::empty()
    } else {
        headers.push((CONTENT_TYPE, content_type(name).to_owned()));
        headers.extend(encoding.map(|encoding| (CONTENT_ENCODING, encoding.to_owned())));
        if head_only { Body::empty() } else { Body::from(file.data.to_vec()) }
    };
    for (header, value) in headers {
        response = response.header(header, value);
    }
    response.body(body).unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// No way out of the folder, and no compressed copy under its own name.
fn is_plain(path: &str) -> bool {
    !path.contains("..") && !path.contains('\\') && !path.contains('%') && !path.as_bytes().ends_with(b".br")
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| {
        line.split(',').any(|each| {
            let (name, quality) = each.split_once(';').unwrap_or((each, "q=1"));
            name.trim().eq_ignore_ascii_case("br") && !matches!(quality.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
        })
    })
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "html" => "text/html; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "application/xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brotli_is_sent_only_to_those_who_accept_it() {
        let accepts = |value: &'static str| {
            accepts_brotli(&HeaderMap::from_iter([(ACCEPT_ENCODING, axum::http::HeaderValue::from_static(value))]))
        };
        assert!(accepts("gzip, deflate, br") && accepts("br;q=0.5"));
        assert!(!accepts("gzip") && !accepts("br;q=0, gzip") && !accepts("brotli"));
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for path in ["/../Cargo.toml", "/pkg/..%2f..%2fCargo.toml", "/pkg\\x", "/pkg/botix.js.br"] {
            assert!(!is_plain(path), "{path}");
        }
    }
}
