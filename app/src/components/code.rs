//! Payloads and headers. Whatever they hold, they are text.

use leptos::prelude::*;

use super::{Icon, icon};
use crate::i18n::use_locale;

/// A part that opens and closes without JavaScript.
pub fn fold(title: &'static str, note: Option<String>, open: bool, body: impl IntoView + 'static) -> AnyView {
    view! {
        <details class="fold" open=open>
            <summary>{icon(Icon::Right)}<span>{title}</span>{note.map(|note| view! { <small>{note}</small> })}</summary>
            {body}
        </details>
    }
    .into_any()
}

/// A block of text that can be copied.
pub fn code(text: String) -> AnyView {
    let locale = use_locale();
    view! {
        <div class="code-block">
            <pre tabindex="0">{text}</pre>
            <button type="button" class="button quiet icon js-only" title=locale.copy() data-copy="">
                {icon(Icon::Copy)}
                {icon(Icon::Check)}
                <span class="hidden-text" aria-live="polite">{locale.copy()}</span>
            </button>
        </div>
    }
    .into_any()
}

/// Header lines.
pub fn header_lines(headers: Vec<(String, String)>) -> AnyView {
    let lines = headers.into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> });
    view! { <dl class="lines">{lines.collect_view()}</dl> }.into_any()
}
