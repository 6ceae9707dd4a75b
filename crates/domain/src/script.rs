//! What an inspector's bin answers: a sequence of scripted answers, the last of which repeats.
//!
//! Contract sections 1 and 7. On one origin the answers stand beside the dashboard, so nothing that
//! reaches beyond one answer can be scripted: no cookie, no policy, nothing that is remembered for the
//! origin, and nothing that frames the message itself.

use std::collections::BTreeMap;
use std::fmt::Display;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::model::Headers;

/// Answers in one script at most.
pub const MAX_STEPS: usize = 20;
/// The longest scripted body, in bytes.
pub const MAX_BODY: usize = 65_536;
/// The longest delay, in milliseconds: twice the engine's read time-out, so that one can be rehearsed.
pub const MAX_DELAY_MS: u32 = 60_000;
/// Header lines of one answer at most.
pub const MAX_HEADERS: usize = 30;
/// The longest value of a header, in bytes.
pub const MAX_HEADER_VALUE: usize = 1_024;

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptStep {
    /// The HTTP status, 200 to 599.
    #[schemars(range(min = 200, max = 599))]
    pub status: u16,
    /// Its headers.
    #[serde(default)]
    pub headers: Headers,
    /// Its body.
    #[serde(default)]
    pub body: String,
    /// How long the bin waits before it answers, in milliseconds.
    #[serde(default)]
    #[schemars(range(max = 60_000))]
    pub delay_ms: u32,
}

impl Default for ScriptStep {
    fn default() -> Self {
        Self { status: 200, headers: Headers::default(), body: String::new(), delay_ms: 0 }
    }
}

/// A sequence of one to [`MAX_STEPS`] answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Script(Vec<ScriptStep>);

impl Default for Script {
    /// 200 without a body, always.
    fn default() -> Self {
        Self(vec![ScriptStep::default()])
    }
}

impl Script {
    /// Reads JSON that somebody wrote.
    ///
    /// # Errors
    /// Everything that is wrong with it, by field: `script`, `script[1].status`, `script[0].headers.X-A`.
    pub fn parse(json: &str) -> Result<Self, BTreeMap<String, String>> {
        let mut refused = Refused(BTreeMap::new());
        let Ok(Value::Array(given)) = serde_json::from_str(json) else {
            refused.add("script", "must be a list of answers");
            return Err(refused.0);
        };
        if given.is_empty() || given.len() > MAX_STEPS {
            refused.add("script", format_args!("must have 1 to {MAX_STEPS} answers"));
            return Err(refused.0);
        }
        let steps = given.iter().enumerate().map(|(at, given)| step(&format!("script[{at}]"), given, &mut refused));
        let steps = steps.collect();
        if refused.0.is_empty() { Ok(Self(steps)) } else { Err(refused.0) }
    }

    /// The answer to the request number `position`, counted from 0.
    pub fn at(&self, position: u64) -> ScriptStep {
        let at = usize::try_from(position).unwrap_or(usize::MAX).min(self.0.len().saturating_sub(1));
        self.0.get(at).cloned().unwrap_or_default()
    }

    /// Its answers.
    pub fn steps(&self) -> &[ScriptStep] {
        &self.0
    }

    /// Whether any of its answers waits.
    pub fn delays(&self) -> bool {
        self.0.iter().any(|step| step.delay_ms > 0)
    }
}

struct Refused(BTreeMap<String, String>);

impl Refused {
    fn add(&mut self, field: impl Into<String>, why: impl Display) {
        self.0.entry(field.into()).or_insert_with(|| why.to_string());
    }
}

fn step(at: &str, given: &Value, refused: &mut Refused) -> ScriptStep {
    let mut step = ScriptStep::default();
    let Value::Object(fields) = given else {
        refused.add(at, "must be an object");
        return step;
    };
    for (name, value) in fields {
        let field = format!("{at}.{name}");
        match name.as_str() {
            "status" => match value.as_u64().and_then(|status| u16::try_from(status).ok()) {
                Some(status @ 200..=599) => step.status = status,
                _ => refused.add(field, "must be a number from 200 to 599"),
            },
            "headers" => match value {
                Value::Object(lines) => step.headers = headers(&field, lines, refused),
                Value::Null => {}
                _ => refused.add(field, "must be an object of names and values"),
            },
            "body" => match value {
                Value::String(text) if text.len() > MAX_BODY => {
                    refused.add(field, format_args!("must be at most {MAX_BODY} bytes"));
                }
                Value::String(text) if text.contains('\0') => refused.add(field, "must not contain NUL (U+0000)"),
                Value::String(text) => step.body.clone_from(text),
                Value::Null => {}
                _ => refused.add(field, "must be text"),
            },
            "delay_ms" => match value.as_u64().and_then(|delay| u32::try_from(delay).ok()) {
                Some(delay) if delay <= MAX_DELAY_MS => step.delay_ms = delay,
                None if value.is_null() => {}
                _ => refused.add(field, format_args!("must be a number from 0 to {MAX_DELAY_MS}")),
            },
            _ => refused.add(field, "is not a known field"),
        }
    }
    if !fields.contains_key("status") {
        refused.add(format!("{at}.status"), "is required");
    }
    if matches!(step.status, 204 | 205 | 304) && !step.body.is_empty() {
        refused.add(format!("{at}.body"), format_args!("must be empty: a {} has none", step.status));
    }
    step
}

fn headers(field: &str, given: &Map<String, Value>, refused: &mut Refused) -> Headers {
    if given.len() > MAX_HEADERS {
        refused.add(field, format_args!("must be at most {MAX_HEADERS} headers"));
    }
    let mut lines = Vec::with_capacity(given.len());
    for (name, value) in given {
        let field = format!("{field}.{name}");
        if name.is_empty() || name.len() > 100 || !name.bytes().all(is_token) {
            refused.add(field, "must be named with letters, digits and !#$%&'*+-.^_`|~");
        } else if let Some(why) = forbidden(name) {
            refused.add(field, why);
        } else {
            match value {
                Value::String(text) if text.len() > MAX_HEADER_VALUE => {
                    refused.add(field, format_args!("must be at most {MAX_HEADER_VALUE} bytes"));
                }
                Value::String(text) if text.bytes().all(|b| b == b'\t' || (b' '..=b'~').contains(&b)) => {
                    lines.push((name.clone(), text.trim().to_owned()));
                }
                _ => refused.add(field, "must be visible ASCII text"),
            }
        }
    }
    Headers(lines)
}

/// A character of a name (RFC 9110, section 5.6.2).
const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+') || {
        matches!(byte, b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~')
    }
}

/// Why a header can't be scripted.
fn forbidden(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "connection" | "content-length" | "date" | "keep-alive" | "proxy-connection" | "te" | "trailer"
        | "transfer-encoding" | "upgrade" => Some("is set by the server itself"),
        "alt-svc"
        | "clear-site-data"
        | "nel"
        | "public-key-pins"
        | "report-to"
        | "reporting-endpoints"
        | "service-worker-allowed"
        | "set-cookie"
        | "set-cookie2"
        | "set-login"
        | "strict-transport-security"
        | "x-content-type-options" => Some("can't be scripted: it reaches beyond this answer"),
        _ if name.starts_with("content-security-policy") => Some("can't be scripted: it reaches beyond this answer"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answer_repeats() {
        let script = Script::parse(
            r#"[{"status": 503}, {"status": 429, "headers": {"Retry-After": "2"}}, {"status": 200, "body": "ok", "delay_ms": 60000}]"#,
        );
        let script = script.unwrap();
        let statuses: Vec<u16> = (0..5).map(|n| script.at(n).status).collect();
        assert_eq!(statuses, [503, 429, 200, 200, 200]);
        assert_eq!(script.at(1).headers.get("retry-after"), Some("2"));
        assert_eq!((script.at(u64::MAX).body.as_str(), script.delays()), ("ok", true));
        assert_eq!(Script::default().at(7), ScriptStep::default());
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let long = "x".repeat(MAX_BODY + 1);
        let wrong = format!(
            r#"[{{"status": 199, "delay_ms": 60001, "extra": 1}}, 7, {{"headers": {{"Set-Cookie": "a=b", "A B": "x", "X": "ü", "X-Ok": "1"}}, "body": "{long}"}}, {{"status": 204, "body": "x"}}]"#
        );
        let refused = Script::parse(&wrong).unwrap_err();
        let fields: Vec<&str> = refused.keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            [
                "script[0].delay_ms",
                "script[0].extra",
                "script[0].status",
                "script[1]",
                "script[2].body",
                "script[2].headers.A B",
                "script[2].headers.Set-Cookie",
                "script[2].headers.X",
                "script[2].status",
                "script[3].body",
            ]
        );
    }

    #[test]
    fn no_header_that_reaches_beyond_its_answer_can_be_scripted() {
        for name in [
            "Set-Cookie",
            "CLEAR-site-data",
            "Service-Worker-Allowed",
            "Content-Security-Policy",
            "content-security-policy-report-only",
            "Strict-Transport-Security",
            "Transfer-Encoding",
            "Content-Length",
            "Connection",
            "Upgrade",
            "Alt-Svc",
        ] {
            let refused = Script::parse(&format!(r#"[{{"status": 200, "headers": {{"{name}": "x"}}}}]"#)).unwrap_err();
            assert!(refused.contains_key(&format!("script[0].headers.{name}")), "{name}: {refused:?}");
        }
        assert!(Script::parse(r#"[{"status": 200, "headers": {"X": "a\r\nSet-Cookie: b=c"}}]"#).is_err());
    }

    #[test]
    fn a_script_is_a_list_of_one_to_twenty_answers() {
        let many = |n: usize| format!("[{}]", vec![r#"{"status":200}"#; n].join(","));
        assert!(Script::parse(&many(MAX_STEPS)).is_ok());
        for wrong in [many(0), many(MAX_STEPS + 1), "{}".to_owned(), "\"200\"".to_owned(), "nope".to_owned()] {
            assert_eq!(Script::parse(&wrong).unwrap_err().keys().collect::<Vec<_>>(), ["script"], "{wrong}");
        }
    }
}
