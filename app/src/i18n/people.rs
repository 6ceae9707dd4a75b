//! Sentences about bulk retries, keys and members.

use super::{Locale, plural};

impl Locale {
    /// What a bulk retry will do; with `more`, there are more than could be counted.
    pub fn retry_many_count(self, count: u32, more: bool) -> String {
        let number = format!("{}{}", self.number(u64::from(count)), if more { "+" } else { "" });
        match self {
            Self::Ru => {
                let forms = ["событие будет отправлено", "события будут отправлены", "событий будет отправлено"];
                format!("{number} {} повторно, старые первыми.", plural(self, u64::from(count), forms))
            }
            Self::En => {
                let forms = ["event is sent again", "events are sent again", "events are sent again"];
                format!("{number} {}, oldest first.", plural(self, u64::from(count), forms))
            }
        }
    }

    /// How far a bulk retry has come.
    pub fn job_progress(self, done: u32, total: u32) -> String {
        let (done, total) = (self.number(u64::from(done)), self.number(u64::from(total)));
        match self {
            Self::Ru => format!("Отправлено {done} из {total}"),
            Self::En => format!("{done} of {total} sent"),
        }
    }

    /// What a bulk retry has left where it was.
    pub fn job_left(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => format!("Не отправлено: {number}."),
            Self::En => format!("Not sent: {number}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Locale;

    #[test]
    fn counts_take_the_form_that_the_language_wants() {
        assert_eq!(Locale::Ru.retry_many_count(1, false), "1 событие будет отправлено повторно, старые первыми.");
        assert_eq!(Locale::Ru.retry_many_count(3, false), "3 события будут отправлены повторно, старые первыми.");
        assert_eq!(Locale::En.retry_many_count(10_000, true), "10,000+ events are sent again, oldest first.");
        assert_eq!(Locale::En.job_progress(10, 1_200), "10 of 1,200 sent");
    }
}
