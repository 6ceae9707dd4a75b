//! JSON indented for reading, as text: numbers, escapes and the order of keys stay as they were sent.

/// The text with line breaks and two spaces a level; anything that is not JSON stays as it is.
pub(super) fn indented(text: &str) -> String {
    if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|next| next.is_whitespace()).is_some() {}
                if let Some(end) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    break_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                break_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                break_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

/// The `id` at the top of an object, where it is one of ours.
pub(super) fn top_level_id(text: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        id: String,
    }
    let named: Named = serde_json::from_str(text).ok()?;
    let ours = domain::id::PREFIXES.iter().any(|prefix| named.id.starts_with(prefix));
    (ours && named.id.len() == 30 && named.id.is_ascii()).then_some(named.id)
}

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::{indented, top_level_id};

    #[test]
    fn an_event_says_what_it_is_about() {
        let id = "con_01HXY8Z2K5VQGN3PMAB7DEFGHJ";
        assert_eq!(top_level_id(&format!("{{\"id\":\"{id}\",\"x\":[1]}}")).as_deref(), Some(id));
        for other in ["[]", "{}", r#"{"id":7}"#, r#"{"id":"order-7"}"#, r#"{"id":"con_1"}"#] {
            assert_eq!(top_level_id(other), None, "{other}");
        }
    }

    #[test]
    fn nothing_but_white_space_changes() {
        let text = r#"{"b":[1.10,{"a":"x, {y} \" z"}],"e":{ },"n":12345678901234567890}"#;
        let shown = indented(text);
        assert_eq!(
            shown,
            "{\n  \"b\": [\n    1.10,\n    {\n      \"a\": \"x, {y} \\\" z\"\n    }\n  ],\n  \"e\": {},\n  \"n\": 12345678901234567890\n}"
        );
    }

    #[test]
    fn what_is_no_json_stays() {
        for text in ["", "<h1>502</h1>", "{\"a\":", "plain, text: {"] {
            assert_eq!(indented(text), text);
        }
    }
}
