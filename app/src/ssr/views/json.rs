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

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::indented;

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
