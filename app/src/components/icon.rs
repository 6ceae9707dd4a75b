//! Icons, drawn inline: a policy without `data:` and a page without requests for them.

use leptos::prelude::*;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Arrived.
    Check,
    /// Will be tried again.
    Again,
    /// Given up.
    Cross,
    /// Broken off.
    Broken,
    /// Waiting.
    Dots,
    /// Passed over.
    Skip,
    /// Look for.
    Search,
    /// More below.
    Down,
    /// More beside.
    Right,
    /// Close.
    Close,
    /// Light theme.
    Sun,
    /// Dark theme.
    Moon,
    /// The system's theme.
    Half,
    /// Something failed.
    Warning,
    /// A person.
    Person,
    /// Copy.
    Copy,
    /// The product's mark.
    Mark,
    /// A key.
    Key,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Self::Check => "M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM5.25 8.25l1.9 1.9 3.6-4",
            Self::Again => "M13.75 8a5.75 5.75 0 1 1-1.7-4.08M13.75 1.75v2.9h-2.9",
            Self::Cross => "M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2",
            Self::Broken => "M8.75 1.75 4.5 8.75h3.25l-.75 5.5 4.5-7.5H8l.75-5Z",
            Self::Dots => "M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM8 4.75V8l2.25 1.5",
            Self::Skip => "M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM5 8h6",
            Self::Search => "M7 2.25a4.75 4.75 0 1 0 0 9.5 4.75 4.75 0 0 0 0-9.5ZM10.5 10.5l3.25 3.25",
            Self::Down => "m4.5 6.5 3.5 3.5 3.5-3.5",
            Self::Right => "m6.5 4.5 3.5 3.5-3.5 3.5",
            Self::Close => "M4 4l8 8M12 4l-8 8",
            Self::Sun => {
                "M8 5.25a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5ZM8 1.25v1.5M8 13.25v1.5M1.25 8h1.5M13.25 8h1.5M3.2 3.2l1.1 1.1M11.7 11.7l1.1 1.1M3.2 12.8l1.1-1.1M11.7 4.3l1.1-1.1"
            }
            Self::Moon => "M13.25 9.6A5.75 5.75 0 0 1 6.4 2.75a5.75 5.75 0 1 0 6.85 6.85Z",
            Self::Half => {
                "M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM8 1.75v12.5M8 4.5l5 0M8 8h6.25M8 11.5h5"
            }
            Self::Warning => "M8 2.25 1.75 13.5h12.5L8 2.25ZM8 6.5v3.25M8 11.6v.15",
            Self::Person => {
                "M8 2.25a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5ZM2.75 13.75c.5-2.6 2.6-4 5.25-4s4.75 1.4 5.25 4"
            }
            Self::Copy => "M5.75 5.75h7.5v7.5h-7.5zM10.25 5.75v-3h-7.5v7.5h3",
            Self::Key => "M10 2.25a3.75 3.75 0 1 0 0 7.5 3.75 3.75 0 0 0 0-7.5ZM7.25 8.75l-5 5M4.5 11.5l1.75 1.75",
            Self::Mark => "M2 3.5h7.5L14 8l-4.5 4.5H2L5.5 8 2 3.5Z",
        }
    }
}

/// An icon of 16 pixels in the colour of the text; words beside it say what it means.
pub fn icon(icon: Icon) -> AnyView {
    view! {
        <svg
            width="16"
            height="16"
            viewBox="0 0 16 16"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
        >
            <path d=icon.path()></path>
        </svg>
    }
    .into_any()
}
