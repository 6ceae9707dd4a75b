//! The contract's closed vocabularies, in words.

use domain::status::{
    AttemptError, AttemptStatus, AttemptTrigger, CancelReason, DeadLetterReason, DeliveryStatus, DeliveryTrigger,
    IdempotencyOutcome, IdempotencyStatus, Resolution,
};

use super::Locale;

/// A word of the contract that a page shows.
pub trait Word {
    /// As a person reads it.
    fn in_words(self, locale: Locale) -> &'static str;
}

macro_rules! words {
    ($($name:ident { $($variant:ident = $ru:literal | $en:literal,)* })*) => {$(
        impl Word for $name {
            fn in_words(self, locale: Locale) -> &'static str {
                match (self, locale) {
                    $((Self::$variant, Locale::Ru) => $ru, (Self::$variant, Locale::En) => $en,)*
                }
            }
        }
    )*};
}

words! {
    AttemptStatus {
        Delivered = "Доставлено" | "Delivered",
        Retrying = "Будет повтор" | "Retrying",
        DeadLettered = "Не доставлено" | "Dead-lettered",
        Interrupted = "Прервано" | "Interrupted",
    }
    DeliveryStatus {
        Pending = "В очереди" | "Pending",
        Retrying = "Повторяется" | "Retrying",
        Delivered = "Доставлено" | "Delivered",
        DeadLettered = "Не доставлено" | "Dead-lettered",
        Skipped = "Пропущено" | "Skipped",
        Cancelled = "Отменено" | "Cancelled",
    }
    AttemptTrigger {
        Initial = "событие" | "the event",
        Automatic = "автоматический повтор" | "automatic retry",
        Manual = "повтор вручную" | "manual retry",
        Bulk = "массовый повтор" | "bulk retry",
        Test = "проверка" | "test",
    }
    DeliveryTrigger {
        Initial = "событие" | "the event",
        Manual = "повтор вручную" | "manual retry",
        Bulk = "массовый повтор" | "bulk retry",
        Test = "проверка" | "test",
    }
    IdempotencyStatus {
        InProgress = "Выполняется" | "In progress",
        Done = "Выполнен" | "Done",
        Expired = "Истёк" | "Expired",
    }
    IdempotencyOutcome {
        Executed = "выполнен" | "executed",
        Replayed = "ответ повторён" | "replayed",
        InProgress = "первый ещё выполнялся" | "first still running",
        Conflict = "другой запрос с тем же ключом" | "another request, same key",
    }
    AttemptError {
        DnsError = "Имя узла не найдено" | "The host name did not resolve",
        ConnectTimeout = "Не удалось соединиться вовремя" | "No connection in time",
        ReadTimeout = "Ответ не пришёл вовремя" | "No answer in time",
        ConnectionRefused = "В соединении отказано" | "The connection was refused",
        ConnectionReset = "Соединение оборвалось" | "The connection broke",
        TlsError = "Ошибка TLS" | "TLS failed",
        BlockedAddress = "Адрес, на который мы не отправляем" | "An address we never send to",
        InvalidResponse = "Ответ — не HTTP" | "The answer is not HTTP",
    }
    DeadLetterReason {
        AttemptsExhausted = "Попытки исчерпаны" | "Attempts exhausted",
        Rejected = "Отклонено получателем" | "Rejected by the receiver",
        BlockedAddress = "Запрещённый адрес" | "Blocked address",
        EndpointDisabled = "Эндпоинт отключён" | "Endpoint disabled",
    }
    Resolution {
        Retried = "Отправлено повторно" | "Sent again",
        Dismissed = "Снято" | "Dismissed",
    }
    CancelReason {
        EndpointDeleted = "эндпоинт удалён" | "the endpoint was deleted",
        Superseded = "заменено повторной отправкой" | "a retry took its place",
        Requested = "по запросу" | "on request",
    }
}
