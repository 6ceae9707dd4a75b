//! `/docs/changelog` and its feed: the only way in which a deprecation is announced beside the headers.

use super::guides::render;
use super::html::Html;
use super::page::Page;
use super::reader::Reader;
use crate::describe::{Words, words};

/// One entry. Never changed once it is out: feed readers remember it by its anchor.
struct Entry {
    anchor: &'static str,
    title: Words,
    /// `2026-05-22`
    date: &'static str,
    /// The same as RFC 822 writes it.
    published: &'static str,
    text: Words,
}

/// Newest first.
const ENTRIES: [Entry; 4] = [
    Entry {
        anchor: "inspector",
        title: words("The inspector, and scenarios that can be changed", "Инспектор, и сценарии можно менять"),
        date: "2026-12-02",
        published: "Wed, 02 Dec 2026 09:00:00 GMT",
        text: words(
            "- `/inspector/bins` keeps what is sent to a bin's address byte for byte and answers as its script says. An attempt, a delivery or a dead letter can be redirected into one; the endpoint and the delivery stay as they are.\n- `PATCH` and `DELETE /scenarios/{id}`.\n- A bulk retry can be called off, and stops by itself when the endpoint fails again: `status` is then `stopped`.\n- `GET /webhooks/endpoints/{id}` tells its `health`, and why and since when it is disabled.",
            "- `/inspector/bins` хранит всё, что пришло на адрес корзины, байт в байт и отвечает по её сценарию. Попытку, доставку или недоставленное можно направить в корзину; получатель и доставка остаются как есть.\n- `PATCH` и `DELETE /scenarios/{id}`.\n- Массовый повтор можно отменить, и он останавливается сам, если получатель снова отказал: тогда `status` — `stopped`.\n- `GET /webhooks/endpoints/{id}` сообщает `health`, а также почему и с какого времени получатель отключён.",
        ),
    },
    Entry {
        anchor: "offset-sunset",
        title: words("The offset mode ends on 2026-11-01", "Режим offset заканчивается 2026-11-01"),
        date: "2026-10-01",
        published: "Thu, 01 Oct 2026 09:00:00 GMT",
        text: words(
            "From 2026-11-01 on `?pagination=offset` is answered with 400 `MALFORMED_REQUEST`. Answers that still use it carry `Sunset`. [How to migrate](/docs/migration-1.0-1.1#pagination).",
            "С 2026-11-01 на `?pagination=offset` отвечаем 400 `MALFORMED_REQUEST`. Ответы, которые им ещё пользуются, несут `Sunset`. [Как перейти](/docs/migration-1.0-1.1#pagination).",
        ),
    },
    Entry {
        anchor: "1.1.0",
        title: words("1.1.0", "1.1.0"),
        date: "2026-05-22",
        published: "Fri, 22 May 2026 09:00:00 GMT",
        text: words(
            "- **Breaking:** every `POST` needs an `Idempotency-Key`. A retry gets the first answer for 24 hours.\n- **Breaking:** lists are walked by `cursor` and `cursor_limit`. `?pagination=offset` is deprecated and works until 2026-11-01.\n- One form and 16 frozen codes for errors, `application/problem+json` on request.\n- Webhooks are tried five times in about 25 hours, then wait as dead letters; each attempt of the last 14 days can be looked at.\n- Standard Webhooks signatures beside `X-Botix-Signature`; secrets rotate with an overlap of 24 hours.\n- `X-RateLimit-*` and `RateLimit` on every answer; the log of requests, each with its trace.\n\n[How to migrate](/docs/migration-1.0-1.1).",
            "- **Несовместимо:** каждому `POST` нужен `Idempotency-Key`. Повтор 24 часа получает первый ответ.\n- **Несовместимо:** списки обходят через `cursor` и `cursor_limit`. `?pagination=offset` устарел и работает до 2026-11-01.\n- Одна форма и 16 неизменных кодов ошибок, `application/problem+json` по запросу.\n- Вебхуки отправляются пять раз примерно за 25 часов, затем ждут в недоставленных; видна каждая попытка за 14 дней.\n- Подписи Standard Webhooks рядом с `X-Botix-Signature`; секрет меняется с перекрытием в 24 часа.\n- `X-RateLimit-*` и `RateLimit` в каждом ответе; журнал запросов, каждый со всем, что из него вышло.\n\n[Как перейти](/docs/migration-1.0-1.1).",
        ),
    },
    Entry {
        anchor: "1.0.0",
        title: words("1.0.0", "1.0.0"),
        date: "2025-11-10",
        published: "Mon, 10 Nov 2025 09:00:00 GMT",
        text: words("The first public version.", "Первая публичная версия."),
    },
];

/// The page.
pub(super) fn page(reader: &Reader) -> Page {
    let mut html = Html::default();
    let feed = format!("/docs/changelog/rss?lang={}", reader.language);
    html.raw("<p class=\"lead\">").link(&feed, reader.pick("As RSS", "В RSS")).raw("</p>");
    for entry in &ENTRIES {
        html.raw("<section id=\"")
            .raw(entry.anchor)
            .raw("\"><h2>")
            .text(reader.say(entry.title))
            .raw(" <small><time datetime=\"");
        html.raw(entry.date).raw("\">").raw(entry.date).raw("</time></small></h2>");
        html.raw(&render(reader.say(entry.text))).raw("</section>");
    }
    let contents = ENTRIES.iter().map(|entry| (entry.anchor.to_owned(), reader.say(entry.title).to_owned()));
    Page { title: reader.pick("Changelog", "Изменения"), contents: contents.collect(), body: html.finish() }
}

/// RSS 2.0.
pub(super) fn feed(docs_url: &str, reader: &Reader) -> String {
    let page = format!("{docs_url}/changelog");
    let mut xml = Html::default();
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>");
    xml.element("title", reader.pick("BOTIX Developers: changelog", "BOTIX Developers: изменения"));
    xml.element("link", &page).element("language", reader.language);
    xml.element("description", reader.pick("Changes of the public API.", "Изменения публичного API."));
    xml.raw("<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"").text(&format!("{page}/rss")).raw("\"/>");
    for entry in &ENTRIES {
        let link = format!("{page}#{}", entry.anchor);
        xml.raw("<item>").element("title", reader.say(entry.title)).element("link", &link);
        xml.raw("<guid isPermaLink=\"true\">").text(&link).raw("</guid>").element("pubDate", entry.published);
        xml.element("description", &render(reader.say(entry.text))).raw("</item>");
    }
    xml.raw("</channel></rss>\n");
    xml.finish()
}
