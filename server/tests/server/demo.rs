//! `botix demo`: a newcomer's first minute.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, api_post, get, post};

struct Demo {
    child: Child,
    printed: Vec<(String, String)>,
}

impl Demo {
    fn start(folder: &Folder) -> Self {
        let mut child = folder.command(&["demo"], &[]).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut printed = Vec::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap().trim().to_owned();
            if let Some((label, value)) = line.split_once("  ") {
                printed.push((label.to_owned(), value.trim().to_owned()));
            } else if line.starts_with("curl ") {
                break;
            }
        }
        Self { child, printed }
    }

    fn value(&self, label: &str) -> &str {
        &self.printed.iter().find(|(name, _)| name == label).unwrap_or_else(|| panic!("{label}: {:?}", self.printed)).1
    }

    fn address(&self, label: &str) -> String {
        self.value(label).trim_start_matches("http://").split('/').next().unwrap().to_owned()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_fortnight_is_there_and_the_second_start_tells_the_same_way_in() {
    let folder = Folder::new();
    let demo = Demo::start(&folder);
    let key = demo.value("API key").to_owned();
    let bearer = format!("Authorization: Bearer {key}\r\n");
    let api = demo.address("Dashboard");
    let list = |path: &str| get(&api, &format!("/public/v1{path}"), &bearer);
    for status in ["delivered", "retrying", "dead_lettered"] {
        let answer = list(&format!("/webhooks/attempts?status={status}&cursor_limit=1"));
        assert!(answer.contains(&format!(r#""status":"{status}""#)), "{answer}");
    }
    for reason in ["attempts_exhausted", "rejected", "blocked_address"] {
        assert!(list("/webhooks/dead-letters?cursor_limit=200").contains(reason), "{reason}");
    }
    assert!(list("/webhooks/deliveries?status=skipped&cursor_limit=1").contains("endpoint_disabled"));
    assert!(get(&demo.address("Receiver"), "/", "").contains("/billing"));
    let way_in = |demo: &Demo| ["E-mail", "Password", "API key", "Receiver"].map(|label| demo.value(label).to_owned());
    let first = way_in(&demo);
    drop(demo);
    let from = Instant::now();
    let again = Demo::start(&folder);
    assert_eq!(way_in(&again), first);
    assert!(from.elapsed() < Duration::from_secs(5), "nothing is seeded twice");
    let mode = std::fs::metadata(folder.path().join("demo.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_retry_fails_until_the_receiver_is_switched_and_then_arrives() {
    let folder = Folder::new();
    let demo = Demo::start(&folder);
    let (api, receiver, key) = (demo.address("Dashboard"), demo.address("Receiver"), demo.value("API key"));
    let bearer = format!("Authorization: Bearer {key}\r\n");
    let list = get(&api, "/public/v1/webhooks/dead-letters?reason=rejected&cursor_limit=1", &bearer);
    let delivery = after(&list, r#""delivery_id":""#);
    let retry = |delivery: &str, expected: &str| {
        let made = api_post(&api, key, &format!("/webhooks/deliveries/{delivery}/retry"), "{}");
        let made = after(&made, r#""data":{"id":""#);
        let from = Instant::now();
        loop {
            let seen = get(&api, &format!("/public/v1/webhooks/deliveries/{made}"), &bearer);
            if seen.contains(&format!(r#""status":"{expected}""#)) {
                return made;
            }
            assert!(from.elapsed() < Duration::from_secs(10), "{seen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let again = retry(&delivery, "dead_lettered");
    let switched = post(&receiver, "/mode", "", "hook=loyalty&mode=200");
    assert!(switched.starts_with("HTTP/1.1 303"), "{switched}");
    retry(&again, "delivered");
    let page = get(&receiver, "/", "");
    assert!(page.contains("<td>verified</td>") && !page.contains("<td>wrong</td>"), "{page}");
}

/// What follows `mark`, up to the next quotation mark.
fn after(text: &str, mark: &str) -> String {
    let (_, rest) = text.split_once(mark).unwrap_or_else(|| panic!("{mark} in {text}"));
    rest.split('"').next().unwrap().to_owned()
}
