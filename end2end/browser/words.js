// The dashboard's words that the tests look for, in both languages: what a person sees is what a test clicks.
const WORDS = {
  en: {
    email: "E-mail",
    password: "Password",
    signIn: "Sign in",
    attempts: /^Webhook delivery attempts/,
    deadLetters: /^Dead letters/,
    delivered: "Delivered",
    retrying: "Retrying",
    deadLettered: "Dead-lettered",
    retry: "Retry",
    sections: "Sections",
    tabs: { attempts: /^Webhook Delivery/, deadLetters: /^Dead letters/, events: /^Events/, endpoints: /^Endpoints/ },
    search: "Find by id",
    older: /Older/,
    close: "Close",
    oneNew: /1 new/,
  },
  ru: {
    email: "Эл. почта",
    password: "Пароль",
    signIn: "Войти",
    attempts: /^Попытки доставки вебхуков/,
    deadLetters: /^Недоставленные/,
    delivered: "Доставлено",
    retrying: "Будет повтор",
    deadLettered: "Не доставлено",
    retry: "Повторить отправку",
    sections: "Разделы",
    tabs: { attempts: /^Доставка вебхуков/, deadLetters: /^Недоставленные/, events: /^События/, endpoints: /^Эндпоинты/ },
    search: "Найти по идентификатору",
    older: /Старее/,
    close: "Закрыть",
    oneNew: /1 нов/,
  },
};

export const wordsFor = (locale) => WORDS[locale.startsWith("ru") ? "ru" : "en"];
