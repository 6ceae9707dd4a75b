//! The form of a bin: a name, and a sequence of answers in fields that repeat.

use domain::model::Bin;
use domain::script::{MAX_HEADERS, MAX_STEPS, Script};
use serde_json::{Map, Value, json};

use crate::model::{BinForm, ScriptFault, StepForm};

/// As long as the API's.
const NAME: usize = 100;
/// What a bin is called when nobody says so.
const UNNAMED: &str = "bin";

/// A form nobody has typed into.
pub(super) fn fresh() -> BinForm {
    BinForm { steps: vec![StepForm::default()], ..BinForm::default() }
}

/// The form of a bin as it stands.
pub(super) fn of(bin: &Bin) -> BinForm {
    let steps = bin.script.steps().iter().map(|step| StepForm {
        status: step.status.to_string(),
        delay: if step.delay_ms == 0 { String::new() } else { step.delay_ms.to_string() },
        headers: step.headers.0.iter().fold(String::new(), |text, (name, value)| text + name + ": " + value + "\n"),
        body: step.body.clone(),
        faults: Vec::new(),
    });
    BinForm { name: bin.name.clone(), bad_name: false, steps: steps.collect() }
}

/// What was typed, changed as the pressed button says; name and script only when it said to save and
/// nothing is wrong.
pub(super) fn read(fields: &[(String, String)]) -> (BinForm, Option<(String, Script)>) {
    let all = |name: &'static str| fields.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.clone());
    let one = |name: &'static str| all(name).next_back().unwrap_or_default();
    let (mut delays, mut headers, mut bodies) = (all("delay"), all("headers"), all("body"));
    let steps = all("status").take(MAX_STEPS).map(|status| StepForm {
        status: status.trim().to_owned(),
        delay: delays.next().unwrap_or_default().trim().to_owned(),
        headers: headers.next().unwrap_or_default().replace("\r\n", "\n"),
        body: bodies.next().unwrap_or_default().replace("\r\n", "\n"),
        faults: Vec::new(),
    });
    let mut form = BinForm { steps: steps.collect(), name: one("name").trim().to_owned(), bad_name: false };
    let wish = one("do");
    let (what, which) = wish.split_once(':').unwrap_or((&wish, ""));
    match what {
        "add" => {
            form.steps.truncate(MAX_STEPS - 1);
            form.steps.push(StepForm::default());
        }
        "remove" => {
            if let Some(index) = which.parse::<usize>().ok().filter(|index| *index < form.steps.len()) {
                form.steps.remove(index);
            }
        }
        "preset" => form.steps = preset(which),
        _ => {
            let read = check(&mut form);
            return (form, read);
        }
    }
    if form.steps.is_empty() {
        form.steps.push(StepForm::default());
    }
    (form, None)
}

/// Sequences that receivers' authors ask for.
fn preset(word: &str) -> Vec<StepForm> {
    let step = |status: &str, delay: &str, headers: &str| StepForm {
        status: status.to_owned(),
        delay: delay.to_owned(),
        headers: headers.to_owned(),
        ..StepForm::default()
    };
    match word {
        "recovers" => {
            vec![step("503", "", ""), step("503", "", ""), step("429", "", "Retry-After: 2"), step("200", "", "")]
        }
        "down" => vec![step("503", "", "")],
        "refuses" => vec![step("401", "", "")],
        // Beyond the engine's read time-out.
        "slow" => vec![step("200", "35000", "")],
        _ => vec![step("200", "", "")],
    }
}

fn check(form: &mut BinForm) -> Option<(String, Script)> {
    form.bad_name = form.name.chars().count() > NAME || form.name.contains('\0');
    let json: Vec<Value> = form.steps.iter_mut().map(as_json).collect();
    let parsed = Script::parse(&Value::Array(json).to_string());
    if let Err(refused) = &parsed {
        for (field, why) in refused {
            let (index, rest) = place(field);
            if let Some(step) = form.steps.get_mut(index) {
                step.faults.push(fault(rest, why));
            } else if let Some(first) = form.steps.first_mut() {
                first.faults.push(ScriptFault::Status);
            }
        }
    }
    let fine = !form.bad_name && form.steps.iter().all(|step| step.faults.is_empty());
    let name = if form.name.is_empty() { UNNAMED.to_owned() } else { form.name.clone() };
    parsed.ok().filter(|_| fine).map(|script| (name, script))
}

/// An answer as the script's own reader takes it; what the form alone can get wrong is said here.
fn as_json(step: &mut StepForm) -> Value {
    let number = |text: &str| text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from);
    let mut headers = Map::new();
    for line in step.headers.lines().filter(|line| !line.trim().is_empty()) {
        let Some((name, value)) = line.split_once(':') else {
            step.faults.push(ScriptFault::HeaderLine(line.trim().to_owned()));
            continue;
        };
        let name = name.trim().to_owned();
        if headers.keys().any(|known| known.eq_ignore_ascii_case(&name)) {
            step.faults.push(ScriptFault::HeaderTwice(name));
        } else {
            headers.insert(name, Value::from(value.trim()));
        }
    }
    if headers.len() > MAX_HEADERS {
        step.faults.push(ScriptFault::HeadersMany);
        headers.clear();
    }
    let delay = if step.delay.is_empty() { Value::from(0) } else { number(&step.delay) };
    json!({"status": number(&step.status), "headers": headers, "body": step.body, "delay_ms": delay})
}

/// `script[2].headers.X-A` is about answer 2's `headers.X-A`.
fn place(field: &str) -> (usize, &str) {
    let inner = field.strip_prefix("script[").and_then(|rest| rest.split_once(']'));
    let read = inner.and_then(|(index, rest)| Some((index.parse().ok()?, rest.trim_start_matches('.'))));
    read.unwrap_or((usize::MAX, ""))
}

fn fault(field: &str, why: &str) -> ScriptFault {
    match field.split_once('.') {
        Some(("headers", name)) => {
            let name = name.to_owned();
            if why.contains("scripted") || why.contains("by the server") {
                ScriptFault::HeaderForbidden(name)
            } else if why.contains("named") {
                ScriptFault::HeaderName(name)
            } else {
                ScriptFault::HeaderValue(name)
            }
        }
        _ => match field {
            "delay_ms" => ScriptFault::Delay,
            "body" if why.contains("empty") => ScriptFault::BodyNone,
            "body" => ScriptFault::Body,
            _ => ScriptFault::Status,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_sequence_that_was_typed_is_the_script() {
        let fields = typed(&[
            ("name", " Orders "),
            ("status", "429"),
            ("delay", ""),
            ("headers", "Retry-After: 2\r\nX-A: b: c\r\n"),
            ("body", ""),
            ("status", "200"),
            ("delay", "50"),
            ("headers", ""),
            ("body", "ok\r\n"),
            ("do", "save"),
        ]);
        let (_, read) = read(&fields);
        let (name, script) = read.unwrap();
        assert_eq!(name, "Orders");
        assert_eq!(script.at(0).headers.get("retry-after"), Some("2"));
        assert_eq!(script.at(0).headers.get("x-a"), Some("b: c"));
        assert_eq!((script.at(1).delay_ms, script.at(1).body.as_str()), (50, "ok\n"));
    }

    #[test]
    fn every_fault_is_told_at_its_answer() {
        let fields = typed(&[
            ("status", "20"),
            ("headers", "Set-Cookie: a\nno colon\nX: 1\nx: 2\nA B: 1\nY: ü"),
            ("status", "204"),
            ("headers", ""),
            ("body", ""),
            ("body", "x"),
            ("delay", "ten"),
            ("delay", "70000"),
        ]);
        let (form, read) = read(&fields);
        assert!(read.is_none());
        let name = |text: &str| text.to_owned();
        assert_eq!(
            form.steps[0].faults,
            [
                ScriptFault::HeaderLine(name("no colon")),
                ScriptFault::HeaderTwice(name("x")),
                ScriptFault::Delay,
                ScriptFault::HeaderName(name("A B")),
                ScriptFault::HeaderForbidden(name("Set-Cookie")),
                ScriptFault::HeaderValue(name("Y")),
                ScriptFault::Status,
            ]
        );
        assert_eq!(form.steps[1].faults, [ScriptFault::BodyNone, ScriptFault::Delay]);
    }

    #[test]
    fn buttons_change_the_form_and_save_nothing() {
        let before = [("status", "503"), ("status", "200"), ("body", "kept")];
        let pressed = |wish| typed(&[&before[..], &[("do", wish)]].concat());
        let statuses = |wish| {
            let (form, saved) = read(&pressed(wish));
            assert!(saved.is_none());
            form.steps.into_iter().map(|step| step.status).collect::<Vec<_>>()
        };
        assert_eq!(statuses("add"), ["503", "200", "200"]);
        assert_eq!(statuses("remove:0"), ["200"]);
        assert_eq!(statuses("remove:9"), ["503", "200"]);
        assert_eq!(statuses("preset:recovers"), ["503", "503", "429", "200"]);
        assert_eq!(read(&pressed("add")).0.steps[0].body, "kept");
    }
}
