//! The contract's closed vocabularies, in words.

use domain::status::{
    AttemptError, AttemptStatus, AttemptTrigger, AuditAction, CancelReason, CaptureKind, DeadLetterReason,
    DeliveryStatus, DeliveryTrigger, IdempotencyOutcome, IdempotencyStatus, Resolution, RetryJobStatus, Role, Scope,
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
    RetryJobStatus {
        Pending = "Ждёт очереди" | "Waits for its turn",
        Running = "Отправляется" | "Under way",
        Completed = "Завершено" | "Finished",
        Cancelled = "Отменено" | "Cancelled",
        Failed = "Не удалось завершить" | "Could not be finished",
        Stopped = "Остановлено" | "Stopped",
    }
    Role {
        Owner = "Владелец" | "Owner",
        Developer = "Разработчик" | "Developer",
        Viewer = "Наблюдатель" | "Viewer",
        Support = "Поддержка BOTIX" | "BOTIX support",
    }
    Scope {
        Read = "чтение" | "read",
        Write = "изменение" | "write",
    }
    AuditAction {
        EndpointCreated = "создан эндпоинт" | "created an endpoint",
        EndpointEnabled = "включён эндпоинт" | "enabled an endpoint",
        EndpointDisabled = "отключён эндпоинт" | "disabled an endpoint",
        SecretRotated = "сменён секрет" | "rotated a secret",
        TestSent = "отправлена проверка" | "sent a test",
        ApiKeyCreated = "создан ключ API" | "created an API key",
        ApiKeyRevoked = "отозван ключ API" | "revoked an API key",
        MemberAdded = "добавлен участник" | "added a member",
        MemberChanged = "изменена роль" | "changed a role",
        MemberRemoved = "удалён участник" | "removed a member",
        ProjectRenamed = "проект переименован" | "renamed the project",
        Retried = "повторная отправка" | "sent again",
        RetriedMany = "повтор отмеченных" | "sent selected ones again",
        BulkRetryStarted = "начат массовый повтор" | "started a bulk retry",
        BulkRetryCancelled = "отменён массовый повтор" | "cancelled a bulk retry",
        Dismissed = "сняты с разбора" | "dismissed dead letters",
        Restored = "возвращены в разбор" | "took dead letters back",
        BinCreated = "создана корзина" | "created a bin",
        BinChanged = "изменена корзина" | "changed a bin",
        BinDeleted = "удалена корзина" | "deleted a bin",
        CaptureReplayed = "запрос отправлен ещё раз" | "sent a capture again",
        LadderRehearsed = "репетиция повторов" | "rehearsed the ladder",
        PayloadOpened = "поддержка открыла данные" | "support opened a payload",
    }
    Resolution {
        Retried = "Отправлено повторно" | "Sent again",
        Dismissed = "Снято" | "Dismissed",
    }
    CaptureKind {
        Received = "прислано" | "received",
        Redirected = "перенаправлено" | "redirected",
        Rehearsed = "репетиция" | "rehearsed",
    }
    CancelReason {
        EndpointDeleted = "эндпоинт удалён" | "the endpoint was deleted",
        Superseded = "заменено повторной отправкой" | "a retry took its place",
        Requested = "по запросу" | "on request",
    }
}
