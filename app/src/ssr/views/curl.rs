//! An attempt's request as a command for a shell.

/// `curl` with the same address, headers and body. Quoted for a POSIX shell, so that whatever a
/// payload holds stays data.
pub(super) fn command(url: &str, headers: &[(String, String)], body: &str) -> String {
    let mut text = format!("curl -X POST {}", quoted(url));
    for (name, value) in headers {
        // curl writes these two itself.
        if name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("host") {
            continue;
        }
        text.push_str(" \\\n  -H ");
        text.push_str(&quoted(&format!("{name}: {value}")));
    }
    text.push_str(" \\\n  --data-raw ");
    text.push_str(&quoted(body));
    text
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn a_quotation_mark_in_the_body_does_not_end_the_argument() {
        let headers = [("Content-Length".to_owned(), "9".to_owned()), ("X-A".to_owned(), "1".to_owned())];
        assert_eq!(
            command("https://a.example/x?y=1&z", &headers, "it's $HOME"),
            "curl -X POST 'https://a.example/x?y=1&z' \\\n  -H 'X-A: 1' \\\n  --data-raw 'it'\\''s $HOME'"
        );
    }
}
