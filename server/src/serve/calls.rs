//! Calls from the pages' program that nobody can take apart: a field is missing, or the body is no form.
//!
//! The pages' framework answers them as a fault of ours, before any code of ours has run. They are
//! their sender's mistake, and told so here, at the edge, whichever calls there are.

use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;

/// Marks the framework's error answers.
const MARK: HeaderName = HeaderName::from_static("serverfnerror");
/// A failure without a request id to look it up by: one of ours always has one.
const UNTOLD: &[u8] = br#"{"Internal":""}"#;
const TOLD: &str = "The request is not understood: a field is missing, or the body is no form.\n";

/// Turns such an answer into a 400; leaves every other as it is.
pub(super) async fn not_understood(response: Response) -> Response {
    let failed = response.status() == StatusCode::INTERNAL_SERVER_ERROR && response.headers().contains_key(MARK);
    if !failed {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, 4_096).await.unwrap_or_default();
    if body != UNTOLD {
        return Response::from_parts(parts, Body::from(body));
    }
    parts.status = StatusCode::BAD_REQUEST;
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    Response::from_parts(parts, Body::from(TOLD))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn answered(status: u16, marked: bool, body: &'static [u8]) -> (u16, Vec<u8>) {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        if marked {
            response.headers_mut().insert(MARK, HeaderValue::from_static("/developers/fn/frame"));
        }
        let response = not_understood(response).await;
        (response.status().as_u16(), to_bytes(response.into_body(), 4_096).await.unwrap().to_vec())
    }

    #[tokio::test]
    async fn only_what_was_not_taken_apart_becomes_the_sender_s_mistake() {
        let told = TOLD.as_bytes().to_vec();
        assert_eq!(answered(500, true, UNTOLD).await, (400, told));
        let ours = br#"{"Internal":"req_01ARZ3NDEKTSV4RRFFQ69G5FAV"}"#;
        assert_eq!(answered(500, true, ours).await, (500, ours.to_vec()));
        assert_eq!(answered(500, false, UNTOLD).await, (500, UNTOLD.to_vec()));
        assert_eq!(answered(401, true, b"\"NotSignedIn\"").await, (401, b"\"NotSignedIn\"".to_vec()));
    }
}
