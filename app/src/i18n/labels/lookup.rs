//! Looking up: requests, idempotency keys, the search.

use super::labels;
use crate::i18n::Locale;

labels! {
    requests_caption = "Запросы к API, новые сверху" | "API requests, newest first";
    col_method = "Метод" | "Method";
    col_outcome = "Ключ" | "Key";
    any_method = "Любой метод" | "Any method";
    filters_on = "Включённые фильтры" | "Filters that are on";
    filter_clear_all = "Сбросить все" | "Clear all";
    empty_requests = "Запросов к API ещё не было" | "No API requests yet";
    empty_requests_text = "Каждый вызов API появится здесь сразу после ответа — удачный и неудачный." | "Every call of the API shows up here as soon as it is answered, failed ones too.";
    time_line = "Что произошло" | "What happened";
    trace_empty = "Этот запрос ничего не изменил: событий за ним нет." | "This request changed nothing: no event followed from it.";
    trace_waiting = "Доставка ещё не закончена: новые шаги появятся здесь." | "Delivery has not ended yet: new steps will show up here.";
    webhook_of = "Это номер вебхука. Его вызвал запрос к API" | "This is a webhook's id. The API call that caused it:";
    attempts_as_list = "Попытки списком" | "Attempts as a list";
    api_key = "Ключ API" | "API key";
    sender_ip = "IP отправителя" | "Sender's IP";
    idempotency_key = "Ключ идемпотентности" | "Idempotency key";
    first_request = "Первый запрос" | "First request";
    keys_caption = "Ключи идемпотентности, новые сверху" | "Idempotency keys, newest first";
    key_hint = "Вставьте Idempotency-Key…" | "Paste an Idempotency-Key…";
    key_of_several = "Этот ключ присылали разные ключи API. Выберите нужный." | "More than one API key has used this key. Choose one.";
    key_in_progress = "Первый запрос с этим ключом ещё выполняется. Повтор получит 409 с просьбой зайти через 5 секунд." | "The first request with this key is still running. A retry gets 409 and is asked to come back in 5 seconds.";
    key_done = "Запрос выполнен. Такой же запрос с этим ключом получит тот же ответ и ничего не сделает ещё раз." | "The request was carried out. The same request with this key gets the same answer and does nothing again.";
    key_expired = "Срок ключа вышел, ответ стёрт. Запрос с этим ключом выполнится заново." | "The key has expired and its answer is erased. A request with it executes afresh.";
    key_kept_until = "Ответ хранится до" | "The answer is kept until";
    stored_answer = "Сохранённый ответ" | "Stored answer";
    no_stored_answer = "Сохранённого ответа нет." | "There is no stored answer.";
    fingerprint = "Отпечаток SHA-256" | "Fingerprint, SHA-256";
    replays = "Повторы" | "Replays";
    conflicts = "Конфликты" | "Conflicts";
    what_it_made = "Что он сделал" | "What it did";
    made_nothing = "Ничего не изменилось." | "Nothing was changed.";
    last_conflict = "Последний конфликт" | "The last conflict";
    conflict_text = "С этим ключом пришёл другой запрос, и мы его не выполнили. Минус — первый запрос ключа, плюс — этот:" | "Another request came with this key, and was not carried out. Minus is the key's first request, plus is this one:";
    conflict_too_long = "Одно из тел длиннее 16 КБ; такие мы не храним." | "One of the bodies is longer than 16 KB; such are not kept.";
    uses_of_key = "Запросы с этим ключом" | "Requests with this key";
    key_unknown = "Такого ключа в проекте нет" | "This project knows no such key";
    key_unknown_text = "Ключ помнят 24 часа, а след о нём — ещё 14 дней. Проверьте, что ключ скопирован целиком и запрос шёл в этот проект." | "A key is kept for 24 hours, and a trace of it for 14 days more. Check that it was copied whole and that the request went to this project.";
    empty_keys = "Ключей пока нет" | "No keys yet";
    empty_keys_text = "Ключ появляется с первым POST: заголовок Idempotency-Key обязателен." | "A key shows up with the first POST: the Idempotency-Key header is required.";

    search_title = "Поиск" | "Search";
    search_found = "Найдено" | "Found";
    search_paste = "Любой идентификатор, ключ идемпотентности, команда curl или целое письмо" | "Any id, an idempotency key, a curl line, or a whole e-mail";
    search_too_long = "Этот текст слишком длинный: до 256 КБ." | "That text is too long: 256 kB at most.";
    miss_near = "Такого нет, но есть отличающийся одним знаком. Может быть," | "There is none, but one that differs by a single character. Did you mean";
    miss_other_kind = "Под этим номером есть запись другого вида:" | "Something of another kind has this number:";
    miss_future = "Время в этом номере ещё не наступило: такого номера мы не выдавали." | "The time in this id is still to come: no such id was ever made.";
    miss_malformed = "Это не целый идентификатор: после приставки идут ровно 26 цифр и латинских букв, кроме I, L, O и U." | "This is no whole id: the prefix is followed by exactly 26 digits and letters, without I, L, O and U.";
    miss_no_page = "У записей этого вида нет своей страницы, и события о ней в проекте не нашлось." | "Things of this kind have no page of their own, and no event of this project tells of it.";
    miss_unknown = "В ваших проектах такого нет. Проверьте, что номер скопирован целиком и относится к этому проекту." | "None of your projects knows it. Check that it was copied whole and belongs to this project.";

    search_miss_title = "По этому тексту ничего не нашлось" | "Nothing found for that text";
    search_miss_text = "В тексте нет ни одного идентификатора (req_…, evt_…, dlv_…, att_…, dlq_…, whe_…, con_…) и ни одного ключа идемпотентности." | "The text holds no id (req_…, evt_…, dlv_…, att_…, dlq_…, whe_…, con_…) and no idempotency key.";
}
