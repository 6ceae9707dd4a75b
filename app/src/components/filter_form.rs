//! A filter form: a plain `GET` form, which the browser's half turns into a navigation without a
//! reload, leaving out what is empty.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::live::browser;
use crate::query;

/// Leads to `action` with the fields as its query.
#[component]
pub fn FilterForm(
    /// The list's path.
    action: String,
    /// The fields.
    children: Children,
) -> impl IntoView {
    let navigate = use_navigate();
    let path = action.clone();
    let go = move |event: leptos::ev::SubmitEvent| {
        if let Some(fields) = browser::form_query(&event) {
            event.prevent_default();
            let options = NavigateOptions { scroll: false, ..NavigateOptions::default() };
            navigate(&query::href(&path, &query::without(&fields, &[])), options);
        }
    };
    view! {
        <form class="filter-form" method="get" action=action on:submit=go>
            {children()}
        </form>
    }
    .into_any()
}
