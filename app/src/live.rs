//! What lives on in the browser after the page stands. Three islands, hydrated one by one: what
//! arrives, whether the line stands, how many dead letters wait. The rest works on the page as it is:
//! links and forms without a reload, keys, the clipboard, the viewer's own time.

#[cfg(feature = "hydrate")]
pub mod browser;
pub mod feed;
pub mod inbox_count;
pub mod line;
pub mod waiting;

pub use feed::{Feed, LiveBatch, LiveRow, feed};
pub use inbox_count::InboxCount;
pub use line::Line;
pub use waiting::Waiting;

use crate::i18n::Locale;

/// The language of the page: the server knows it, the browser reads it from the document.
fn page_locale() -> Locale {
    #[cfg(feature = "hydrate")]
    return browser::page_locale();
    #[cfg(not(feature = "hydrate"))]
    crate::i18n::use_locale()
}
