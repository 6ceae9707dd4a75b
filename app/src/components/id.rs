//! Ids: short to the eye, whole in the title and on the clipboard.

use leptos::prelude::*;

/// The prefix, the first and the last characters.
pub(super) fn shortened(id: &str) -> String {
    match (id.get(..8), id.get(id.len().saturating_sub(6)..)) {
        (Some(head), Some(tail)) if id.len() > 18 => format!("{head}…{tail}"),
        _ => id.to_owned(),
    }
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
    use super::shortened;

    #[test]
    fn an_id_is_shortened_in_the_middle() {
        assert_eq!(shortened("att_01HXY8Z2K5VQGN3PMAB7DEFGHJ"), "att_01HX…DEFGHJ");
        assert_eq!(shortened("req_1"), "req_1");
    }
}
