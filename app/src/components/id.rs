//! Ids: short to the eye, whole in the title and on the clipboard.

use leptos::prelude::*;

/// The prefix, the first and the last characters.
pub(super) fn shortened(id: &str) -> String {
    match (id.get(..8), id.get(id.len().saturating_sub(6)..)) {
        (Some(head), Some(tail)) if id.len() > 18 => format!("{head}…{tail}"),
        _ => id.to_owned(),
    }
}

/// A text in which each long id, key or token is shortened.
pub fn shortened_ids(text: &str) -> String {
    let part_of_id = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !part_of_id(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let is_id = word.split_once('_').is_some_and(|(prefix, ulid)| prefix.len() == 3 && ulid.len() == 26);
        short.push_str(&if is_id { shortened(word) } else { word.to_owned() });
        let next = behind.find(part_of_id).unwrap_or(behind.len());
        let (between, after) = behind.split_at(next);
        short.push_str(between);
        rest = after;
    }
    short
}

/// An id that a click copies.
pub fn id_text(id: String) -> AnyView {
    let short = shortened(&id);
    view! {
        <button type="button" class="copy" title=id.clone() data-copy=id>{short}</button>
        <span class="soft said" aria-live="polite"></span>
    }
    .into_any()
}

/// An id that leads to its page.
pub fn id_link(id: &str, href: String) -> AnyView {
    view! { <a class="id" href=href title=id.to_owned()>{shortened(id)}</a> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::{shortened, shortened_ids};

    #[test]
    fn ids_in_a_text_are_shortened_and_nothing_else() {
        let text = "11 endpoint_id=whe_01HXY8Z2K5VQGN3PMAB7DEFGHJ&reason=attempts_exhausted, ещё «con_1»";
        let short = "11 endpoint_id=whe_01HX…DEFGHJ&reason=attempts_exhausted, ещё «con_1»";
        assert_eq!(shortened_ids(text), short);
    }

    #[test]
    fn an_id_is_shortened_in_the_middle() {
        assert_eq!(shortened("att_01HXY8Z2K5VQGN3PMAB7DEFGHJ"), "att_01HX…DEFGHJ");
        assert_eq!(shortened("req_1"), "req_1");
    }
}
