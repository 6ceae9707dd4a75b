//! Payloads and headers. Whatever they hold, they are text.

use leptos::prelude::*;

use super::{Icon, icon};
use crate::i18n::use_locale;
use crate::live::browser;

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
    let (locale, copied) = (use_locale(), RwSignal::new(false));
    let whole = text.clone();
    let copy = move |_| {
        browser::copy(&whole);
        copied.set(true);
    };
    view! {
        <div class="code-block">
            <pre tabindex="0">{text}</pre>
            <button type="button" class="button quiet icon js-only" title=locale.copy() on:click=copy>
                {move || icon(if copied.get() { Icon::Check } else { Icon::Copy })}
                <span class="hidden-text" aria-live="polite">
                    {move || if copied.get() { locale.copied() } else { locale.copy() }}
                </span>
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
