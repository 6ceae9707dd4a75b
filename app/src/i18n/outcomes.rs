//! How attempts end: what happened, why, and what it means.

use domain::status::{AttemptError, AttemptStatus, DeadLetterReason};

use super::Locale;
use super::words::Word;

impl Locale {
    /// How an attempt ended, in one line: the answer or the failure, how long it took, from where.
    pub fn outcome(
        self,
        code: Option<u16>,
        error: Option<AttemptError>,
        took: Option<u32>,
        from: Option<&str>,
    ) -> String {
        let what = match (code, error) {
            (_, Some(error)) => error.in_words(self).to_owned(),
            (Some(code), None) => match self {
                Self::Ru => format!("Ответ {code}"),
                Self::En => format!("Answered {code}"),
            },
            (None, None) => match self {
                Self::Ru => "Ответ неизвестен".to_owned(),
                Self::En => "The answer is unknown".to_owned(),
            },
        };
        // A failure takes its time, an answer comes in it and from somebody.
        let took = took.map(|ms| match (self, error) {
            (_, Some(_)) => format!(" · {}", self.took(ms)),
            (Self::Ru, None) => format!(" за {}", self.took(ms)),
            (Self::En, None) => format!(" in {}", self.took(ms)),
        });
        let from = from.map(|ip| match (self, error) {
            (_, Some(_)) => format!(" · {ip}"),
            (Self::Ru, None) => format!(" от {ip}"),
            (Self::En, None) => format!(" from {ip}"),
        });
        format!("{what}{}{}", took.unwrap_or_default(), from.unwrap_or_default())
    }

    /// Why this happened and what it means, for one recorded attempt.
    pub fn explanation(self, status: AttemptStatus, code: Option<u16>) -> String {
        let fixed = |ru: &str, en: &str| if self == Self::Ru { ru.to_owned() } else { en.to_owned() };
        match (status, code) {
            (AttemptStatus::Delivered, _) => fixed("Получатель принял событие.", "The receiver accepted the event."),
            (AttemptStatus::Interrupted, _) => fixed(
                "Сервер остановился во время отправки. Запрос мог дойти, а мог и не дойти, поэтому он отправляется снова.",
                "The server stopped during this attempt. It may or may not have arrived, so it is sent again.",
            ),
            (AttemptStatus::Retrying, Some(429)) => {
                fixed("Получатель попросил подождать.", "The receiver asked us to wait.")
            }
            (AttemptStatus::Retrying, Some(300..=399)) => fixed(
                "Получатель ответил перенаправлением, а по нему вебхуки не ходят. Укажите в эндпоинте конечный адрес.",
                "The receiver answered with a redirect, which webhooks never follow. Put the final address into the endpoint.",
            ),
            (AttemptStatus::Retrying, Some(_)) => {
                fixed("На стороне получателя ошибка.", "Something failed on the receiver's side.")
            }
            (AttemptStatus::Retrying, None) => fixed("Получатель не ответил.", "The receiver did not answer."),
            (AttemptStatus::DeadLettered, Some(401 | 403)) => fixed(
                "Получатель отклонил запрос — скорее всего, не сошлась подпись. Проверьте секрет эндпоинта. Сам повтор не начнётся.",
                "The receiver refused the request, most likely its signature. Check the endpoint's secret. It will not be retried by itself.",
            ),
            (AttemptStatus::DeadLettered, Some(404 | 410)) => fixed(
                "По этому адресу получателя больше нет. Проверьте адрес эндпоинта. Сам повтор не начнётся.",
                "There is no receiver at that address any more. Check the endpoint's URL. It will not be retried by itself.",
            ),
            (AttemptStatus::DeadLettered, Some(400..=499)) => fixed(
                "Получатель отклонил событие. Исправьте приём на его стороне и отправьте повторно: сам повтор не начнётся.",
                "The receiver rejected the event. Fix it there, then retry: it will not be retried by itself.",
            ),
            (AttemptStatus::DeadLettered, _) => fixed(
                "Это была последняя попытка по расписанию. Сам повтор не начнётся.",
                "That was the last scheduled attempt. It will not be retried by itself.",
            ),
        }
    }

    /// A dead letter's reason with its answer, e.g. «Rejected by the receiver · 401».
    pub fn dead_letter(self, reason: DeadLetterReason, code: Option<u16>) -> String {
        let reason = reason.in_words(self);
        code.map_or_else(|| reason.to_owned(), |code| format!("{reason} · {code}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_says_what_how_long_and_from_where() {
        let text = Locale::En.outcome(Some(503), None, Some(84), Some("203.0.113.7"));
        assert_eq!(text, "Answered 503 in 84\u{a0}ms from 203.0.113.7");
        let text = Locale::Ru.outcome(None, Some(AttemptError::ConnectionRefused), Some(2_310), None);
        assert_eq!(text, "В соединении отказано · 2,31\u{a0}с");
    }
}
