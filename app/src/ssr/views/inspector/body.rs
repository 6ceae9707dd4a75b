//! A captured body in every form that it can be read in. Nothing of it is interpreted.

use std::fmt::Write as _;

use crate::model::BodyView;
use crate::query;
use crate::ssr::views::json;

/// So much of a body is shown; the rest is in the download.
const SHOWN: usize = 128 * 1024;
/// So much of it as bytes.
const DUMPED: usize = 4 * 1024;
/// Bytes in one line of a dump.
const LINE: usize = 16;

/// From the exact bytes, and what the sender says that they are.
pub(super) fn view(bytes: &[u8], content_type: &str) -> BodyView {
    let text = std::str::from_utf8(bytes).ok();
    let whole = text.filter(|text| text.len() <= SHOWN);
    let is_form = content_type.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded");
    BodyView {
        bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        json: whole.and_then(pretty),
        fields: whole.filter(|_| is_form).map(query::pairs).unwrap_or_default(),
        text: text.map(|text| head(text).to_owned()),
        hex: dump(bytes.get(..DUMPED).unwrap_or(bytes)),
        cut: bytes.len() > if text.is_some() { SHOWN } else { DUMPED },
    }
}

/// JSON indented; `None` when it is none, or no object or list.
pub(super) fn pretty(text: &str) -> Option<String> {
    let compound = text.trim_start().starts_with(['{', '[']);
    let is_json = compound && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    is_json.then(|| json::indented(text))
}

fn head(text: &str) -> &str {
    let end = (0..=SHOWN.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// `00000010  7b 22 69 64 …  {"id…`.
fn dump(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 5);
    for (index, line) in bytes.chunks(LINE).enumerate() {
        // Writing into a string cannot fail.
        let _ = write!(out, "{:08x} ", index * LINE);
        for at in 0..LINE {
            let gap = if at == LINE / 2 { "  " } else { " " };
            let _ = match line.get(at) {
                Some(byte) => write!(out, "{gap}{byte:02x}"),
                None => write!(out, "{gap}  "),
            };
        }
        let shown = line.iter().map(|byte| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '.' });
        out.push_str("  ");
        out.extend(shown);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_dumped_sixteen_a_line() {
        let shown = dump(b"{\"id\":\"evt\"}\n\x00\xff!?");
        assert_eq!(
            shown,
            "00000000  7b 22 69 64 22 3a 22 65  76 74 22 7d 0a 00 ff 21  {\"id\":\"evt\"}...!\n\
             00000010  3f                                                ?\n"
        );
    }

    #[test]
    fn what_is_no_text_is_shown_as_bytes_alone() {
        let shown = view(b"\x00\xff{", "application/json");
        assert_eq!((shown.bytes, shown.text, shown.json, shown.cut), (3, None, None, false));
    }

    #[test]
    fn a_form_is_read_as_fields_and_json_is_indented() {
        let form = view(b"a=1&b=%D0%9F%3C", "application/x-www-form-urlencoded; charset=utf-8");
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(form.fields, [field("a", "1"), field("b", "П<")]);
        assert_eq!(view(b"{\"a\":1}", "").json.as_deref(), Some("{\n  \"a\": 1\n}"));
        assert_eq!(view(b"7", "").json, None);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let long = "ж".repeat(SHOWN);
        let shown = view(long.as_bytes(), "text/plain");
        assert!(shown.cut);
        assert_eq!(shown.text.unwrap().len(), SHOWN);
    }
}
