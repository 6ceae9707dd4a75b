//! The guides: Markdown, with the example files that the tests run.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::html::Html;
use super::page::Page;
use super::reader::Reader;
use crate::state::ApiConfig;

/// The files that stand in the guides as they are run.
const EXAMPLES: [(&str, &str); 4] = [
    ("{{receiver.py}}", include_str!("examples/receiver.py")),
    ("{{receiver.mjs}}", include_str!("examples/receiver.mjs")),
    ("{{receiver.php}}", include_str!("examples/receiver.php")),
    ("{{try.sh}}", include_str!("examples/try.sh")),
];

/// `/docs/webhooks`
pub(super) fn webhooks(config: &ApiConfig, reader: &Reader) -> Page {
    let text = reader.pick(include_str!("text/webhooks.en.md"), include_str!("text/webhooks.ru.md"));
    guide(reader.pick("Receiving webhooks", "Как принимать вебхуки"), text, config)
}

/// `/docs/reliability`
pub(super) fn reliability(config: &ApiConfig, reader: &Reader) -> Page {
    let text = reader.pick(include_str!("text/reliability.en.md"), include_str!("text/reliability.ru.md"));
    guide(reader.pick("A client that does not break", "Клиент, который не сломается"), text, config)
}

/// `/docs/migration-1.0-1.1`
pub(super) fn migration(config: &ApiConfig, reader: &Reader) -> Page {
    let text = reader.pick(include_str!("text/migration.en.md"), include_str!("text/migration.ru.md"));
    guide(reader.pick("Migrating from 1.0 to 1.1", "Переход с 1.0 на 1.1"), text, config)
}

/// `/docs`
pub(super) fn index(reader: &Reader) -> Page {
    let cards = [
        (
            "/docs/api",
            reader.pick("API reference", "Справочник API"),
            reader.pick("Every operation, parameter, answer and error.", "Каждая операция, параметр, ответ и ошибка."),
        ),
        (
            "/docs/webhooks",
            reader.pick("Receiving webhooks", "Как принимать вебхуки"),
            reader.pick(
                "Verify, de-duplicate, order. Receivers in Python, Node.js and PHP.",
                "Проверить, отсеять повторы, упорядочить. Получатели на Python, Node.js и PHP.",
            ),
        ),
        (
            "/docs/reliability",
            reader.pick("A client that does not break", "Клиент, который не сломается"),
            reader.pick("Keys, cursors, time-outs, retries.", "Ключи, курсоры, тайм-ауты, повторы."),
        ),
        (
            "/docs/error-codes",
            reader.pick("Error codes", "Коды ошибок"),
            reader.pick(
                "The 16: cause, remedy, and whether to try again.",
                "Все 16: причина, что делать и повторять ли.",
            ),
        ),
        (
            "/docs/migration-1.0-1.1",
            reader.pick("Migrating from 1.0 to 1.1", "Переход с 1.0 на 1.1"),
            reader.pick("Before and after.", "Было и стало."),
        ),
        (
            "/docs/changelog",
            reader.pick("Changelog", "Изменения"),
            reader.pick("What changed, also as RSS.", "Что изменилось, также в RSS."),
        ),
    ];
    let mut html = Html::default();
    html.raw("<ul class=\"cards\">");
    for (path, title, about) in cards {
        html.raw("<li><h2>").link(path, title).raw("</h2>").element("p", about).raw("</li>");
    }
    html.raw("</ul>");
    let title = reader.pick("For developers", "Разработчикам");
    Page { title, contents: Vec::new(), body: html.finish() }
}

/// Any other path.
pub(super) fn lost(reader: &Reader) -> Page {
    let mut html = Html::default();
    html.raw("<p>").link("/docs", reader.pick("All pages", "Все страницы")).raw("</p>");
    let title = reader.pick("There is no such page", "Такой страницы нет");
    Page { title, contents: Vec::new(), body: html.finish() }
}

fn guide(title: &'static str, markdown: &str, config: &ApiConfig) -> Page {
    let sunset = config.offset_sunset.to_rfc3339();
    let api = if config.api_url.is_empty() { "https://api.botix.pro" } else { &config.api_url };
    let mut text = markdown.replace("{{api}}", api).replace("{{sunset}}", &sunset[..10]);
    for (name, file) in EXAMPLES {
        text = text.replace(name, file.trim_end());
    }
    Page { title, contents: headings(&text), body: render(&text) }
}

/// Markdown as HTML. Only our own texts come here.
pub(super) fn render(markdown: &str) -> String {
    let mut html = String::new();
    // A wide table scrolls by itself, not the page.
    let events = Parser::new_ext(markdown, options()).flat_map(|event| match event {
        Event::Start(Tag::Table(_)) => vec![Event::Html("<div class=\"scroll\">".into()), event],
        Event::End(TagEnd::Table) => vec![event, Event::Html("</div>".into())],
        event => vec![event],
    });
    pulldown_cmark::html::push_html(&mut html, events);
    html
}

/// The second-level headings that have anchors.
fn headings(markdown: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for event in Parser::new_ext(markdown, options()) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, id: Some(id), .. }) => {
                inside = true;
                found.push((id.to_string(), String::new()));
            }
            Event::End(TagEnd::Heading(_)) => inside = false,
            Event::Text(text) | Event::Code(text) if inside => {
                if let Some((_, title)) = found.last_mut() {
                    title.push_str(&text);
                }
            }
            _ => {}
        }
    }
    found
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES
}
