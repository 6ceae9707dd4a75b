//! The small kit that every page is made of, on native elements.

pub mod active_filters;
pub mod chart;
mod chart_range;
pub mod code;
pub mod detail;
pub mod filter_form;
pub mod frame;
pub mod icon;
pub mod id;
pub mod inbox;
pub mod ladder;
pub mod notice;
pub mod pager;
pub mod request_table;
pub mod retry;
pub mod status;
pub mod trace;
pub mod when;

pub use active_filters::active_filters;
pub use chart::chart;
pub use code::{code, fold, header_lines};
pub use detail::{DetailPanel, next_step, siblings};
pub use filter_form::FilterForm;
pub use frame::ProjectFrame;
pub(crate) use frame::switches;
pub use icon::{Icon, icon};
pub use id::{id_link, id_text};
pub use inbox::{failing_banner, groups};
pub use ladder::ladder;
pub use notice::{error_box, retried_notice};
pub use pager::pager;
pub use request_table::request_table;
pub use retry::RetryButton;
pub use status::{answer_code, attempt_status, code_of, delivery_status};
pub use trace::{page_of, trace_steps};
pub use when::{exactly, until, when};
