//! What the one search box understands (contract section 9): a pasted text, from a bare id to a whole
//! e-mail or a curl line, and every id and idempotency key in it.

use std::collections::BTreeSet;

use crate::id::{PREFIXES, Ulid};
use crate::idempotency_key::{self, IdempotencyKey};

/// More than so many different things in one text are not looked for.
pub const MOST: usize = 20;
/// The characters of an id's second part.
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BODY: usize = 26;

/// Something in a pasted text that can be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// An id in its one spelling, whatever case and look-alike letters it was pasted with.
    Id(String),
    /// It begins like an id, e.g. `evt_`, and is none.
    Broken(String),
    /// The second part of an id alone.
    Bare(String),
    /// What may be an idempotency key.
    Key(String),
}

/// Everything in a text, in its order, each thing once, at most [`MOST`].
pub fn read(text: &str) -> Vec<Sought> {
    let mut found: Vec<Sought> = Vec::new();
    let mut put = |sought: Sought| {
        if found.len() < MOST && !found.contains(&sought) {
            found.push(sought);
        }
    };
    ids(text).into_iter().for_each(&mut put);
    keys(text).into_iter().for_each(&mut put);
    let whole = clean(text);
    let one_word = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_graphic()) && whole.len() <= 255;
    if one_word && !matches!(found.first(), Some(Sought::Id(_))) {
        match canonical(whole) {
            Some(body) => found.push(Sought::Bare(body)),
            None if found.is_empty() => {}
            None => return found,
        }
        if let Ok(key) = IdempotencyKey::parse(whole.as_bytes()) {
            found.push(Sought::Key(key.to_string()));
        }
    }
    found
}

/// White space and quotation marks are what copying leaves around a word.
fn clean(text: &str) -> &str {
    text.trim().trim_matches(|c| "\"'`«»“”„,;<>()".contains(c)).trim()
}

fn ids(text: &str) -> Vec<Sought> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at + 4 <= bytes.len() {
        let inside_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        let prefix = PREFIXES.iter().find(|prefix| bytes[at..at + 4].eq_ignore_ascii_case(prefix.as_bytes()));
        let Some(prefix) = prefix.filter(|_| !inside_word) else {
            at += 1;
            continue;
        };
        let rest = &bytes[at + 4..];
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        // Cut on ASCII on both sides, so that this is a boundary of characters.
        let body = text.get(at + 4..at + 4 + length).unwrap_or_default();
        // A word that only happens to begin so, e.g. `key_name`, goes on with an underscore.
        let goes_on = rest.get(length) == Some(&b'_');
        match canonical(body) {
            Some(body) if !goes_on => found.push(Sought::Id(format!("{prefix}{body}"))),
            _ if (16..=40).contains(&length) => found.push(Sought::Broken(format!("{prefix}{}", body.to_uppercase()))),
            _ => {}
        }
        at += 4 + length;
    }
    found
}

/// The one spelling of an id's second part.
fn canonical(body: &str) -> Option<String> {
    if body.len() != BODY || !body.is_ascii() {
        return None;
    }
    // In Crockford's alphabet I and L read as 1, O as 0.
    let upper: String = body
        .bytes()
        .map(|b| match b.to_ascii_uppercase() {
            b'I' | b'L' => '1',
            b'O' => '0',
            other => char::from(other),
        })
        .collect();
    let valid = upper.bytes().all(|b| CROCKFORD.contains(&b)) && upper.as_bytes()[0] <= b'7';
    (valid && Ulid::from_string(&upper).is_ok()).then_some(upper)
}

/// The values of `Idempotency-Key:` lines, as in a curl command or in copied headers.
fn keys(text: &str) -> Vec<Sought> {
    let lower = text.to_ascii_lowercase();
    let name = format!("{}:", idempotency_key::HEADER.to_ascii_lowercase());
    let starts = lower.match_indices(&name).map(|(at, name)| at + name.len());
    let values = starts.map(|start| text.get(start..).unwrap_or_default());
    let value = |rest: &str| {
        let line = rest.split(['\n', '\r']).next().unwrap_or_default().trim_start();
        let quoted = line.starts_with('"') || line.starts_with("\\\"");
        let line = line.trim_start_matches(['\\', '"']);
        let end = line.find(|c: char| c == '"' || c == '\'' || c == '\\' || (c.is_whitespace() && !quoted));
        IdempotencyKey::parse(&line.as_bytes()[..end.unwrap_or(line.len())]).ok()
    };
    values.filter_map(value).map(|key| Sought::Key(key.to_string())).collect()
}

/// Every id that differs from this one by one slip: a wrong character, two swapped, one too many, one
/// missing. Never the id itself.
pub fn one_slip_away(id: &str) -> Vec<String> {
    let Some((prefix, body)) = id.split_at_checked(4) else { return Vec::new() };
    if !body.is_ascii() {
        return Vec::new();
    }
    let body = body.as_bytes();
    let mut found = BTreeSet::new();
    let mut put = |bytes: Vec<u8>| {
        if let Some(body) = String::from_utf8(bytes).ok().and_then(|text| canonical(&text)) {
            found.insert(format!("{prefix}{body}"));
        }
    };
    match body.len() {
        BODY => {
            for at in 0..BODY {
                for letter in CROCKFORD {
                    let mut other = body.to_vec();
                    other[at] = *letter;
                    put(other);
                }
                let mut swapped = body.to_vec();
                if at + 1 < BODY {
                    swapped.swap(at, at + 1);
                    put(swapped);
                }
            }
        }
        25 => {
            for at in 0..=body.len() {
                for letter in CROCKFORD {
                    let mut longer = body.to_vec();
                    longer.insert(at, *letter);
                    put(longer);
                }
            }
        }
        27 => {
            for at in 0..body.len() {
                let mut shorter = body.to_vec();
                shorter.remove(at);
                put(shorter);
            }
        }
        _ => {}
    }
    found.remove(id);
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ULID: &str = "01HXY8Z2K5VQGN3PMAB7DEFGHJ";

    #[test]
    fn every_id_in_an_e_mail_is_found_once_and_in_order() {
        let text = format!("Hello,\nour call (req_{ULID}) failed, see <evt_{ULID}>.\n> again: req_{ULID}, thanks");
        assert_eq!(read(&text), [Sought::Id(format!("req_{ULID}")), Sought::Id(format!("evt_{ULID}"))]);
    }

    #[test]
    fn what_copying_and_retyping_leave_is_forgiven() {
        let id = format!("evt_{ULID}");
        let retyped = id.replace('0', "o").replace('1', "l");
        for text in [format!("  {id}\n"), format!("\"{id}\","), id.to_lowercase(), format!("«{id}»"), retyped] {
            assert_eq!(read(&text), [Sought::Id(id.clone())], "{text}");
        }
    }

    #[test]
    fn a_curl_line_gives_its_key_and_its_ids() {
        let curl = format!(
            "curl -X POST https://api.botix.pro/public/v1/contacts/con_{ULID} -H 'Idempotency-Key: 7c1e-aa' -H \"X: y\""
        );
        assert_eq!(read(&curl), [Sought::Id(format!("con_{ULID}")), Sought::Key("7c1e-aa".to_owned())]);
        assert_eq!(read("idempotency-key: \"7c1e\"\r\nhost: x"), [Sought::Key("7c1e".to_owned())]);
        assert_eq!(read(r#"-H "Idempotency-Key: k 1""#), [Sought::Key("k".to_owned())]);
    }

    #[test]
    fn one_word_that_is_no_id_may_be_a_key_and_prose_is_nothing() {
        let uuid = "6f1b3c1e-50b1-4a3f-9a54-0f1d7f7b7f10";
        assert_eq!(read(uuid), [Sought::Key(uuid.to_owned())]);
        assert_eq!(read(ULID), [Sought::Bare(ULID.to_owned()), Sought::Key(ULID.to_owned())]);
        for nothing in ["", "  ", "помогите пожалуйста", "the key_name of my api_key"] {
            assert_eq!(read(nothing), [], "{nothing}");
        }
    }

    #[test]
    fn an_id_with_a_letter_missing_is_told_as_broken() {
        let short = format!("evt_{}", &ULID[1..]);
        assert!(read(&format!("see {short} there")).contains(&Sought::Broken(short)));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in ".{0,400}") {
            let found = read(&text);
            prop_assert!(found.len() <= MOST + 2);
        }

        #[test]
        fn an_id_is_found_in_any_surroundings(bits: u128, before in "[^A-Za-z0-9_]{0,20}", after in "[^A-Za-z0-9_]{0,20}") {
            let id = format!("dlv_{}", Ulid(bits));
            let found = read(&format!("{before}{id}{after}"));
            prop_assert!(found.contains(&Sought::Id(id)));
        }

        #[test]
        fn one_slip_leads_back(bits: u128, at in 0_usize..26, letter in 0_usize..32, kind in 0_u8..4) {
            let id = format!("evt_{}", Ulid(bits));
            let mut body = id.as_bytes()[4..].to_vec();
            match kind {
                0 => body[at] = CROCKFORD[letter],
                1 => body.insert(at, CROCKFORD[letter]),
                2 => drop(body.remove(at)),
                _ => body.swap(at, (at + 1).min(25)),
            }
            let slipped = format!("evt_{}", String::from_utf8(body).unwrap());
            prop_assert!(slipped == id || one_slip_away(&slipped).contains(&id));
        }
    }
}
