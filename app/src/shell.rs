//! The document around the app: language, theme, style sheet, the scripts that hydrate.

use leptos::nonce::use_nonce;
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
    // Leptos's own scripts would repeat the nonce in `crossorigin`.
    let file = |ending: &str| format!("/{}/{}.{ending}", options.site_pkg_dir, options.output_name);
    let (script, module) = (file("js"), file("wasm"));
    // Only islands are hydrated: the data that pages are drawn from need not travel once more.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    view! {
        <!DOCTYPE html>
        <html lang=visitor.locale.code() data-theme=theme data-zone=visitor.zone data-keys=visitor.keys_off.then_some("off")>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <meta name="robots" content="noindex"/>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <HashedStylesheet options=options id="botix"/>
                <link rel="modulepreload" href=script.clone()/>
                <link rel="preload" href=module.clone() r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/>
                <script type="module" nonce=use_nonce()>
                    {loader(&script, &module)}
                </script>
                <MetaTags/>
            </head>
            <body>
                <App/>
            </body>
        </html>
    }
}

/// Loads the module; then, and whenever a page or a part of one has been put in place, hydrates the
/// islands that are in it.
fn loader(script: &str, module: &str) -> String {
    format!(
        "import init, * as islands from {script:?};\n\
         await init({{ module_or_path: {module:?} }});\n\
         addEventListener(\"botix:drawn\", (event) => {{\n\
         for (const each of event.target.querySelectorAll(\"leptos-island\")) islands[each.dataset.component](each);\n\
         }});\n\
         islands.hydrate();"
    )
}
