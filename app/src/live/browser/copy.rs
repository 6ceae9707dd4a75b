//! Buttons that copy: `data-copy` holds the text, or, when empty, the block beside the button does.

use leptos::prelude::window;
use web_sys::Event;

use super::{around, on, page_locale};

pub(super) fn listen() {
    on("click", |event: Event| {
        let Some(button) = around(&event, "[data-copy]") else { return };
        let given = button.get_attribute("data-copy").filter(|text| !text.is_empty());
        let beside = || button.previous_element_sibling().and_then(|block| block.text_content());
        let Some(text) = given.or_else(beside) else { return };
        drop(window().navigator().clipboard().write_text(&text));
        drop(button.class_list().add_1("done"));
        // Inside the button, or right behind it: an id is the button's own text.
        let inside = button.query_selector("[aria-live]").ok().flatten();
        if let Some(said) = inside.or_else(|| button.next_element_sibling()) {
            said.set_text_content(Some(page_locale().copied()));
        }
    });
}
