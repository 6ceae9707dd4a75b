//! What is set up and mended: endpoints and the inbox.

use super::labels;
use crate::i18n::Locale;

labels! {
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
    lost_by_hour = "Сколько станет недоставленными, по часам" | "How many become dead letters, by the hour";
    lost_by = "К часу" | "By";
    lost_count = "Всего" | "In all";
    retry_selected = "Повторить отмеченные" | "Retry selected";
    dismiss_selected = "Снять отмеченные" | "Dismiss selected";
    nothing_selected = "Ничего не отмечено." | "Nothing was selected.";
    choose = "Отметить" | "Select";
    undo = "Вернуть" | "Undo";

    send_test = "Отправить проверку" | "Send a test";
}
