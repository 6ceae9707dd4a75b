//! The receiver's one page: each path with its answer, the buttons that switch it, and what came in.

use std::fmt::Write as _;

use super::{Hook, Hooks, Mode};

const STYLE: &str = "
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin: 0 } h2 small { font-weight: 400; opacity: .7 }
section { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: .5rem; padding: 1rem; margin: 1rem 0 }
form { margin: .6rem 0; display: flex; gap: .4rem; flex-wrap: wrap }
button { font: inherit; padding: .25rem .7rem; border-radius: .4rem; border: 1px solid; background: none; color: inherit; cursor: pointer }
button[aria-pressed=true] { background: CanvasText; color: Canvas }
table { border-collapse: collapse; width: 100%; font-size: .85rem } th, td { text-align: left; padding: .15rem .6rem .15rem 0 }
code { font-family: ui-monospace, monospace }
";

/// The page's words.
struct Words {
    code: &'static str,
    title: &'static str,
    lead: &'static str,
    modes: [&'static str; 5],
    nothing: &'static str,
    columns: [&'static str; 5],
    verified: [&'static str; 2],
}

const ENGLISH: Words = Words {
    code: "en",
    title: "Sample receiver",
    lead: "Plays the servers of the demo shop. Switch an answer here, then press Retry in the dashboard.",
    modes: ["200 OK", "503 down", "401 wrong secret", "slow (5 s)", "429 later"],
    nothing: "No request yet.",
    columns: ["received", "event", "attempt", "signature", "answered"],
    verified: ["verified", "wrong"],
};

const RUSSIAN: Words = Words {
    code: "ru",
    title: "Пример получателя",
    lead: "Играет роль серверов демо-магазина. Переключите ответ здесь и нажмите «Повторить отправку» в кабинете.",
    modes: ["200 OK", "503 недоступен", "401 не тот секрет", "медленно (5 с)", "429 позже"],
    nothing: "Запросов ещё не было.",
    columns: ["получено", "событие", "попытка", "подпись", "ответ"],
    verified: ["верна", "неверна"],
};

/// The page, in the language that the browser prefers.
pub(super) fn render(hooks: &Hooks, accept_language: &str) -> String {
    let words = if accept_language.trim_start().starts_with("ru") { &RUSSIAN } else { &ENGLISH };
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"refresh\" content=\"5\"><title>{}</title><style>{STYLE}</style><h1>{}</h1><p>{}</p>",
        words.code, words.title, words.title, words.lead
    );
    for (name, hook) in hooks {
        section(&mut html, words, name, hook);
    }
    html
}

// Writing to a string can't fail, hence the ignored results.
fn section(html: &mut String, words: &Words, name: &str, hook: &Hook) {
    let (name, description) = (escape(name), escape(hook.description));
    let _ = write!(html, "<section><h2><code>/{name}</code> <small>{description}</small></h2>");
    let _ =
        write!(html, "<form method=\"post\" action=\"/mode\"><input type=\"hidden\" name=\"hook\" value=\"{name}\">");
    for (mode, label) in Mode::ALL.iter().zip(words.modes) {
        let pressed = *mode == hook.mode;
        let word = mode.word();
        let _ = write!(html, "<button name=\"mode\" value=\"{word}\" aria-pressed=\"{pressed}\">{label}</button>");
    }
    html.push_str("</form>");
    if hook.seen.is_empty() {
        let _ = write!(html, "<p>{}</p></section>", words.nothing);
        return;
    }
    html.push_str("<table><tr>");
    for column in words.columns {
        let _ = write!(html, "<th scope=\"col\">{column}</th>");
    }
    html.push_str("</tr>");
    for seen in &hook.seen {
        let verified = words.verified[usize::from(!seen.verified)];
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{} <code>{}</code></td><td>{}</td><td>{verified}</td><td>{}</td></tr>",
            seen.at,
            escape(&seen.event_type),
            escape(&seen.event_id),
            escape(&seen.attempt),
            seen.answer
        );
    }
    html.push_str("</table></section>");
}

/// What came in is text, never markup.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
