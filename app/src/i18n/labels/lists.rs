//! Lists: columns, filters, and what an empty one says.

use super::labels;
use crate::i18n::Locale;

labels! {
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

    inbox_open = "Ждут решения" | "Waiting";
    inbox_resolved = "Разобранные" | "Resolved";
    dead_letters_caption = "Недоставленные события, новые сверху" | "Dead letters, newest first";
    events_caption = "События, новые сверху" | "Events, newest first";
    endpoints_caption = "Эндпоинты, новые сверху" | "Endpoints, newest first";
    dead_letter_label = "Недоставленное" | "Dead letter";
}
