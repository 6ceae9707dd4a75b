//! Fixed texts: labels, headings, hints, by what they are about.

mod detail;
mod frame;
mod health;
mod lists;
mod lookup;
mod manage;
mod people;

/// A method of `Locale` for each text, both languages side by side, and all of them, for the test that
/// none is missing.
macro_rules! labels {
    ($($name:ident = $ru:literal | $en:literal;)*) => {
        impl Locale {
            $(
                #[doc = $en]
                pub const fn $name(self) -> &'static str {
                    match self { Self::Ru => $ru, Self::En => $en }
                }
            )*
        }

        /// Every text of this group.
        #[cfg(test)]
        pub(super) const fn all() -> &'static [(&'static str, &'static str)] {
            &[$(($ru, $en)),*]
        }
    };
}
use labels;

#[cfg(test)]
mod tests {
    #[test]
    fn no_label_is_empty_and_no_russian_one_is_english() {
        let groups = [
            super::detail::all(),
            super::frame::all(),
            super::health::all(),
            super::lists::all(),
            super::lookup::all(),
            super::manage::all(),
            super::people::all(),
        ];
        for (ru, en) in groups.into_iter().flatten() {
            assert!(!ru.is_empty() && !en.is_empty());
            let latin_by_nature = ["HTTP", "HTTP: 503, 5xx"].contains(ru);
            assert!(latin_by_nature || ru.chars().any(|c| ('а'..='я').contains(&c) || c == 'ё'), "{ru}");
            assert!(!en.chars().any(|c| ('а'..='я').contains(&c)), "{en}");
        }
    }
}
