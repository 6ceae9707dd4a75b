//! The list with its filters, as a file.

use leptos::prelude::*;

use crate::i18n::use_locale;
use crate::query;

/// Two links; `list` is the file's name without its ending.
pub fn export_links(project: &str, list: &str, filters: &str) -> AnyView {
    let locale = use_locale();
    let link = |ending: &'static str, label: &'static str| {
        let href = query::href(&format!("/developers/{project}/export/{list}.{ending}"), filters);
        view! { <a href=href rel="external" download>{label}</a> }
    };
    view! { <p class="export soft">{locale.export()}" "{link("csv", "CSV")}" · "{link("ndjson", "NDJSON")}</p> }
        .into_any()
}
