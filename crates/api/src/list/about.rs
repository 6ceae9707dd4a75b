//! What each filter means, wherever it is taken: one name, one meaning.

use crate::describe::{Words, words};

/// The meaning of a query parameter; `None` when nobody has written it down.
pub(crate) fn about(name: &str) -> Option<Words> {
    let about = match name {
        "created_after" => words("From this time on, inclusive.", "С этого времени, включительно."),
        "created_before" => words("Before this time, exclusive.", "До этого времени, не включая его."),
        "status" => words("One or several, separated by commas.", "Один или несколько через запятую."),
        "delivery_status" => words(
            "What the delivery is now; one or several, separated by commas.",
            "Что с доставкой сейчас; один или несколько через запятую.",
        ),
        "endpoint_id" => words("Of this endpoint only.", "Только этого адреса доставки."),
        "event_type" | "type" => words("Of this event type only.", "Только событий этого типа."),
        "event_id" => words("Of this event only.", "Только этого события."),
        "delivery_id" => words("Of this delivery only.", "Только этой доставки."),
        "request_id" => words(
            "The webhook's request id, or that of the API call that caused it.",
            "request_id вебхука или вызова API, который его вызвал.",
        ),
        "response_status_code" => words(
            "The receiver's answer: a status such as 503, or a class such as 5xx.",
            "Ответ получателя: код, например 503, или класс, например 5xx.",
        ),
        "status_code" => words(
            "The answer's status such as 503, or a class such as 5xx.",
            "Код ответа, например 503, или класс, например 5xx.",
        ),
        "error_code" => words(
            "Why there was no answer; one or several, separated by commas.",
            "Почему ответа не было; одна или несколько причин через запятую.",
        ),
        "trigger" => words(
            "What started it; one or several, separated by commas.",
            "Чем начата; один или несколько вариантов через запятую.",
        ),
        "reason" => words(
            "Why it was given up; one or several, separated by commas.",
            "Почему сдались; одна или несколько причин через запятую.",
        ),
        "resolved" => words(
            "false: what is in the inbox; true: what has left it.",
            "false — то, что ждёт решения; true — то, по чему оно принято.",
        ),
        "key" => words("This key, of whichever API key.", "Этот ключ, от любого API-ключа проекта."),
        "method" => words("Of this HTTP method only.", "Только этого HTTP-метода."),
        "idempotency_key" => words("Of this idempotency key only.", "Только с этим ключом идемпотентности."),
        "contact_id" => words("Of this contact only.", "Только этого контакта."),
        "scenario_id" => words("Of this scenario only.", "Только этого сценария."),
        "import_id" => words("Of this import only.", "Только этого импорта."),
        "channel" => words("Of this channel only.", "Только этого канала."),
        "sku" => words("The item with this SKU.", "Товар с этим артикулом."),
        "phone" => words("The contact with this phone.", "Контакт с этим телефоном."),
        _ => return None,
    };
    Some(about)
}
