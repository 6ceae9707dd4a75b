//! Fixed texts: labels, headings, hints.

use super::Locale;

macro_rules! labels {
    ($($name:ident = $ru:literal | $en:literal;)*) => {
        impl Locale {
            $(
                #[doc = $en]
                pub const fn $name(self) -> &'static str {
                    match self { Self::Ru => $ru, Self::En => $en }
                }
            )*

            /// Every label, for the test that none is empty.
            #[cfg(test)]
            fn all_labels(self) -> Vec<&'static str> {
                vec![$(self.$name()),*]
            }
        }
    };
}

labels! {
    skip_to_content = "К содержанию" | "Skip to content";
    developers = "Разработчикам" | "Developers";
    project = "Проект" | "Project";
    account = "Учётная запись" | "Account";
    sign_out = "Выйти" | "Sign out";
    language = "Язык" | "Language";
    theme = "Оформление" | "Theme";
    theme_auto = "Как в системе" | "As the system";
    theme_light = "Светлое" | "Light";
    theme_dark = "Тёмное" | "Dark";
    search_hint = "Номер, ключ или письмо…" | "Any id, key or e-mail…";
    search_label = "Найти по идентификатору" | "Find by id";
    search_go = "Найти" | "Find";
    sections = "Разделы" | "Sections";
    tab_attempts = "Доставка вебхуков" | "Webhook Delivery";
    tab_dead_letters = "Недоставленные" | "Dead letters";
    tab_events = "События" | "Events";
    tab_endpoints = "Эндпоинты" | "Endpoints";

    tab_idempotency = "Идемпотентность" | "Idempotency";
    tab_requests = "Запросы" | "Requests";

    sign_in = "Войти" | "Sign in";
    sign_in_lead = "Вход в панель разработчика BOTIX" | "Sign in to BOTIX Developers";
    email = "Эл. почта" | "E-mail";
    password = "Пароль" | "Password";
    sign_in_failed = "Почта или пароль не подходят. Проверьте раскладку и попробуйте ещё раз." | "That e-mail and password don't match. Check both and try again.";
    sign_in_busy = "Слишком много попыток входа. Подождите минуту и попробуйте снова." | "Too many sign-in attempts. Wait a minute and try again.";
    sign_in_unavailable = "Сейчас войти не получится: база данных не отвечает. Попробуйте через минуту." | "Signing in doesn't work right now: the database is not answering. Try again in a minute.";

    no_project_title = "У вас пока нет проектов" | "You have no project yet";
    no_project_text = "Попросите владельца проекта добавить вас или создайте проект командой:" | "Ask a project's owner to add you, or create one with:";

    attempts_caption = "Попытки доставки вебхуков, новые сверху" | "Webhook delivery attempts, newest first";
    col_status = "Статус" | "Status";
    col_http = "HTTP" | "HTTP";
    col_event = "Событие" | "Event";
    col_endpoint = "Эндпоинт" | "Endpoint";
    col_attempt = "Попытка" | "Attempt";
    col_duration = "Время" | "Took";
    col_when = "Когда" | "When";
    col_reason = "Причина" | "Reason";
    col_action = "Действие" | "Action";
    col_type = "Тип" | "Type";
    col_url = "Адрес" | "URL";
    col_event_types = "События" | "Events";
    filter_all = "Все" | "All";
    filter_status = "Статус" | "Status";
    filter_apply = "Применить" | "Apply";
    filter_clear = "Сбросить" | "Clear";
    any_endpoint = "Все эндпоинты" | "All endpoints";
    any_event = "Все события" | "All events";
    any_http = "Любой ответ" | "Any answer";
    range = "Период" | "Period";
    range_day = "24 ч" | "24 h";
    range_week = "7 дн." | "7 d";
    range_all = "14 дн." | "14 d";
    newest = "К новым" | "Newest";
    newer = "Новее" | "Newer";
    older = "Старее" | "Older";
    pages = "Страницы" | "Pages";
    live = "В эфире" | "Live";
    live_off = "Нет связи" | "Offline";

    empty_attempts = "Пока ни одной попытки" | "No attempts yet";
    empty_attempts_text = "Добавьте эндпоинт и создайте контакт через API: его событие тут же будет доставлено и появится здесь." | "Add an endpoint, then create a contact through the API: its event is delivered at once and shows up here.";
    empty_match = "Под фильтры ничего не подошло" | "Nothing matches these filters";
    empty_match_text = "Уберите часть фильтров или выберите период подлиннее." | "Remove a filter, or choose a longer period.";
    empty_dead_letters = "Недоставленных нет. Всё, что отправлено, дошло или ещё в пути." | "No dead letters. Everything sent has arrived or is on its way.";
    empty_resolved = "Разобранных пока нет." | "None resolved yet.";
    empty_events = "Событий пока не было." | "No events yet.";
    empty_endpoints = "Эндпоинтов пока нет" | "No endpoints yet";
    empty_endpoints_text = "Эндпоинт — адрес, на который BOTIX отправляет события проекта. Создайте его здесь или через API:" | "An endpoint is a URL that BOTIX sends the project's events to. Create one here or through the API:";

    chart_caption = "Попытки по часам" | "Attempts per hour";
    chart_table = "Таблицей" | "As a table";
    detail = "Подробности" | "Details";
    close = "Закрыть" | "Close";
    what_next = "Что дальше" | "What happens next";
    next_delivered = "Ничего: событие доставлено." | "Nothing: the event has been delivered.";
    next_running = "Отправляется прямо сейчас." | "It is being sent right now.";
    next_skipped = "Не отправлялось: эндпоинт был отключён." | "Never sent: the endpoint was disabled.";
    next_cancelled = "Доставка отменена" | "The delivery was called off";
    next_due = "Следующая попытка:" | "Next attempt:";
    next_inbox_at = "Если не получится ни разу, станет недоставленным:" | "If every attempt fails, it becomes a dead letter:";
    next_inbox = "Ждёт решения среди недоставленных." | "Waits among the dead letters for somebody to decide.";
    next_dismissed = "Снято с разбора." | "Dismissed.";
    open_dead_letter = "Открыть" | "Open";
    ladder = "Лестница повторов" | "Retry ladder";
    siblings = "Все попытки этой доставки" | "All attempts of this delivery";
    retry = "Повторить отправку" | "Retry";
    retry_again = "Отправить ещё раз" | "Send again";
    retrying_now = "Отправляем…" | "Sending…";
    request = "Запрос" | "Request";
    response = "Ответ" | "Response";
    request_headers = "Заголовки запроса" | "Request headers";
    request_body = "Тело запроса" | "Request body";
    response_headers = "Заголовки ответа" | "Response headers";
    response_body = "Тело ответа" | "Response body";
    no_response = "Ответа не было." | "There was no answer.";
    empty_body = "Пустое тело." | "An empty body.";
    body_cut = "Показаны первые 4096 байт, дальше ответ обрезан." | "The first 4,096 bytes; the rest of the answer was cut off.";
    body_raw = "Как есть" | "Raw";
    signature = "Подпись" | "Signature";
    signature_own = "HMAC-SHA256 тела; ключ — секрет эндпоинта целиком, как он показан:" | "HMAC-SHA256 of the body; the key is the endpoint's secret exactly as shown:";
    signature_standard = "Standard Webhooks: HMAC-SHA256 строки «id.timestamp.тело»; ключ — секрет после whsec_, раскодированный из base64." | "Standard Webhooks: HMAC-SHA256 of “id.timestamp.body”; the key is what follows whsec_, base64-decoded.";
    any_error = "Любая ошибка" | "Any error";
    any_now = "Сейчас: любой" | "Now: any";
    http_hint = "HTTP: 503, 5xx" | "HTTP: 503, 5xx";
    delivery_now = "Состояние доставки сейчас" | "What the delivery is now";
    chart_help = "Выберите период: протяните мышью или стрелками с Shift, затем Enter." | "Pick a range: drag, or arrow keys with Shift, then Enter.";
    as_curl = "Команда curl" | "As curl";
    curl_note = "Подпись и отметка времени — из этой попытки: строгий получатель может счесть их старыми." | "Signature and timestamp are this attempt's: a strict receiver may call them stale.";
    copy = "Копировать" | "Copy";
    copied = "Скопировано" | "Copied";
    facts = "Сведения" | "Facts";
    attempt_id = "Попытка" | "Attempt";
    delivery_id = "Доставка" | "Delivery";
    event_id = "Событие" | "Event";
    request_id = "Запрос" | "Request id";
    endpoint_id = "Эндпоинт" | "Endpoint";
    sent_to = "Адрес" | "Sent to";
    remote_ip = "IP получателя" | "Receiver's IP";
    started_by = "Причина" | "Started by";
    began = "Начало" | "Began";
    ended = "Конец" | "Ended";
    took_label = "Заняло" | "Took";
    created = "Создано" | "Created";
    updated = "Изменено" | "Updated";
    parent_delivery = "Повтор доставки" | "Repeats";
    retried_as = "Отправлено повторно как" | "Sent again as";
    description = "Описание" | "Description";
    enabled = "Включён" | "Enabled";
    disabled = "Отключён" | "Disabled";
    secret_rotated = "Секрет сменён" | "Secret rotated";
    event_data = "Данные" | "Data";
    deliveries = "Доставки" | "Deliveries";
    no_deliveries = "Ни один эндпоинт не был подписан на это событие." | "No endpoint subscribed to this event.";
    show_attempts = "Попытки этого эндпоинта" | "This endpoint's attempts";
    show_event_attempts = "Попытки этого события" | "This event's attempts";
    no_attempts_yet = "Попыток ещё не было." | "No attempts yet.";

    inbox_open = "Ждут решения" | "Waiting";
    inbox_resolved = "Разобранные" | "Resolved";
    dead_letters_caption = "Недоставленные события, новые сверху" | "Dead letters, newest first";
    events_caption = "События, новые сверху" | "Events, newest first";
    endpoints_caption = "Эндпоинты, новые сверху" | "Endpoints, newest first";
    dead_letter_label = "Недоставленное" | "Dead letter";

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
    uses_of_key = "Запросы с этим ключом" | "Requests with this key";
    key_unknown = "Такого ключа в проекте нет" | "This project knows no such key";
    key_unknown_text = "Ключ помнят 24 часа, а след о нём — ещё 14 дней. Проверьте, что ключ скопирован целиком и запрос шёл в этот проект." | "A key is kept for 24 hours, and a trace of it for 14 days more. Check that it was copied whole and that the request went to this project.";
    empty_keys = "Ключей пока нет" | "No keys yet";
    empty_keys_text = "Ключ появляется с первым POST: заголовок Idempotency-Key обязателен." | "A key shows up with the first POST: the Idempotency-Key header is required.";

    new_endpoint = "Новый эндпоинт" | "New endpoint";
    new_endpoint_text = "Адрес, на который BOTIX отправляет события проекта." | "A URL that BOTIX sends the project's events to.";
    create_endpoint = "Создать эндпоинт" | "Create endpoint";
    which_events = "Какие события отправлять" | "Which events to send";
    other_types = "Другие типы, через запятую" | "Other types, comma-separated";
    long_description = "Описание длиннее 500 знаков." | "The description is longer than 500 characters.";
    endpoint_made = "Эндпоинт создан" | "The endpoint is created";
    secret_made = "Секрет сменён" | "The secret is replaced";
    secret_once = "Это секрет подписи. Скопируйте его сейчас: больше он нигде не показывается." | "This is the signing secret. Copy it now: it is shown nowhere else.";
    both_sign_until = "Прежний секрет подписывает вместе с новым до" | "The previous secret signs beside the new one until";
    to_endpoint = "К эндпоинту" | "To the endpoint";
    rotate_secret = "Сменить секрет" | "Rotate secret";
    enable_endpoint = "Включить" | "Enable";
    disable_endpoint = "Отключить" | "Disable";
    disable_note = "Пока эндпоинт отключён, события не отправляются: доставки отмечаются пропущенными, а те, что ждут, в свой срок станут недоставленными." | "While it is disabled nothing is sent: deliveries are marked skipped, and those that wait become dead letters when they fall due.";
    cancel = "Отмена" | "Cancel";
    last_day = "За последние 24 часа" | "In the last 24 hours";
    quiet_day = "Попыток не было." | "No attempts.";

    by_cause = "По причинам" | "By cause";
    since = "с" | "since";
    fails_since = "не принимает события с" | "has failed since";
    back_before = "Почините приёмник до" | "Back before";
    and_nothing_is_lost = ", и ничего не потеряется." | " and nothing is lost.";
    retry_selected = "Повторить отмеченные" | "Retry selected";
    dismiss_selected = "Снять отмеченные" | "Dismiss selected";
    nothing_selected = "Ничего не отмечено." | "Nothing was selected.";
    choose = "Отметить" | "Select";
    undo = "Вернуть" | "Undo";

    export = "Выгрузить:" | "Export:";
    keys = "Клавиши" | "Keys";
    keys_off = "Отключить клавиши / и ?" | "Switch / and ? off";
    keys_on = "Включить клавиши / и ?" | "Switch / and ? on";
    key_search = "Поиск" | "Search";
    key_close = "Закрыть подробности" | "Close the detail";
    key_chart = "Соседний столбец графика" | "The column beside, on the chart";
    key_chart_range = "Выбрать период на графике, Enter — показать" | "Pick a range on the chart, Enter shows it";
    key_help = "Эта подсказка" | "This help";

    send_test = "Отправить проверку" | "Send a test";

    time_zone = "Часовой пояс" | "Time zone";

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

    error_title = "Не получилось показать страницу" | "This page could not be shown";
    error_not_signed_in = "Вы вышли из системы. Войдите снова." | "You are signed out. Sign in again.";
    error_forbidden = "У вас нет права на это действие в этом проекте." | "You may not do that in this project.";
    error_not_found = "Здесь ничего нет: возможно, запись удалена по сроку хранения или адрес неточен." | "There is nothing here: the record may have passed its retention, or the address is not exact.";
    error_filter = "Адрес страницы содержит фильтр, который мы не понимаем." | "The address holds a filter that we don't understand.";
    error_cursor = "Эта страница списка больше недоступна: фильтры изменились или ссылка устарела." | "That page of the list is gone: the filters changed, or the link is too old.";
    error_endpoint_deleted = "Эндпоинт удалён: отправлять некуда." | "The endpoint has been deleted: there is nowhere to send to.";
    error_resolved = "Это письмо уже разобрали: его отправили повторно или сняли." | "Somebody has already resolved this one: it was sent again or dismissed.";
    error_unavailable = "База данных сейчас не отвечает. Обновите страницу через минуту." | "The database is not answering right now. Reload in a minute.";
    error_internal = "Ошибка на нашей стороне. Мы её записали." | "Something failed on our side. We have logged it.";
    to_first_page = "К началу списка" | "To the start of the list";
    to_attempts = "К доставке вебхуков" | "To Webhook Delivery";
    not_found_title = "Такой страницы нет" | "No such page";
    bad_origin = "Запрос пришёл не с этого сайта, поэтому мы его не выполнили." | "The request did not come from this site, so it was not carried out.";
}

#[cfg(test)]
mod tests {
    use super::Locale;

    #[test]
    fn no_label_is_empty_and_no_russian_one_is_english() {
        for (ru, en) in Locale::Ru.all_labels().into_iter().zip(Locale::En.all_labels()) {
            assert!(!ru.is_empty() && !en.is_empty());
            let latin_by_nature = ["HTTP", "HTTP: 503, 5xx"].contains(&ru);
            assert!(latin_by_nature || ru.chars().any(|c| ('а'..='я').contains(&c) || c == 'ё'), "{ru}");
            assert!(!en.chars().any(|c| ('а'..='я').contains(&c)), "{en}");
        }
    }
}
