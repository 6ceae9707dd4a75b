//! Plural forms: Russian has three for whole numbers, English two (CLDR's cardinal rules).

use super::Locale;

/// The form that belongs to `count`. Russian: one, few, many; English: one and other, given as the
/// first and the last.
pub fn plural(locale: Locale, count: u64, forms: [&'static str; 3]) -> &'static str {
    let [one, few, many] = forms;
    match locale {
        Locale::En if count == 1 => one,
        Locale::En => many,
        Locale::Ru => match (count % 10, count % 100) {
            (1, tens) if tens != 11 => one,
            (2..=4, tens) if !(12..=14).contains(&tens) => few,
            _ => many,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_has_three_forms_and_the_teens_are_many() {
        let form = |n| plural(Locale::Ru, n, ["попытка", "попытки", "попыток"]);
        for (n, word) in [
            (0, "попыток"),
            (1, "попытка"),
            (2, "попытки"),
            (5, "попыток"),
            (11, "попыток"),
            (14, "попыток"),
            (21, "попытка"),
            (104, "попытки"),
            (111, "попыток"),
        ] {
            assert_eq!(form(n), word, "{n}");
        }
    }

    #[test]
    fn english_has_two() {
        let form = |n| plural(Locale::En, n, ["attempt", "attempts", "attempts"]);
        assert_eq!([form(0), form(1), form(2), form(21)], ["attempts", "attempt", "attempts", "attempts"]);
    }
}
