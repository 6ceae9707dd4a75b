//! Two requests beside each other, as text: a sign, a word for screen readers and a colour say which
//! line is whose.

use leptos::prelude::*;

use super::fold;
use crate::i18n::Locale;
use crate::model::{DiffLine, Difference};

/// What differs, in the first lines and in the body.
pub fn difference(locale: Locale, found: Difference) -> AnyView {
    let same = found.same_head();
    view! {
        {(!same).then(|| fold(locale.headers_title(), None, true, lines(locale, found.head)))}
        {(!found.body.is_empty()).then(|| fold(locale.body_title(), None, true, lines(locale, found.body)))}
    }
    .into_any()
}

fn lines(locale: Locale, lines: Vec<DiffLine>) -> AnyView {
    let lines = lines.into_iter().map(|line| match line {
        DiffLine::Both(text) => view! { <span>"  "{text}"\n"</span> }.into_any(),
        DiffLine::Removed(text) => view! { <del>"- "{text}"\n"</del> }.into_any(),
        DiffLine::Added(text) => view! { <ins>"+ "{text}"\n"</ins> }.into_any(),
        DiffLine::Skipped(count) => view! { <small>{locale.lines_left_out(count)}"\n"</small> }.into_any(),
    });
    view! { <pre class="diff" tabindex="0">{lines.collect_view()}</pre> }.into_any()
}
