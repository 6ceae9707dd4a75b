//! Sentences about what is done: with many dead letters at once, and with endpoints.

use std::time::Duration;

use super::{Locale, duration_words, plural};
use crate::model::{Change, UrlFault};

impl Locale {
    /// `38 waiting`.
    pub fn waiting(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => {
                let forms = ["доставка ждёт", "доставки ждут", "доставок ждут"];
                format!("{number} {}", plural(self, u64::from(count), forms))
            }
            Self::En => format!("{number} waiting"),
        }
    }

    /// What was done to an endpoint shortly before a group began.
    pub fn changed_before(self, change: Change, secs: u32) -> String {
        let span = duration_words(self, Duration::from_secs(u64::from(secs.max(1))));
        match (self, change) {
            (Self::Ru, Change::Secret) => format!("Секрет сменили незадолго до этого ({span})."),
            (Self::En, Change::Secret) => format!("The secret was rotated {span} before."),
            (Self::Ru, Change::Settings) => format!("Эндпоинт изменили незадолго до этого ({span})."),
            (Self::En, Change::Settings) => format!("The endpoint was changed {span} before."),
            (Self::Ru, Change::Created) => "Эндпоинт создали незадолго до этого.".to_owned(),
            (Self::En, Change::Created) => "The endpoint was created shortly before.".to_owned(),
        }
    }

    /// The button that sends a group again.
    pub fn retry_many(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => format!("Повторить {number}"),
            Self::En => format!("Retry {number}"),
        }
    }

    /// The button that sends all that match again.
    pub fn retry_all(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => format!("Повторить все подходящие: {number}"),
            Self::En => format!("Retry all that match: {number}"),
        }
    }

    /// What was sent again.
    pub fn sent_many(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => {
                let forms = ["событие отправлено", "события отправлены", "событий отправлено"];
                format!("{number} {} повторно.", plural(self, u64::from(count), forms))
            }
            Self::En => {
                format!("{number} {} sent again.", plural(self, u64::from(count), ["event", "events", "events"]))
            }
        }
    }

    /// What could not be sent again.
    pub fn refused_many(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => format!("Не отправлено: {number}. Их уже разобрали, или эндпоинт удалён."),
            Self::En => format!("Not sent: {number}. Somebody has resolved them, or the endpoint is deleted."),
        }
    }

    /// What was put aside.
    pub fn dismissed_many(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => format!("Снято с разбора: {number}."),
            Self::En => format!("{number} dismissed."),
        }
    }

    /// Why a URL is refused, and what is accepted.
    pub const fn url_fault(self, fault: UrlFault) -> &'static str {
        match (self, fault) {
            (Self::Ru, UrlFault::Malformed) => "Нужен полный адрес, например https://example.com/webhooks.",
            (Self::En, UrlFault::Malformed) => "It must be an absolute URL such as https://example.com/webhooks.",
            (Self::Ru, UrlFault::TooLong) => "Адрес длиннее 2048 байт.",
            (Self::En, UrlFault::TooLong) => "The URL is longer than 2,048 bytes.",
            (Self::Ru, UrlFault::Scheme) => "Адрес должен начинаться с https:// или http://.",
            (Self::En, UrlFault::Scheme) => "The URL must begin with https:// or http://.",
            (Self::Ru, UrlFault::UserInfo) => "В адресе не должно быть имени и пароля.",
            (Self::En, UrlFault::UserInfo) => "The URL must not contain a user name or password.",
            (Self::Ru, UrlFault::Port) => "Порт: 80, 443 или от 1024.",
            (Self::En, UrlFault::Port) => "The port must be 80, 443, or one from 1024 on.",
            (Self::Ru, UrlFault::Blocked) => "Это частный, локальный или служебный адрес: на такие мы не отправляем.",
            (Self::En, UrlFault::Blocked) => {
                "That is a private, local or reserved address, which events are never sent to."
            }
        }
    }

    /// Why the choice of event types is refused; `word` is the one that is none.
    pub fn type_fault(self, word: &str) -> String {
        match (self, word) {
            (Self::Ru, "") => "Выберите от 1 до 50 типов событий.".to_owned(),
            (Self::En, "") => "Choose 1 to 50 event types.".to_owned(),
            (Self::Ru, word) => format!("«{word}» — не тип события. Подойдут contact.created, contact.* или *."),
            (Self::En, word) => {
                format!("“{word}” is no event type. Such as contact.created, contact.* or * are accepted.")
            }
        }
    }

    /// What replacing a secret means.
    pub fn rotation(self, hours: u32) -> String {
        let span = duration_words(self, Duration::from_secs(u64::from(hours) * 3_600));
        match self {
            Self::Ru => format!(
                "Появится новый секрет. Ещё {span} каждый запрос подписывается обоими: новым в X-Botix-Signature, \
                 прежним в X-Botix-Signature-Previous, и обоими сразу в webhook-signature. За это время замените \
                 секрет у получателя, и ни одно событие не будет отклонено."
            ),
            Self::En => format!(
                "A new secret is made. For {span} both sign every request: the new one in X-Botix-Signature, the \
                 previous one in X-Botix-Signature-Previous, and both in webhook-signature. Put the new one into \
                 the receiver within that time, and no event is refused."
            ),
        }
    }
}
