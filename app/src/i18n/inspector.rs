//! Texts of the inspector.

use super::{Locale, plural};
use crate::model::ScriptFault;

macro_rules! labels {
    ($($name:ident = $ru:literal | $en:literal;)*) => {
        impl Locale {
            $(
                #[doc = $en]
                pub const fn $name(self) -> &'static str {
                    match self { Self::Ru => $ru, Self::En => $en }
                }
            )*
        }

        #[cfg(test)]
        const ALL: &[(&str, &str)] = &[$(($ru, $en)),*];
    };
}

labels! {
    tab_inspector = "Инспектор" | "Inspector";
    bins_caption = "Корзины инспектора, новые сверху" | "Inspector bins, newest first";
    new_bin = "Новая корзина" | "New bin";
    create_bin = "Создать корзину" | "Create bin";
    edit_bin = "Изменить корзину" | "Edit bin";
    delete_bin = "Удалить корзину" | "Delete bin";
    delete_bin_text = "Адрес перестанет принимать запросы, а всё принятое исчезнет. Вернуть это нельзя." | "Its address stops receiving, and everything captured in it is gone. This can't be undone.";
    delete_for_good = "Удалить навсегда" | "Delete for good";
    all_bins = "Все корзины" | "All bins";
    open_default_bin = "Открыть корзину по умолчанию" | "Open the default bin";
    default_bin = "по умолчанию" | "default";
    bin_name = "Название" | "Name";
    bad_bin_name = "Название длиннее 100 знаков." | "The name is longer than 100 characters.";
    bin_form_text = "Название и ответы на запросы: по одному на запрос, последний повторяется." | "A name, and what it answers: one answer a request, the last one repeats.";
    captures = "Запросов" | "Captures";
    answers = "Ответы" | "Answers";
    empty_bins = "Корзин пока нет" | "No bins yet";
    empty_bins_text = "Корзина — адрес, который показывает всё, что на него прислали, и отвечает так, как вы зададите. Корзина по умолчанию появляется и сама: с первым перенаправлением." | "A bin is an address that shows whatever is sent to it, and answers as you say. The default bin comes by itself with the first redirect.";
    bin_address = "Адрес корзины" | "The bin's address";
    bin_address_note = "Адрес секретный: отправлять сюда может каждый, кто его знает; подойдёт любой метод и любой путь под ним." | "The address is a secret: whoever knows it can send here, by any method and to any path below.";
    answers_now = "Отвечает:" | "It answers";
    try_it = "Попробовать: curl" | "Try it: curl";
    captures_caption = "Принятые запросы, новые сверху" | "Captured requests, newest first";
    col_target = "Путь" | "Path";
    col_kind = "Откуда" | "How it came";
    col_answered = "Ответ" | "Answered";
    col_body = "Тело" | "Body";
    empty_captures = "Сюда ещё ничего не присылали" | "Nothing has been sent here yet";
    empty_captures_text = "Отправьте что-нибудь на адрес выше — запрос сам появится здесь. Хранятся последние 500 запросов, не дольше 14 дней." | "Send something to the address above, and it shows up here by itself. The last 500 requests are kept, for 14 days at most.";
    answered_with = "ответ" | "answered";
    query_parameters = "Параметры" | "Query";
    headers_title = "Заголовки" | "Headers";
    body_title = "Тело" | "Body";
    body_json = "JSON с отступами" | "JSON, indented";
    body_form = "Поля формы" | "Form fields";
    body_text = "Текст" | "Text";
    body_hex = "Байты" | "Bytes";
    body_beginning = "Показано только начало. Всё тело, байт в байт, — в скачанном файле." | "Only the beginning is shown. The whole body, byte for byte, is in the download.";
    download = "Скачать тело" | "Download body";
    capture_id = "Запрос" | "Capture";
    captured_at = "Принят" | "Captured";
    simulated_at = "По часам репетиции" | "On the rehearsal's clock";

    beside_production = "По сравнению с отправленным" | "Beside what was sent";
    to_the_attempt = "К исходной попытке" | "To the original attempt";
    production_gone = "Это копия отправленного, но сама попытка уже вышла за 14 дней: сравнить не с чем." | "A copy of what was sent, but the attempt itself is past its 14 days: there is nothing to compare it with.";
    head_same = "Метод, путь и заголовки совпадают." | "Method, path and headers are identical.";
    head_differs = "Метод, путь или заголовки различаются." | "Method, path or headers differ.";
    compare = "Сравнить" | "Compare";
    compare_title = "Два запроса рядом" | "Two captures compared";
    compare_text = "Заголовки и тела построчно; JSON — с отступами." | "Headers and bodies line by line; JSON is indented.";
    compare_with = "Сравнить с запросом" | "Compare with";
    back_to_capture = "К запросу" | "Back to the capture";
    replay = "Отправить" | "Send";
    replay_to = "Отправить этот запрос на адрес" | "Send this request to";
    replay_title = "Отправить запрос ещё раз" | "Send a capture again";
    replay_text = "Тот же метод, заголовки и тело. Частные и служебные адреса закрыты, как и для вебхуков." | "The same method, headers and body. Private and reserved addresses are refused, as for webhooks.";

    presets = "Готовые последовательности" | "Ready-made sequences";
    preset_slow = "200 через 35 с" | "200 after 35 s";
    add_step = "Добавить ответ" | "Add an answer";
    remove = "Убрать" | "Remove";
    last_repeats = "повторяется дальше" | "repeats from here on";
    not_saved = "Пока не сохранено: исправьте отмеченное." | "Not saved yet: mend what is marked.";
    step_status = "Статус" | "Status";
    step_delay = "Задержка, мс" | "Delay, ms";
    step_headers = "Заголовки, по одному в строке" | "Headers, one a line";
    step_body = "Тело" | "Body";

    rehearse = "Репетиция повторов" | "Rehearse the ladder";
    rehearse_text = "Настоящее событие против сценария этой корзины на ускоренных часах: без сети и без ожидания. Каждая попытка останется здесь принятым запросом." | "A real event against this bin's script on an accelerated clock: no network, no waiting. Each attempt stays here as a capture.";
    rehearse_event = "Событие" | "Event";
    rehearse_endpoint = "Как для эндпоинта" | "As for the endpoint";
    rehearse_go = "Проиграть" | "Play";
    no_such_event = "В этом проекте такого события нет." | "This project knows no such event.";
    no_such_endpoint = "Выберите эндпоинт этого проекта." | "Choose an endpoint of this project.";
    rehearsed = "Как прошло бы" | "How it would go";
    chosen_by_retry_after = "время следующей — из Retry-After" | "the next at the time of Retry-After";
    would_disable = "Эндпоинт был бы отключён." | "The endpoint would be disabled.";

    redirect = "Перенаправить на webhook.botix.pro" | "Redirect to webhook.botix.pro";
    redirect_note = "Скопировать отправленное в инспектор. Получатель ничего не заметит, доставка не изменится." | "Copies what was sent into the inspector. The receiver notices nothing, the delivery stays as it is.";
    redirecting = "Копируем…" | "Copying…";
    error_nothing_sent = "Копировать нечего: ещё ничего не отправлено или неизвестно, что именно." | "There is nothing to copy: nothing has been sent yet, or it is not known what.";
    error_attempts_expired = "Копировать нечего: попытки хранятся 14 дней, и они прошли." | "There is nothing to copy: attempts are kept for 14 days, and those have passed.";

    check_secret = "Секрет эндпоинта" | "The endpoint's secret";
    check_claimed = "Подпись, которая получилась у вас (необязательно)" | "The signature that your code computes (optional)";
    check_go = "Проверить подпись" | "Check the signature";
    check_note = "Проверка идёт в браузере: секрет никуда не отправляется." | "The check runs in this browser: the secret is sent nowhere.";
    check_unable = "Проверить не удалось: браузер не даёт считать подписи по этому адресу или тело не загрузилось." | "The check could not run: the browser offers no signing at this address, or the body did not load.";
    check_without_script = "Проверка подписи идёт в браузере и требует JavaScript. Без него — скачайте тело и посчитайте:" | "The signature check runs in the browser and needs JavaScript. Without it, download the body and compute:";
    signature_right = "Подпись верна" | "The signature is right";
    signature_older = "Подпись верна, но это прежний секрет" | "The signature is right, by the previous secret";
    signature_wrong = "Подпись не сходится, и вот почему" | "The signature is wrong, and this is why";
    signature_unknown = "Подпись не сходится: другой секрет или другое тело" | "The signature is wrong: another secret, or another body";
    signature_absent = "Такого заголовка в запросе нет." | "The request has no such header.";
}

/// Why a signature differs from the right one; the browser finds out which of these are true.
pub struct Cause {
    /// What the browser calls it.
    pub word: &'static str,
    ru: &'static str,
    en: &'static str,
}

impl Cause {
    /// As a sentence.
    pub const fn text(&self, locale: Locale) -> &'static str {
        match locale {
            Locale::Ru => self.ru,
            Locale::En => self.en,
        }
    }
}

/// Every cause that the browser tries.
pub const SIGNATURE_CAUSES: [Cause; 13] = [
    Cause {
        word: "previous",
        ru: "Секрет сменили: этот подписывает в X-Botix-Signature-Previous или второй подписью.",
        en: "The secret was rotated: this one signs X-Botix-Signature-Previous, or the second signature.",
    },
    Cause {
        word: "json",
        ru: "Подписано не само тело, а JSON, разобранный и записанный заново. Считайте подпись по байтам, как они пришли.",
        en: "Not the body was signed but JSON that was parsed and written anew. Sign the bytes as they came.",
    },
    Cause {
        word: "newline-more",
        ru: "К телу добавлен перевод строки в конце.",
        en: "A line break was added at the end of the body.",
    },
    Cause {
        word: "newline-less",
        ru: "У тела отрезан перевод строки в конце.",
        en: "The line break at the end of the body was cut off.",
    },
    Cause {
        word: "base64",
        ru: "Записано в base64, а нужен hex строчными буквами.",
        en: "Written in base64; lower-case hex is expected.",
    },
    Cause {
        word: "hex", ru: "Записано в hex, а нужен base64.", en: "Written in hex; base64 is expected."
    },
    Cause {
        word: "upper",
        ru: "Записано заглавными буквами, а нужны строчные.",
        en: "Written in upper case; lower case is expected.",
    },
    Cause {
        word: "no-prefix",
        ru: "Подписано одно тело, без «id.timestamp.» перед ним.",
        en: "Only the body was signed, without “id.timestamp.” before it.",
    },
    Cause {
        word: "prefix",
        ru: "Перед телом подписано «id.timestamp.», как в Standard Webhooks, а нужно одно тело.",
        en: "“id.timestamp.” was signed before the body, as in Standard Webhooks; here it is the body alone.",
    },
    Cause {
        word: "cut",
        ru: "У секрета отрезано начало whsec_, а ключ здесь — секрет целиком.",
        en: "The whsec_ prefix was cut off; here the key is the whole secret.",
    },
    Cause {
        word: "decoded",
        ru: "Секрет раскодирован из base64, а ключ здесь — секрет целиком, как он показан.",
        en: "The secret was base64-decoded; here the key is the whole secret as it is shown.",
    },
    Cause {
        word: "whole",
        ru: "Ключом взят секрет целиком, а нужно то, что после whsec_, раскодированное из base64.",
        en: "The whole secret was the key; it is what follows whsec_, base64-decoded.",
    },
    Cause {
        word: "undecoded",
        ru: "То, что после whsec_, не раскодировано из base64.",
        en: "What follows whsec_ was not base64-decoded.",
    },
];

impl Locale {
    /// What of two requests is the same before the body.
    pub const fn head_verdict(self, same: bool) -> &'static str {
        if same { self.head_same() } else { self.head_differs() }
    }

    /// Whether two bodies are the same, and if not, from where on.
    pub fn body_verdict(self, differs_at: Option<u32>, (old, new): (u32, u32)) -> String {
        let (first, second) = (self.bytes(old), self.bytes(new));
        match (self, differs_at) {
            (Self::Ru, None) => format!("Тело совпадает байт в байт: {first}."),
            (Self::En, None) => format!("The body is identical, byte for byte: {first}."),
            (Self::Ru, Some(at)) => {
                format!("Тела различаются начиная с байта {}: {first} и {second}.", self.number(u64::from(at)))
            }
            (Self::En, Some(at)) => {
                format!("The bodies differ from byte {} on: {first} and {second}.", self.number(u64::from(at)))
            }
        }
    }

    /// Lines of a comparison that are the same and not shown.
    pub fn lines_left_out(self, count: u32) -> String {
        let number = self.number(u64::from(count));
        match self {
            Self::Ru => {
                let forms = ["одинаковая строка", "одинаковые строки", "одинаковых строк"];
                format!("… {number} {}", plural(self, u64::from(count), forms))
            }
            Self::En => {
                format!("… {number} {}", plural(self, u64::from(count), ["equal line", "equal lines", "equal lines"]))
            }
        }
    }

    /// `Answer 2`.
    pub fn step_number(self, number: usize) -> String {
        match self {
            Self::Ru => format!("Ответ {number}"),
            Self::En => format!("Answer {number}"),
        }
    }

    /// The button that takes an answer away.
    pub fn remove_step(self, number: usize) -> String {
        match self {
            Self::Ru => format!("Убрать ответ {number}"),
            Self::En => format!("Remove answer {number}"),
        }
    }

    /// What is wrong with an answer, and what is accepted.
    pub fn script_fault(self, fault: &ScriptFault) -> String {
        match (self, fault) {
            (Self::Ru, ScriptFault::Status) => "Статус: число от 200 до 599.".to_owned(),
            (Self::En, ScriptFault::Status) => "Status: a number from 200 to 599.".to_owned(),
            (Self::Ru, ScriptFault::Delay) => "Задержка: от 0 до 60 000 мс.".to_owned(),
            (Self::En, ScriptFault::Delay) => "Delay: 0 to 60,000 ms.".to_owned(),
            (Self::Ru, ScriptFault::HeaderLine(line)) => format!("«{line}»: нужно «Имя: значение»."),
            (Self::En, ScriptFault::HeaderLine(line)) => format!("“{line}”: it must be “Name: value”."),
            (Self::Ru, ScriptFault::HeaderName(name)) => format!("«{name}» не может быть именем заголовка."),
            (Self::En, ScriptFault::HeaderName(name)) => format!("“{name}” can't be a header's name."),
            (Self::Ru, ScriptFault::HeaderForbidden(name)) => {
                format!("{name} задать нельзя: он действует дальше одного ответа или ставится сервером.")
            }
            (Self::En, ScriptFault::HeaderForbidden(name)) => {
                format!("{name} can't be set: it reaches beyond one answer, or the server sets it.")
            }
            (Self::Ru, ScriptFault::HeaderValue(name)) => {
                format!("{name}: значение — видимые знаки ASCII, не длиннее 1024.")
            }
            (Self::En, ScriptFault::HeaderValue(name)) => {
                format!("{name}: the value must be visible ASCII, 1,024 characters at most.")
            }
            (Self::Ru, ScriptFault::HeaderTwice(name)) => format!("{name} указан дважды."),
            (Self::En, ScriptFault::HeaderTwice(name)) => format!("{name} is given twice."),
            (Self::Ru, ScriptFault::HeadersMany) => "Заголовков не больше 30.".to_owned(),
            (Self::En, ScriptFault::HeadersMany) => "At most 30 headers.".to_owned(),
            (Self::Ru, ScriptFault::Body) => "Тело: не больше 65 536 байт, без NUL.".to_owned(),
            (Self::En, ScriptFault::Body) => "Body: at most 65,536 bytes, no NUL.".to_owned(),
            (Self::Ru, ScriptFault::BodyNone) => "У ответа с таким статусом тела нет: оставьте его пустым.".to_owned(),
            (Self::En, ScriptFault::BodyNone) => "An answer with this status has no body: leave it empty.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_there_in_both_languages() {
        let causes = SIGNATURE_CAUSES.iter().map(|cause| (cause.ru, cause.en));
        for (ru, en) in ALL.iter().copied().chain(causes) {
            assert!(!ru.is_empty() && !en.is_empty() && ru != en, "{en}");
        }
    }

    #[test]
    fn a_comparison_says_from_which_byte_on() {
        assert_eq!(
            Locale::En.body_verdict(Some(11), (13, 1_204)),
            "The bodies differ from byte 11 on: 13\u{a0}bytes and 1,204\u{a0}bytes."
        );
        assert_eq!(Locale::Ru.body_verdict(None, (1, 1)), "Тело совпадает байт в байт: 1\u{a0}байт.");
    }
}
