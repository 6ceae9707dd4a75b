//! The document around the app: language, theme, style sheet, the scripts that hydrate.

use leptos::prelude::*;
use leptos_meta::{HashedStylesheet, MetaTags};

use crate::routes::App;
use crate::ssr::{Theme, use_visitor};

/// The whole document.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let visitor = use_visitor();
    let theme = match visitor.theme {
        Theme::Auto => None,
        chosen => Some(chosen.word()),
    };
    view! {
        <!DOCTYPE html>
        <html lang=visitor.locale.code() data-theme=theme>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <meta name="robots" content="noindex"/>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <HashedStylesheet options=options.clone() id="botix"/>
                <HydrationScripts options=options/>
                <MetaTags/>
            </head>
            <body>
                <App/>
            </body>
        </html>
    }
}
