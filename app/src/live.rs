//! What only a browser does, after the page stands: the stream of new attempts, the viewer's own
//! time, the clipboard, the keyboard. On the server each of these is nothing.

pub mod browser;
mod clock;
mod feed;

pub use clock::{Clock, provide_clock, use_clock};
pub use feed::{Feed, provide_feed, use_feed};
