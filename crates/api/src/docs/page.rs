//! The frame around every page: title, navigation, language, theme.

use super::html::Html;
use super::reader::Reader;
use crate::describe::{Words, words};

/// The pages, in the order of the navigation.
const PAGES: [(&str, Words); 6] = [
    ("/docs/api", words("API", "API")),
    ("/docs/webhooks", words("Webhooks", "Вебхуки")),
    ("/docs/reliability", words("Reliability", "Надёжность")),
    ("/docs/error-codes", words("Error codes", "Коды ошибок")),
    ("/docs/migration-1.0-1.1", words("1.0 → 1.1", "1.0 → 1.1")),
    ("/docs/changelog", words("Changelog", "Изменения")),
];

/// A page's own part.
pub(super) struct Page {
    pub(super) title: &'static str,
    /// Headings with their anchors, for the list beside the text.
    pub(super) contents: Vec<(String, String)>,
    pub(super) body: String,
}

impl Page {
    pub(super) fn to_html(&self, reader: &Reader) -> String {
        let mut html = Html::default();
        html.raw("<!DOCTYPE html><html lang=\"").raw(reader.language).raw("\"");
        if reader.theme != "auto" {
            html.raw(" data-theme=\"").raw(reader.theme).raw("\"");
        }
        html.raw(
            "><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        )
        .raw("<meta name=\"color-scheme\" content=\"light dark\"><title>")
        .text(self.title)
        .raw(" · BOTIX Developers</title><link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">")
        .raw("<link rel=\"stylesheet\" href=\"/pkg/botix.css\">")
        .raw("<link rel=\"alternate\" type=\"application/rss+xml\" href=\"/docs/changelog/rss?lang=")
        .raw(reader.language)
        .raw("\" title=\"BOTIX Developers\"></head><body>");
        html.raw("<a class=\"skip\" href=\"#content\">").text(reader.pick("Skip to the text", "К тексту")).raw("</a>");
        bar(&mut html, reader);
        let columns = if self.contents.is_empty() { "docs" } else { "docs with-contents" };
        html.raw("<div class=\"page ").raw(columns).raw("\">");
        self.contents(&mut html, reader);
        html.raw("<main id=\"content\" class=\"prose\">").element("h1", self.title).raw(&scrollable(&self.body));
        html.raw("</main></div></body></html>");
        html.finish()
    }

    fn contents(&self, html: &mut Html, reader: &Reader) {
        if self.contents.is_empty() {
            return;
        }
        let label = reader.pick("On this page", "На странице");
        html.raw("<nav class=\"contents\" aria-label=\"").text(label).raw("\"><details open><summary>").text(label);
        html.raw("</summary><ul>");
        for (anchor, title) in &self.contents {
            html.raw("<li>").link(&format!("#{anchor}"), title).raw("</li>");
        }
        html.raw("</ul></details></nav>");
    }
}

/// What scrolls sideways can be reached by the keyboard.
fn scrollable(body: &str) -> String {
    body.replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<div class=\"scroll\">", "<div class=\"scroll\" tabindex=\"0\">")
}

fn bar(html: &mut Html, reader: &Reader) {
    html.raw(
        "<header class=\"top\"><div class=\"bar\"><a class=\"brand\" href=\"/docs\">BOTIX <span>Developers</span></a>",
    );
    html.raw("<div class=\"bar-end\">");
    choice(html, reader, "lang", reader.pick("Language", "Язык"), [("ru", "ru"), ("en", "en")], reader.language);
    let themes = [
        ("light", reader.pick("light", "светлая")),
        ("auto", reader.pick("auto", "авто")),
        ("dark", reader.pick("dark", "тёмная")),
    ];
    choice(html, reader, "theme", reader.pick("Theme", "Тема"), themes, reader.theme);
    html.raw("</div></div><nav class=\"tabs\" aria-label=\"").text(reader.pick("Docs", "Документация")).raw("\"><ul>");
    for (path, title) in PAGES {
        html.raw("<li><a href=\"").text(path).raw("\"");
        if reader.path == path {
            html.raw(" aria-current=\"page\"");
        }
        html.raw(">").text(reader.say(title)).raw("</a></li>");
    }
    html.raw("</ul></nav></header>");
}

/// Links that choose: they work without a script, and the choice is remembered.
fn choice<const N: usize>(
    html: &mut Html,
    reader: &Reader,
    name: &str,
    label: &str,
    options: [(&str, &str); N],
    now: &str,
) {
    html.raw("<nav class=\"switch\" aria-label=\"").text(label).raw("\">");
    for (value, text) in options {
        html.raw("<a href=\"").text(&format!("{}?{name}={value}", reader.path)).raw("\"");
        if value == now {
            html.raw(" aria-current=\"true\"");
        }
        html.raw(">").text(text).raw("</a>");
    }
    html.raw("</nav>");
}
