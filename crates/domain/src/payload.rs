//! The body of a webhook, byte for byte the same on every attempt (contract section 8).
//!
//! It is put together around the event's data as stored, never parsed and written again: what is
//! stored is what is signed is what is sent.

use crate::id::ProjectId;
use crate::model::Event;

/// The largest body that carries the whole event.
pub const MAX_BODY: usize = 65_536;

/// The bytes to send: the whole event, or the thin form when it would be over [`MAX_BODY`].
pub fn render(project: ProjectId, event: &Event) -> Vec<u8> {
    let whole = envelope(project, event, event.data.as_str(), false);
    if whole.len() <= MAX_BODY { whole } else { envelope(project, event, &thin_data(event), true) }
}

/// Whether [`render`] gives the thin form.
pub fn is_thin(project: ProjectId, event: &Event) -> bool {
    envelope(project, event, event.data.as_str(), false).len() > MAX_BODY
}

fn envelope(project: ProjectId, event: &Event, data: &str, truncated: bool) -> Vec<u8> {
    let Event { id, event_type, timestamp, .. } = event;
    // None of these needs escaping: ids, a dotted lower-case name, a time.
    let head =
        format!(r#"{{"id":"{id}","type":"{event_type}","timestamp":"{timestamp}","project_id":"{project}","data":"#);
    let tail = if truncated { r#","truncated":true}"# } else { "}" };
    [head.as_bytes(), data.as_bytes(), tail.as_bytes()].concat()
}

/// `{"id": …}`: the id in the full data, else the event's own.
fn thin_data(event: &Event) -> String {
    #[derive(serde::Deserialize)]
    struct WithId {
        id: Box<serde_json::value::RawValue>,
    }
    /// A longer id would bring back the very size that the thin form is there to avoid.
    const MAX_ID: usize = 256;
    // As it stands in the data: a text, or a number with every digit.
    let is_id =
        |raw: &str| raw.len() <= MAX_ID && raw.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
    match serde_json::from_str::<WithId>(event.data.as_str()) {
        Ok(WithId { id }) if is_id(id.get()) => format!(r#"{{"id":{}}}"#, id.get()),
        _ => format!(r#"{{"id":"{}"}}"#, event.id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RawJson;
    use crate::time::Timestamp;

    fn event(data: String) -> Event {
        Event {
            id: "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap(),
            event_type: "contact.created".to_owned(),
            data: RawJson::parse(data).unwrap(),
            timestamp: Timestamp::from_millis(1_780_000_000_123),
            request_id: None,
            created_at: Timestamp::default(),
        }
    }

    fn project() -> ProjectId {
        "prj_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap()
    }

    fn rendered(data: String) -> String {
        String::from_utf8(render(project(), &event(data))).unwrap()
    }

    #[test]
    fn re_serialised_body_never_happens_numbers_keys_and_spaces_stay() {
        let data = r#"{ "b": 12345678901234567890123, "a": 1.10, "a": "\u0041" }"#;
        assert_eq!(
            rendered(data.to_owned()),
            format!(
                r#"{{"id":"evt_01ARZ3NDEKTSV4RRFFQ69G5FAV","type":"contact.created","timestamp":"2026-05-28T20:26:40.123Z","project_id":"prj_01ARZ3NDEKTSV4RRFFQ69G5FAV","data":{data}}}"#
            )
        );
    }

    #[test]
    fn a_body_of_exactly_64_kib_is_whole_and_one_byte_more_is_thin() {
        let room = MAX_BODY - rendered(r#"{"id":"con_1","t":""}"#.to_owned()).len();
        let filled = |n: usize| format!(r#"{{"id":"con_1","t":"{}"}}"#, "x".repeat(n));
        assert_eq!(rendered(filled(room)).len(), MAX_BODY);
        let thin = rendered(filled(room + 1));
        assert!(thin.ends_with(r#""data":{"id":"con_1"},"truncated":true}"#), "{thin}");
    }

    #[test]
    fn without_an_id_in_the_data_the_thin_form_carries_the_events() {
        for data in ["", r#""id":null,"#, r#""id":{"a":1},"#] {
            let thin = rendered(format!(r#"{{{data}"t":"{}"}}"#, "x".repeat(MAX_BODY)));
            assert!(thin.contains(r#""data":{"id":"evt_01ARZ3NDEKTSV4RRFFQ69G5FAV"}"#), "{thin}");
        }
    }

    #[test]
    fn a_number_is_an_id_with_every_digit() {
        let thin = rendered(format!(r#"{{"id":12345678901234567890123,"t":"{}"}}"#, "x".repeat(MAX_BODY)));
        assert!(thin.contains(r#""data":{"id":12345678901234567890123},"truncated":true"#), "{thin}");
    }
}
