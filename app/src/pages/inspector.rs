//! The inspector: bins with addresses of their own, and everything that is sent there.

pub mod bin;
pub mod bins;
pub mod capture;
mod check;
pub mod compare;
pub mod forms;
pub mod rehearse;
pub mod replay;

pub use bin::BinPage;
pub(crate) use bin::capture_row;
pub use bins::BinsPage;
pub use capture::CapturePage;
pub use compare::ComparePage;
pub use forms::{DeleteBinPage, EditBinPage, NewBinPage};
pub use rehearse::RehearsePage;
pub use replay::ReplayPage;

use leptos::prelude::*;

use crate::query;

/// The part of the query that says which page of a list is shown.
fn use_place() -> Memo<String> {
    let whole = super::use_list_query();
    Memo::new(move |_| query::without(&whole.get(), &["with", "event_id", "endpoint_id"]))
}

/// A fault beside its field.
fn fault(id: String, text: String) -> AnyView {
    use crate::components::{Icon, icon};
    view! { <p class="fault" id=id role="alert">{icon(Icon::Warning)}{text}</p> }.into_any()
}

/// A link back that stands above a panel's content.
fn back(href: String, label: &'static str) -> AnyView {
    view! { <p class="crumbs"><a href=href data-noscroll>"← "{label}</a></p> }.into_any()
}
