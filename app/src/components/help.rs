//! The keys, behind `?`: a popover, which opens and closes without JavaScript.

use leptos::prelude::*;

use crate::i18n::Locale;
use crate::ssr::use_visitor;

/// The button and what it opens.
pub fn help(locale: Locale) -> AnyView {
    let rows = [
        ("/", locale.key_search()),
        ("Ctrl K", locale.key_search()),
        ("Esc", locale.key_close()),
        ("← →", locale.key_chart()),
        ("Shift ← →", locale.key_chart_range()),
        ("?", locale.key_help()),
    ];
    let rows = rows.map(|(key, said)| view! { <dt><kbd>{key}</kbd></dt><dd>{said}</dd> }).collect_view();
    let on = !use_visitor().keys_off;
    let (word, label) = if on { ("off", locale.keys_off()) } else { ("on", locale.keys_on()) };
    view! {
        <button type="button" class="button quiet icon help-button" popovertarget="help" aria-label=locale.keys() title=locale.keys()>"?"</button>
        <div class="help" id="help" popover="auto" role="dialog" aria-label=locale.keys()>
            <h2>{locale.keys()}</h2>
            <dl>{rows}</dl>
            <form method="post" action="/developers/preferences">
                <button class="button" type="submit" name="keys" value=word>{label}</button>
            </form>
        </div>
    }
    .into_any()
}
