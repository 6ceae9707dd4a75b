//! `/docs/error-codes`: each of the 16 with its cause, what to do, and whether to try again. Their
//! anchors are what `type` of an RFC 9457 answer points to.

use domain::ErrorCode;

use super::html::Html;
use super::page::Page;
use super::reader::Reader;
use crate::describe::{Words, words};

/// Whether the same request may be sent again.
#[derive(Clone, Copy)]
enum Again {
    /// It will be refused again.
    Never,
    /// After something in it was changed, under a new key.
    Changed,
    /// After a while, as it is and under the same key.
    Later,
}

struct Explained {
    cause: Words,
    remedy: Words,
    again: Again,
    details: &'static str,
}

#[rustfmt::skip]
fn explain(code: ErrorCode) -> Explained {
    let (cause, remedy, again, details) = match code {
        ErrorCode::MalformedRequest => (
            words("The server does not understand the request: broken JSON (`reason` says line and column), an unknown query parameter, bad percent-encoding, a malformed header. With status 415: the wrong `Content-Type`.",
                  "Сервер не понимает запрос: битый JSON (в `reason` строка и столбец), неизвестный параметр запроса, неверное percent-кодирование, испорченный заголовок. Со статусом 415 — не тот `Content-Type`."),
            words("Mend the request as `reason` says. It is a mistake in the client's code.",
                  "Исправьте запрос, как сказано в `reason`. Это ошибка в коде клиента."),
            Again::Never, r#"{"reason": "expected value at line 2 column 12"}"#),
        ErrorCode::IdempotencyKeyRequired => (
            words("A `POST` came without the `Idempotency-Key` header, or with a blank one. Nothing was carried out.",
                  "`POST` пришёл без заголовка `Idempotency-Key` или с пустым. Ничего не выполнено."),
            words("Make a UUIDv4 or ULID for each logical operation, and send it with every try of that operation.",
                  "Создайте UUIDv4 или ULID на каждую логическую операцию и шлите его при каждой её попытке."),
            Again::Changed, r#"{"header": "Idempotency-Key"}"#),
        ErrorCode::InvalidCursor => (
            words("The cursor does not continue this walk. `reason`: `malformed` (not a cursor), `signature` (changed on the way), `filters_changed` (other filters than the walk began with), `wrong_list` (another list or project), `expired` (signed by a key that has been retired).",
                  "Курсор не продолжает этот обход. `reason`: `malformed` (не курсор), `signature` (изменён в пути), `filters_changed` (не те фильтры, с которых обход начат), `wrong_list` (другой список или проект), `expired` (подписан ключом, который выведен из обращения)."),
            words("Start the walk again without a cursor. Don't build, change or keep cursors for long.",
                  "Начните обход заново без курсора. Не собирайте, не меняйте и не храните курсоры подолгу."),
            Again::Changed, r#"{"reason": "filters_changed"}"#),
        ErrorCode::Unauthorized => (
            words("The API key is missing, malformed, unknown, expired or revoked: all alike, on purpose.",
                  "API-ключа нет, он испорчен, неизвестен, истёк или отозван: ответ намеренно один."),
            words("Check `Authorization: Bearer btx_live_…`; make a new key in the dashboard if this one is gone.",
                  "Проверьте `Authorization: Bearer btx_live_…`; если ключа больше нет, создайте новый в кабинете."),
            Again::Never, "{}"),
        ErrorCode::Forbidden => (
            words("The key is valid and lacks the scope `required_scope`.", "Ключ верен, но у него нет права `required_scope`."),
            words("Use a key with that scope: `read` for GET, `write` for everything that changes.",
                  "Возьмите ключ с этим правом: `read` для GET, `write` для всего, что меняет данные."),
            Again::Never, r#"{"required_scope": "write"}"#),
        ErrorCode::ContactLimitExceeded => (
            words("The project holds as many contacts as its plan allows.", "В проекте столько контактов, сколько допускает тариф."),
            words("Delete contacts or raise the limit. This answer is kept under its key: then use a new key.",
                  "Удалите контакты или поднимите лимит. Этот ответ хранится под своим ключом: после этого возьмите новый."),
            Again::Changed, r#"{"limit": 1000, "current": 1000}"#),
        ErrorCode::ResourceNotFound => (
            words("There is no such object in this project, or (`resource_type` is `route`) no such path. An object of another project looks exactly like one that does not exist.",
                  "В этом проекте нет такого объекта или (если `resource_type` — `route`) нет такого пути. Объект чужого проекта неотличим от несуществующего."),
            words("Check the id, the path, and which project the key belongs to.", "Проверьте id, путь и то, к какому проекту относится ключ."),
            Again::Never, r#"{"resource_type": "contact", "resource_id": "con_…"}"#),
        ErrorCode::MethodNotAllowed => (
            words("The path exists and does not take this method; `Allow` and `allowed` list those it takes.",
                  "Путь есть, но этого метода не принимает; принимаемые перечислены в `Allow` и `allowed`."),
            words("Use one of them.", "Используйте один из них."),
            Again::Never, r#"{"allowed": ["GET", "HEAD", "POST"]}"#),
        ErrorCode::ResourceConflict => (
            words("The state of the object, or another object, is in the way: a phone that is taken, a dead letter that is resolved already.",
                  "Мешает состояние объекта или другой объект: телефон уже занят, по недоставленному уже принято решение."),
            words("Look at `existing_id`: usually what you wanted exists already.",
                  "Посмотрите на `existing_id`: чаще всего то, что вы хотели, уже есть."),
            Again::Changed, r#"{"resource_type": "contact", "field": "phone", "existing_id": "con_…"}"#),
        ErrorCode::IdempotencyKeyReuseConflict => (
            words("The key was used before with another method, path, query or body. Usually a bug in how keys are made: a counter, a timestamp, a hash of the body.",
                  "Ключ уже использован с другим методом, путём, запросом или телом. Обычно это ошибка генератора: счётчик, метка времени, хеш тела."),
            words("Make a fresh UUIDv4 or ULID for each operation. `first_request_id` leads to the first use.",
                  "Создавайте новый UUIDv4 или ULID на каждую операцию. `first_request_id` ведёт к первому использованию."),
            Again::Changed, r#"{"first_request_id": "req_…", "first_seen_at": "2026-05-22T14:37:00.123Z"}"#),
        ErrorCode::IdempotencyKeyInProgress => (
            words("The first try with this key is still running. A second one was not started.",
                  "Первая попытка с этим ключом ещё выполняется. Вторая не запущена."),
            words("Wait `Retry-After` seconds and send the same request with the same key: you will get the first one's answer.",
                  "Подождите `Retry-After` секунд и повторите тот же запрос с тем же ключом: придёт ответ первой попытки."),
            Again::Later, r#"{"retry_after_seconds": 5}"#),
        ErrorCode::PayloadTooLarge => (
            words("The body is larger than `limit_bytes`.", "Тело больше, чем `limit_bytes`."),
            words("Send less at once; a catalog goes by import, which takes more.", "Отправляйте меньше за раз; каталог загружайте импортом, он принимает больше."),
            Again::Changed, r#"{"limit_bytes": 1048576}"#),
        ErrorCode::ValidationError => (
            words("The request is understood and can't be carried out. `fields` names every bad field at once, unknown ones too.",
                  "Запрос понятен, но невыполним. В `fields` названы сразу все неверные поля, неизвестные тоже."),
            words("Show `fields` to whoever filled them in. After mending, use a new key: this answer is kept under the old one.",
                  "Покажите `fields` тому, кто их заполнял. После исправления возьмите новый ключ: этот ответ хранится под старым."),
            Again::Changed, r#"{"fields": {"phone": "must start with +"}}"#),
        ErrorCode::RateLimitExceeded => (
            words("More requests in a minute than this key (or, without a valid key, this address) may send.",
                  "За минуту пришло больше запросов, чем можно этому ключу (а без верного ключа — этому адресу)."),
            words("Wait `Retry-After` seconds, plus a random part of it. Better: slow down while `X-RateLimit-Remaining` is below 5.",
                  "Подождите `Retry-After` секунд и ещё случайную часть. Лучше тормозить заранее, пока `X-RateLimit-Remaining` меньше 5."),
            Again::Later, r#"{"retry_after_seconds": 12, "limit": 600}"#),
        ErrorCode::InternalError => (
            words("Something went wrong on our side. What was begun has been undone, and the key is free again.",
                  "Сломалось у нас. Начатое отменено, ключ снова свободен."),
            words("Try again with the same key, a few times and with growing waits; then send `request_id` to support.",
                  "Повторите с тем же ключом несколько раз с растущими паузами; затем пришлите `request_id` в поддержку."),
            Again::Later, "{}"),
        ErrorCode::ServiceUnavailable => (
            words("The service can't answer right now, such as while the database restarts. Nothing was carried out.",
                  "Сервис сейчас не может ответить, например перезапускается база. Ничего не выполнено."),
            words("Wait `Retry-After` seconds, then try again with the same key, with jitter.",
                  "Подождите `Retry-After` секунд и повторите с тем же ключом, добавив случайную паузу."),
            Again::Later, r#"{"retry_after_seconds": 5}"#),
    };
    Explained { cause, remedy, again, details }
}

/// The page.
pub(super) fn page(reader: &Reader) -> Page {
    let mut html = Html::default();
    html.raw("<p class=\"lead\">").prose(reader.pick(
        "Every error has the form `{code, message, details, request_id}`; branch on `code`. The 16 codes are part of the contract: none is added, removed or renamed within a version. 400: the request is not understood; 422: it is, and can't be carried out.",
        "У каждой ошибки одна форма: `{code, message, details, request_id}`; ветвитесь по `code`. Эти 16 кодов — часть контракта: внутри версии ни один не добавится, не исчезнет и не сменит имени. 400 — запрос не понят; 422 — понят, но невыполним.",
    ));
    html.raw("</p>");
    overview(&mut html, reader);
    for code in ErrorCode::ALL.iter().copied() {
        one(&mut html, code, reader);
    }
    let contents = ErrorCode::ALL.iter().map(|code| (code.as_str().to_owned(), code.as_str().to_owned()));
    Page {
        title: reader.pick("Error codes", "Коды ошибок"), contents: contents.collect(), body: html.finish()
    }
}

/// The table at the top: the whole answer for whoever writes a switch.
fn overview(html: &mut Html, reader: &Reader) {
    html.raw("<div class=\"scroll\"><table><caption>");
    html.text(reader.pick("All codes", "Все коды")).raw("</caption><thead><tr>");
    for title in [reader.pick("code", "код"), reader.pick("status", "статус"), reader.pick("try again?", "повторять?")]
    {
        html.element("th scope=\"col\"", title);
    }
    html.raw("</tr></thead><tbody>");
    for code in ErrorCode::ALL.iter().copied() {
        html.raw("<tr><th scope=\"row\">").link(&format!("#{}", code.as_str()), code.as_str()).raw("</th>");
        html.element("td class=\"num\"", &status(code)).element("td", again(explain(code).again, reader)).raw("</tr>");
    }
    html.raw("</tbody></table></div>");
}

fn one(html: &mut Html, code: ErrorCode, reader: &Reader) {
    let explained = explain(code);
    html.raw("<section id=\"").raw(code.as_str()).raw("\">");
    html.raw("<h2><a href=\"#")
        .raw(code.as_str())
        .raw("\"><code>")
        .raw(code.as_str())
        .raw("</code></a> <small class=\"num\">");
    html.text(&status(code)).raw("</small></h2><p>").prose(reader.say(explained.cause)).raw("</p><p><strong>");
    html.text(reader.pick("What to do.", "Что делать.")).raw("</strong> ").prose(reader.say(explained.remedy));
    html.raw("</p><p><strong>").text(reader.pick("Try again?", "Повторять?")).raw("</strong> ");
    html.text(again(explained.again, reader)).raw("</p><pre><code>").text("\"details\": ").text(explained.details);
    html.raw("</code></pre></section>");
}

fn status(code: ErrorCode) -> String {
    match code {
        ErrorCode::MalformedRequest => "400, 415".to_owned(),
        other => other.status().to_string(),
    }
}

fn again(again: Again, reader: &Reader) -> &'static str {
    match again {
        Again::Never => reader.pick("no: it will be refused again", "нет: откажет снова"),
        Again::Changed => reader.pick("only after a change, under a new key", "только изменив, с новым ключом"),
        Again::Later => reader.pick("yes, later, under the same key", "да, позже, с тем же ключом"),
    }
}
