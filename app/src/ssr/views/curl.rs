//! An attempt's request as a command for a shell.

/// What `curl` sends as the body.
#[derive(Clone, Copy)]
pub(super) enum Data<'a> {
    /// These characters.
    Text(&'a str),
    /// What this file holds.
    File(&'a str),
}

/// `curl` with the same address, headers and body. Quoted for a POSIX shell, so that whatever a
/// payload holds stays data.
pub(super) fn command(url: &str, headers: &[(String, String)], body: &str) -> String {
    request("POST", url, headers, Data::Text(body))
}

/// The same with any method and any body.
pub(super) fn request(method: &str, url: &str, headers: &[(String, String)], data: Data<'_>) -> String {
    let mut text = format!("curl -X {} {}", word(method), quoted(url));
    for (name, value) in headers {
        // curl writes these by itself.
        if ["content-length", "host", "transfer-encoding", "connection"].contains(&&*name.to_ascii_lowercase()) {
            continue;
        }
        text.push_str(" \\\n  -H ");
        text.push_str(&quoted(&format!("{name}: {value}")));
    }
    match data {
        Data::Text("") if method != "POST" => {}
        Data::Text(body) => {
            text.push_str(" \\\n  --data-raw ");
            text.push_str(&quoted(body));
        }
        Data::File(name) => {
            text.push_str(" \\\n  --data-binary ");
            text.push_str(&quoted(&format!("@{name}")));
        }
    }
    text
}

/// A method is letters; any other one is quoted.
fn word(method: &str) -> String {
    if method.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-') {
        method.to_owned()
    } else {
        quoted(method)
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{Data, command, request};

    #[test]
    fn a_quotation_mark_in_the_body_does_not_end_the_argument() {
        let headers = [("Content-Length".to_owned(), "9".to_owned()), ("X-A".to_owned(), "1".to_owned())];
        assert_eq!(
            command("https://a.example/x?y=1&z", &headers, "it's $HOME"),
            "curl -X POST 'https://a.example/x?y=1&z' \\\n  -H 'X-A: 1' \\\n  --data-raw 'it'\\''s $HOME'"
        );
    }

    #[test]
    fn bytes_that_no_argument_can_hold_come_from_a_file() {
        assert_eq!(
            request("PUT", "http://a/", &[], Data::File("c.bin")),
            "curl -X PUT 'http://a/' \\\n  --data-binary '@c.bin'"
        );
        assert_eq!(request("GET", "http://a/", &[], Data::Text("")), "curl -X GET 'http://a/'");
        assert!(request("A$(B)", "u", &[], Data::Text("")).starts_with("curl -X 'A$(B)'"));
    }
}
