//! Russian and English. One table holds both texts of each entry side by side, so that a missing
//! translation does not compile.

#[cfg(feature = "ssr")]
mod actions;
#[cfg(feature = "ssr")]
mod inspector;
mod labels;
mod moment;
mod outcomes;
#[cfg(feature = "ssr")]
mod people;
mod plural;
mod sentences;
pub mod words;

#[cfg(feature = "ssr")]
pub use inspector::SIGNATURE_CAUSES;
pub use moment::{Civil, duration_words, full_date, month, short_civil, utc_moment};
pub use plural::plural;
pub use words::Word;

use leptos::prelude::use_context;

/// The language of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// Русский.
    #[default]
    Ru,
    /// English.
    En,
}

impl Locale {
    /// As in `<html lang>` and in the cookie.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ru => "ru",
            Self::En => "en",
        }
    }

    /// Of a code.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "ru" => Some(Self::Ru),
            "en" => Some(Self::En),
            _ => None,
        }
    }

    /// The better liked of our two languages in an `Accept-Language` header. Languages whose speakers
    /// mostly read Russian count as Russian only when it is named itself.
    pub fn from_accept_language(header: &str) -> Option<Self> {
        domain::visitor::preferred_language(header).and_then(Self::from_code)
    }
}

/// The language of the page being drawn.
pub fn use_locale() -> Locale {
    use_context().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Locale;

    #[test]
    fn the_better_liked_language_wins() {
        assert_eq!(Locale::from_accept_language("de, en-GB;q=0.8, ru;q=0.9"), Some(Locale::Ru));
        assert_eq!(Locale::from_accept_language("en-US,en;q=0.9"), Some(Locale::En));
        assert_eq!(Locale::from_accept_language("ru;q=0, en;q=0.1"), Some(Locale::En));
        assert_eq!(Locale::from_accept_language("de-DE, *"), None);
    }
}
