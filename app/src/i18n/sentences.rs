//! Texts with something in them.

use std::time::Duration;

use domain::status::AttemptStatus;

use super::words::Word;
use super::{Locale, duration_words, plural};

impl Locale {
    /// `3 new attempts`.
    pub fn new_attempts(self, count: usize) -> String {
        let word = match self {
            Self::Ru => ["новая попытка", "новые попытки", "новых попыток"],
            Self::En => ["new attempt", "new attempts", "new attempts"],
        };
        format!("{count} {}", plural(self, count as u64, word))
    }

    /// `1,204 attempts`.
    pub fn attempts(self, count: u64) -> String {
        let word = match self {
            Self::Ru => ["попытка", "попытки", "попыток"],
            Self::En => ["attempt", "attempts", "attempts"],
        };
        format!("{} {}", self.number(count), plural(self, count, word))
    }

    /// `14 d`, as a range.
    pub fn days(self, count: u32) -> String {
        match self {
            Self::Ru => format!("{count} дн."),
            Self::En => format!("{count} d"),
        }
    }

    /// `24 h`, `7 d`: a range that is offered.
    pub fn hours(self, hours: u32) -> String {
        match (self, hours) {
            (_, 48..) => self.days(hours / 24),
            (Self::Ru, _) => format!("{hours} ч"),
            (Self::En, _) => format!("{hours} h"),
        }
    }

    /// Why an old id leads nowhere; the time follows.
    pub fn miss_too_old(self, days: u32) -> String {
        let kept = duration_words(self, Duration::from_secs(u64::from(days) * 86_400));
        match self {
            Self::Ru => format!("Срок хранения вышел: такие записи хранятся {kept}, а эта создана"),
            Self::En => format!("Past its retention: such records are kept for {kept}, and this one was made on"),
        }
    }

    /// What a filter of the address is called on the page.
    pub fn filter_name(self, name: &str) -> Option<&'static str> {
        let (ru, en) = match name {
            "endpoint_id" => ("эндпоинт", "endpoint"),
            "event_type" | "type" | "event_id" => ("событие", "event"),
            "delivery_id" => ("доставка", "delivery"),
            "request_id" => ("запрос", "request"),
            "response_status_code" | "status_code" => ("HTTP", "HTTP"),
            "error_code" => ("ошибка", "error"),
            "delivery_status" => ("сейчас", "now"),
            "trigger" => ("причина", "started by"),
            "reason" => ("причина", "reason"),
            "resolved" => ("разобраны", "resolved"),
            "method" => ("метод", "method"),
            "idempotency_key" => ("ключ", "key"),
            "created_after" => ("с", "from"),
            "created_before" => ("до", "until"),
            _ => return None,
        };
        Some(if self == Self::Ru { ru } else { en })
    }

    /// With the language's own thousands separator.
    pub fn number(self, number: u64) -> String {
        let digits = number.to_string();
        let separator = match self {
            Self::Ru => '\u{a0}',
            Self::En => ',',
        };
        let mut text = String::with_capacity(digits.len() + digits.len() / 3);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) && !(self == Self::Ru && digits.len() < 5) {
                text.push(separator);
            }
            text.push(digit);
        }
        text
    }

    /// `attempt 2 of 5`; without the total once the ladder is exceeded.
    pub fn attempt_of(self, number: u32, total: u32) -> String {
        match self {
            Self::Ru if number > total => format!("попытка {number}"),
            Self::Ru => format!("попытка {number} из {total}"),
            Self::En if number > total => format!("attempt {number}"),
            Self::En => format!("attempt {number} of {total}"),
        }
    }

    /// `84 ms`, `2.31 s`.
    pub fn took(self, millis: u32) -> String {
        let (ms, s) = match self {
            Self::Ru => ("мс", "с"),
            Self::En => ("ms", "s"),
        };
        if millis < 1_000 {
            return format!("{millis}\u{a0}{ms}");
        }
        let text = format!("{}.{:02}", millis / 1_000, millis % 1_000 / 10);
        let text = if self == Self::Ru { text.replace('.', ",") } else { text };
        format!("{text}\u{a0}{s}")
    }

    /// `97% · 412 of 425`.
    pub fn success_of(self, percent: u32, delivered: u32, of: u32) -> String {
        let (delivered, of) = (self.number(u64::from(delivered)), self.number(u64::from(of)));
        match self {
            Self::Ru => format!("{percent}\u{a0}% · {delivered} из {of}"),
            Self::En => format!("{percent}% · {delivered} of {of}"),
        }
    }

    /// `1,204 bytes`.
    pub fn bytes(self, count: u32) -> String {
        let forms = match self {
            Self::Ru => ["байт", "байта", "байт"],
            Self::En => ["byte", "bytes", "bytes"],
        };
        format!("{}\u{a0}{}", self.number(u64::from(count)), plural(self, u64::from(count), forms))
    }

    /// How long ago, for the minutes just past; `None` when a date says it better, and of what is to come: of
    /// that one wants the hour. (Two clocks may differ by a moment.)
    pub fn ago(self, millis: i64) -> Option<String> {
        if millis < -2_000 {
            return None;
        }
        let secs = millis.max(0) / 1_000;
        Some(match (self, secs) {
            (Self::Ru, 0..5) => "только что".to_owned(),
            (Self::En, 0..5) => "just now".to_owned(),
            (Self::Ru, 5..60) => format!("{secs}\u{a0}с назад"),
            (Self::En, 5..60) => format!("{secs}\u{a0}s ago"),
            (Self::Ru, 60..3_600) => format!("{}\u{a0}мин назад", secs / 60),
            (Self::En, 60..3_600) => format!("{}\u{a0}min ago", secs / 60),
            _ => return None,
        })
    }

    /// How long until, behind a point in time, rounded to what one plans by; `None` when it is due.
    pub fn until(self, millis: i64) -> Option<String> {
        let secs = u64::try_from(millis / 1_000).ok().filter(|secs| *secs > 0)?;
        let span = duration_words(self, Duration::from_secs(secs));
        Some(match self {
            Self::Ru => format!(" (осталось {span})"),
            Self::En => format!(" (in {span})"),
        })
    }

    /// What a chart's column says to a screen reader and on hover.
    pub fn column(self, when: &str, counts: &[(AttemptStatus, u32)]) -> String {
        let parts: Vec<String> = counts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(status, count)| {
                format!("{} {}", status.in_words(self).to_lowercase(), self.number(u64::from(*count)))
            })
            .collect();
        let none = if self == Self::Ru { "попыток нет" } else { "no attempts" };
        format!("{when}: {}", if parts.is_empty() { none.to_owned() } else { parts.join(", ") })
    }

    /// An error on our side, with the id that the log has it under.
    pub fn quote_id(self, id: &str) -> String {
        match self {
            Self::Ru => format!("Назовите поддержке номер {id}."),
            Self::En => format!("Tell support the id {id}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_as_each_language_does() {
        assert_eq!(Locale::En.number(1_204_567), "1,204,567");
        assert_eq!(Locale::En.number(999), "999");
        assert_eq!(Locale::Ru.number(1_204), "1204");
        assert_eq!(Locale::Ru.number(12_045), "12\u{a0}045");
    }

    #[test]
    fn what_is_to_come_is_told_in_the_unit_one_plans_by() {
        assert_eq!(Locale::En.until(13 * 60_000).as_deref(), Some(" (in 13\u{a0}minutes)"));
        assert_eq!(Locale::Ru.until(24 * 3_600_000).as_deref(), Some(" (осталось 24\u{a0}часа)"));
        assert_eq!(Locale::En.until(-5), None);
    }

    #[test]
    fn the_recent_past_is_relative_and_the_rest_is_not() {
        assert_eq!(Locale::En.ago(12_000).as_deref(), Some("12\u{a0}s ago"));
        assert_eq!(Locale::Ru.ago(180_000).as_deref(), Some("3\u{a0}мин назад"));
        assert_eq!(Locale::En.ago(3_600_000), None);
        // A browser's clock that is a little behind.
        assert_eq!(Locale::En.ago(-900).as_deref(), Some("just now"));
        assert_eq!(Locale::En.ago(-2_001), None);
    }
}
