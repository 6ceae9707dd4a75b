//! How an endpoint fares, and where its events went.

use super::labels;
use crate::i18n::Locale;

labels! {
    health = "Состояние" | "Health";
    no_health = "Сюда ещё ничего не отправляли." | "Nothing has been sent here yet.";
    failures_in_a_row = "Неудач подряд" | "Failures in a row";
    failing = "Сбоит" | "Failing";
    failing_since = "Сбоит с" | "Failing since";
    success_rate = "Успешно за 24 часа" | "Success, 24 hours";
    response_time = "Время ответа, p50 / p95" | "Response time, p50 / p95";
    last_success = "Последний успех" | "Last success";
    last_failure = "Последний сбой" | "Last failure";
    disabled_by_us = "Эндпоинт отключён автоматически" | "The endpoint was disabled automatically";
    disabled_gone = "Он ответил 410: такого адреса больше нет. Если это ошибка, исправьте её и включите эндпоинт." | "It answered 410: this address is gone. If that is a mistake, mend it and enable the endpoint.";
    disabled_failing = "Он слишком долго не принимал ни одного события. Почините приёмник и включите эндпоинт." | "For too long it took no event at all. Mend the receiver, then enable the endpoint.";
    ledger = "Учёт доставок" | "Ledger";
    ledger_matched = "Подошло событий" | "Matched";
    ledger_delivered = "Доставлено" | "Delivered";
    ledger_waiting = "Ждут отправки" | "Waiting";
    ledger_dead = "Не доставлено" | "Dead-lettered";
    ledger_skipped = "Пропущено" | "Skipped";
    ledger_cancelled = "Отменено" | "Cancelled";
    ledger_note = "Каждое подошедшее событие стоит ровно в одной из пяти строк." | "Each matched event stands in exactly one of the five lines.";
    ledger_since = "Посчитаны последние доставки, начиная с" | "The latest deliveries are added up, since";
}
