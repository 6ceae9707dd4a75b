//! What people see: the dashboard of contract section 9, drawn on the server and made live in the
//! browser. Everything works as links and forms first.
#![recursion_limit = "512"]

pub mod api;
pub mod components;
pub mod error;
pub mod i18n;
pub mod live;
pub mod model;
pub mod pages;
pub mod query;
pub mod routes;
#[cfg(feature = "ssr")]
pub mod shell;
#[cfg(feature = "ssr")]
pub mod ssr;

pub use routes::App;
