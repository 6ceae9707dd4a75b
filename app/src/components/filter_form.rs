//! A filter form: a plain `GET` form. In the browser a choice applies at once, without a reload, and
//! what is empty is left out of the address.

use leptos::prelude::*;

/// Leads to `action` with the fields as its query.
#[component]
pub fn FilterForm(
    /// The list's path.
    action: String,
    /// The fields.
    children: Children,
) -> impl IntoView {
    view! {
        <form class="filter-form" method="get" action=action data-auto>
            {children()}
        </form>
    }
    .into_any()
}
