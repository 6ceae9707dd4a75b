//! Query strings as the pages' state: read, changed one parameter at a time, and written back into
//! links. Kept as text, so that a parameter of a later version survives.

/// The decoded parameters of a query string without its `?`.
pub fn pairs(query: &str) -> Vec<(String, String)> {
    let parts = query.trim_start_matches('?').split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// The last value under `name` that is not empty.
pub fn value(query: &str, name: &str) -> Option<String> {
    pairs(query).into_iter().rev().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v)
}

/// The query with `name` set to `new`, or without it.
pub fn with(query: &str, name: &str, new: Option<&str>) -> String {
    let mut kept: Vec<_> = pairs(query).into_iter().filter(|(n, v)| n != name && !v.is_empty()).collect();
    if let Some(new) = new {
        kept.push((name.to_owned(), new.to_owned()));
    }
    write(&kept)
}

/// The query without these parameters.
pub fn without(query: &str, names: &[&str]) -> String {
    let kept: Vec<_> =
        pairs(query).into_iter().filter(|(n, v)| !names.contains(&n.as_str()) && !v.is_empty()).collect();
    write(&kept)
}

/// What says which rows are wanted: the query without the place in the list and without the traces
/// of a finished action.
pub fn filters(query: &str) -> String {
    without(&list(query), &["cursor", "before"])
}

/// What the list is drawn from: the query without the traces of a finished action.
pub fn list(query: &str) -> String {
    without(query, &["retried", "problem", "sent", "refused", "put_aside", "at"])
}

/// The comma-separated value under `name` with `word` put in, or taken out if it was in.
pub fn toggled(query: &str, name: &str, word: &str) -> String {
    let before = value(query, name).unwrap_or_default();
    let mut words: Vec<&str> = before.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
    match words.iter().position(|w| *w == word) {
        Some(index) => drop(words.remove(index)),
        None => words.push(word),
    }
    words.sort_unstable();
    let after = words.join(",");
    with(query, name, (!after.is_empty()).then_some(after.as_str()))
}

/// `path` with `?query`, or bare.
pub fn href(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// What of an absolute URL stands in the first line of a request.
pub fn path_and_query(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    match rest.find(['/', '?']).map(|at| &rest[at..]) {
        Some(target) if target.starts_with('/') => target.to_owned(),
        target => format!("/{}", target.unwrap_or_default()),
    }
}

/// Writes parameters.
pub fn write(pairs: &[(String, String)]) -> String {
    let parts: Vec<String> = pairs.iter().map(|(n, v)| format!("{}={}", encode(n), encode(v))).collect();
    parts.join("&")
}

fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b',' | b':' | b'*' => {
                out.push(char::from(byte));
            }
            _ => {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                out.push('%');
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
    out
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let hex =
            |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16)).and_then(|d| u8::try_from(d).ok());
        match (bytes[index], hex(index + 1), hex(index + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(high * 16 + low);
                index += 2;
            }
            (b'+', ..) => out.push(b' '),
            (byte, ..) => out.push(byte),
        }
        index += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_put_in_and_taken_out_and_the_rest_stays() {
        let query = "status=delivered&endpoint_id=whe_1";
        let two = toggled(query, "status", "dead_lettered");
        assert_eq!(value(&two, "status").as_deref(), Some("dead_lettered,delivered"));
        assert_eq!(value(&two, "endpoint_id").as_deref(), Some("whe_1"));
        let none = toggled(&toggled(&two, "status", "delivered"), "status", "dead_lettered");
        assert_eq!(none, "endpoint_id=whe_1");
    }

    #[test]
    fn every_text_survives_the_way_through_a_link() {
        for text in ["contact.*", "a b&c=d+e%", "Ёж «и» №7", "2026-05-22T14:00:00Z"] {
            assert_eq!(value(&with("", "q", Some(text)), "q").as_deref(), Some(text));
        }
        assert_eq!(value("q=%zz&q=%4", "q").as_deref(), Some("%4"));
    }

    #[test]
    fn changing_a_filter_leaves_the_place_in_the_list_behind() {
        assert_eq!(filters("?status=retrying&cursor=abc&retried=dlv_1&endpoint_id="), "status=retrying");
        assert_eq!(list("cursor=abc&problem=forbidden"), "cursor=abc");
    }
}
