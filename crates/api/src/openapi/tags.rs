//! Tags: the resources, with what each is for.

use serde_json::{Value, json};

use super::names;
use crate::describe::{Words, words};
use crate::routes::Operation;

/// Every tag, by name.
pub(super) fn list(operations: &[Operation]) -> Value {
    let mut names: Vec<String> = operations.iter().map(names::tag).collect();
    names.sort();
    names.dedup();
    let described = names.into_iter().map(|name| {
        let about = about(&name).map_or("", |(_, about)| about.en);
        json!({ "name": name, "description": about })
    });
    described.collect()
}

/// A tag's name and purpose; `None` when nobody has written them down.
pub(crate) fn about(tag: &str) -> Option<(Words, Words)> {
    let about = match tag {
        "Contacts" => (words("Contacts", "Контакты"), words("Whom a project talks to.", "С кем говорит проект.")),
        "Messages" => (words("Messages", "Сообщения"), words("What is said to a contact.", "Что сказано контакту.")),
        "Catalog imports" => (
            words("Catalog imports", "Импорт каталога"),
            words("Up to 50,000 rows at once, in the background.", "До 50 000 строк за раз, в фоне."),
        ),
        "Catalog items" => (
            words("Catalog items", "Товары каталога"),
            words("What a project sells, by SKU.", "Что продаёт проект, по артикулам."),
        ),
        "Scenarios" => {
            (words("Scenarios", "Сценарии"), words("Steps that run for a contact.", "Шаги, которые проходит контакт."))
        }
        "Events" => (
            words("Events", "События"),
            words(
                "What happened; a project's own system publishes here, too.",
                "Что произошло; сюда публикует и своя система проекта.",
            ),
        ),
        "Webhook endpoints" => (
            words("Webhook endpoints", "Вебхуки: адреса доставки"),
            words("Where events are sent.", "Куда отправляются события."),
        ),
        "Webhook deliveries" => (
            words("Webhook deliveries", "Вебхуки: доставки"),
            words("One event on its way to one endpoint.", "Одно событие на пути к одному адресу."),
        ),
        "Webhook attempts" => (
            words("Webhook attempts", "Вебхуки: попытки"),
            words("What was sent and received, for 14 days.", "Что отправлено и получено, за 14 дней."),
        ),
        "Webhook dead letters" => (
            words("Webhook dead letters", "Вебхуки: недоставленные"),
            words("What was given up and waits for a decision.", "На чём сдались и что ждёт решения."),
        ),
        "Webhook retry jobs" => (
            words("Webhook retry jobs", "Вебхуки: массовый повтор"),
            words("Many dead letters sent again, with progress.", "Много недоставленных ещё раз, с ходом работы."),
        ),
        "Inspector bins" => (
            words("Inspector bins", "Инспектор"),
            words("Addresses that show what is sent to them.", "Адреса, которые показывают, что на них прислали."),
        ),
        "Idempotency keys" => {
            (words("Idempotency keys", "Ключи идемпотентности"), words("What became of a key.", "Что стало с ключом."))
        }
        "Requests" => (
            words("Requests", "Запросы"),
            words("The log, and all that followed from one request.", "Журнал и всё, что вышло из одного запроса."),
        ),
        _ => return None,
    };
    Some(about)
}
