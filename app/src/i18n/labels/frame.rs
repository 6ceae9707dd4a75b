//! What surrounds the pages: sections, sign-in, keys, errors.

use super::labels;
use crate::i18n::Locale;

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
    tab_api_keys = "Ключи API" | "API keys";
    tab_settings = "Настройки" | "Settings";

    sign_in = "Войти" | "Sign in";
    sign_in_lead = "Вход в панель разработчика BOTIX" | "Sign in to BOTIX Developers";
    email = "Эл. почта" | "E-mail";
    password = "Пароль" | "Password";
    sign_in_failed = "Почта или пароль не подходят. Проверьте раскладку и попробуйте ещё раз." | "That e-mail and password don't match. Check both and try again.";
    sign_in_busy = "Слишком много попыток входа. Подождите минуту и попробуйте снова." | "Too many sign-in attempts. Wait a minute and try again.";
    sign_in_unavailable = "Сейчас войти не получится: база данных не отвечает. Попробуйте через минуту." | "Signing in doesn't work right now: the database is not answering. Try again in a minute.";

    no_project_title = "У вас пока нет проектов" | "You have no project yet";
    no_project_text = "Попросите владельца проекта добавить вас или создайте проект командой:" | "Ask a project's owner to add you, or create one with:";

    export = "Выгрузить:" | "Export:";
    keys = "Клавиши" | "Keys";
    keys_off = "Отключить клавиши / и ?" | "Switch / and ? off";
    keys_on = "Включить клавиши / и ?" | "Switch / and ? on";
    key_search = "Поиск" | "Search";
    key_close = "Закрыть подробности" | "Close the detail";
    key_chart = "Соседний столбец графика" | "The column beside, on the chart";
    key_chart_range = "Выбрать период на графике, Enter — показать" | "Pick a range on the chart, Enter shows it";
    key_help = "Эта подсказка" | "This help";

    time_zone = "Часовой пояс" | "Time zone";

    error_title = "Не получилось показать страницу" | "This page could not be shown";
    error_not_signed_in = "Вы вышли из системы. Войдите снова." | "You are signed out. Sign in again.";
    error_forbidden = "У вас нет права на это действие в этом проекте." | "You may not do that in this project.";
    error_not_found = "Здесь ничего нет: возможно, запись удалена по сроку хранения или адрес неточен." | "There is nothing here: the record may have passed its retention, or the address is not exact.";
    error_filter = "Адрес страницы содержит фильтр, который мы не понимаем." | "The address holds a filter that we don't understand.";
    error_cursor = "Эта страница списка больше недоступна: фильтры изменились или ссылка устарела." | "That page of the list is gone: the filters changed, or the link is too old.";
    error_endpoint_deleted = "Эндпоинт удалён: отправлять некуда." | "The endpoint has been deleted: there is nowhere to send to.";
    error_resolved = "Это письмо уже разобрали: его отправили повторно или сняли." | "Somebody has already resolved this one: it was sent again or dismissed.";
    error_last_owner = "Это единственный владелец. Сначала назначьте другого." | "That is the only owner. Give the role to somebody else first.";
    error_no_such_person = "Человека с такой почтой нет. Учётную запись создаёт администратор." | "Nobody has that e-mail. An administrator creates accounts.";
    error_member_already = "Этот человек уже в проекте. Роль меняется в списке." | "That person is in the project already. Their role is changed in the list.";
    error_name = "Название: от 1 до 80 знаков." | "A name has 1 to 80 characters.";
    error_unavailable = "База данных сейчас не отвечает. Обновите страницу через минуту." | "The database is not answering right now. Reload in a minute.";
    error_internal = "Ошибка на нашей стороне. Мы её записали." | "Something failed on our side. We have logged it.";
    to_first_page = "К началу списка" | "To the start of the list";
    to_attempts = "К доставке вебхуков" | "To Webhook Delivery";
    not_found_title = "Такой страницы нет" | "No such page";
    bad_origin = "Запрос пришёл не с этого сайта, поэтому мы его не выполнили." | "The request did not come from this site, so it was not carried out.";
}
