//! What a browser says about its reader, for pages that are drawn for both languages: the dashboard
//! and the docs read it alike.

/// The languages that there are texts in; the first is spoken when nobody says anything.
pub const LANGUAGES: [&str; 2] = ["ru", "en"];
/// The cookie that remembers a chosen language.
pub const LANGUAGE_COOKIE: &str = "botix_lang";
/// The cookie that remembers a chosen theme: `light`, `dark` or `auto`.
pub const THEME_COOKIE: &str = "botix_theme";

/// The names of the dashboard's session cookie: over TLS, and without it. The inspector never captures one.
pub const SESSION_COOKIES: [&str; 2] = ["__Host-botix_session", "botix_session"];

/// The best liked of [`LANGUAGES`] in an `Accept-Language` header. Languages whose speakers mostly read
/// Russian count as Russian only when it is named itself.
pub fn preferred_language(header: &str) -> Option<&'static str> {
    let mut best: Option<(f32, &'static str)> = None;
    for part in header.split(',') {
        let mut pieces = part.split(';');
        let tag = pieces.next().unwrap_or_default().trim().to_ascii_lowercase();
        let primary = tag.split('-').next().unwrap_or_default();
        let Some(language) = LANGUAGES.into_iter().find(|language| *language == primary) else { continue };
        let weight = pieces.find_map(|p| p.trim().strip_prefix("q=").and_then(|q| q.parse().ok())).unwrap_or(1.0);
        if weight > 0.0 && best.is_none_or(|(most, _)| weight > most) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

/// The first value under `name` in a `Cookie` line.
pub fn cookie<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let pairs = line.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.into_iter().find(|(given, _)| *given == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_liked_language_wins() {
        assert_eq!(preferred_language("de, en-GB;q=0.8, ru;q=0.9"), Some("ru"));
        assert_eq!(preferred_language("en-US,en;q=0.9"), Some("en"));
        assert_eq!(preferred_language("ru;q=0, en;q=0.1"), Some("en"));
        assert_eq!(preferred_language("de-DE, *"), None);
    }

    #[test]
    fn a_cookie_is_not_found_by_a_part_of_its_name() {
        assert_eq!(cookie("xbotix_lang=de; botix_lang=ru; a=b=c", LANGUAGE_COOKIE), Some("ru"));
        assert_eq!(cookie("a=b=c", "a"), Some("b=c"));
    }
}
