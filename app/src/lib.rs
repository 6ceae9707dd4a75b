//! What people see: the dashboard of contract section 9, drawn on the server; the parts that live on
//! in the browser are islands. Everything works as links and forms first.
#![recursion_limit = "512"]

pub mod i18n;
pub mod live;
pub mod query;

#[cfg(feature = "ssr")]
pub mod api;
#[cfg(feature = "ssr")]
pub mod components;
#[cfg(feature = "ssr")]
pub mod error;
#[cfg(feature = "ssr")]
pub mod model;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod routes;
#[cfg(feature = "ssr")]
pub mod shell;
#[cfg(feature = "ssr")]
pub mod ssr;

#[cfg(feature = "ssr")]
pub use routes::App;
