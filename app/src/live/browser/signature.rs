//! The signature check of a captured request. The secret is read from its field, used here, and goes
//! nowhere: no form holds it, and nothing is sent but a `GET` of the captured bytes.
//!
//! A signature is made from a key, the signed bytes and a way to write the digest. Every combination of
//! the mistakes that people make is tried; where one of them gives the signature that is there, what
//! sets it apart from the right combination is the cause.

use js_sys::{Array, ArrayBuffer, JSON, Object, Reflect, Uint8Array};
use leptos::prelude::window;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{CryptoKey, Element, Event, HtmlInputElement, SubtleCrypto};

use super::{around, elements, on};

/// What is wrong with a key, with signed bytes, or with the way a digest is written; none: it is right.
type Causes = Vec<&'static str>;

pub(super) fn listen() {
    on("click", |event: Event| {
        let Some(place) = around(&event, "[data-check-signature]").and_then(|b| b.closest("[data-signing]").ok()?)
        else {
            return;
        };
        spawn_local(async move {
            hide_all(&place);
            if check(&place).await.is_none() {
                show(&place, "[data-said=unable]");
            }
        });
    });
}

async fn check(place: &Element) -> Option<()> {
    let secret = typed(place, "[data-secret]");
    let claimed = Some(typed(place, "[data-claimed]")).filter(|text| !text.is_empty());
    if secret.is_empty() {
        return Some(());
    }
    let body = body(place).await?;
    let given = |name: &str| place.get_attribute(name).unwrap_or_default();
    let stem = format!("{}.{}.", given("data-id"), given("data-timestamp"));
    let (own, previous, standard) = (given("data-own"), given("data-previous"), given("data-standard"));
    let standard: Vec<String> =
        standard.split(' ').filter_map(|each| each.strip_prefix("v1,").map(str::to_owned)).collect();
    let wanted = |own: &str| claimed.clone().unwrap_or_else(|| own.to_owned());
    let expected = |all: &[String]| match &claimed {
        Some(claimed) => vec![claimed.strip_prefix("v1,").unwrap_or(claimed).to_owned()],
        None => all.to_vec(),
    };

    let right = Attempt { keys: own_keys(&secret), stems: vec![(vec![], ""), (vec!["prefix"], &stem)], hex: true };
    let older = (claimed.is_none() && !previous.is_empty()).then_some(previous);
    say(place, "own", &right, &body, &[wanted(&own)], older.as_deref(), !own.is_empty() || claimed.is_some()).await?;
    let all = expected(&standard);
    let right =
        Attempt { keys: standard_keys(&secret), stems: vec![(vec![], &stem), (vec!["no-prefix"], "")], hex: false };
    say(place, "standard", &right, &body, &all, None, !all.is_empty()).await
}

/// Keys, and what is signed before the body; the right ones first.
struct Attempt<'a> {
    keys: Vec<(Causes, Vec<u8>)>,
    stems: Vec<(Causes, &'a str)>,
    hex: bool,
}

async fn say(
    place: &Element,
    family: &str,
    attempt: &Attempt<'_>,
    body: &[u8],
    wanted: &[String],
    older: Option<&str>,
    there: bool,
) -> Option<()> {
    let part = place.query_selector(&format!("[data-family={family}]")).ok()??;
    drop(part.remove_attribute("hidden"));
    if !there {
        show(&part, "[data-said=absent]");
        return Some(());
    }
    let (keys, stems) = (&attempt.keys, &attempt.stems);
    for (number, text) in variants(body) {
        for (of_key, key) in keys {
            let key = import(key).await?;
            for (of_stem, stem) in stems {
                let digest = sign(&key, &[stem.as_bytes(), &text].concat()).await?;
                for (of_form, written) in forms(&digest, attempt.hex) {
                    let found = wanted.iter().position(|one| *one == written);
                    let by_older = older == Some(written.as_str());
                    if found.is_none() && !by_older {
                        continue;
                    }
                    let causes: Causes = [&of_form, of_key, of_stem, &number].into_iter().flatten().copied().collect();
                    let outdated = by_older && found.is_none() || found.is_some_and(|at| at > 0);
                    match (causes.is_empty(), outdated) {
                        (true, false) => show(&part, "[data-said=right]"),
                        (true, true) => {
                            show(&part, "[data-said=older]");
                            show(&part, "[data-cause=previous]");
                        }
                        (false, _) => show(&part, "[data-said=wrong]"),
                    }
                    for cause in &causes {
                        show(&part, &format!("[data-cause={cause}]"));
                    }
                    return Some(());
                }
            }
        }
    }
    show(&part, "[data-said=unknown]");
    Some(())
}

fn own_keys(secret: &str) -> Vec<(Causes, Vec<u8>)> {
    let mut keys = vec![(vec![], secret.as_bytes().to_vec())];
    if let Some(cut) = secret.strip_prefix("whsec_") {
        keys.push((vec!["cut"], cut.as_bytes().to_vec()));
        keys.extend(decode(cut).map(|key| (vec!["decoded"], key)));
    }
    keys
}

fn standard_keys(secret: &str) -> Vec<(Causes, Vec<u8>)> {
    let cut = secret.strip_prefix("whsec_").unwrap_or(secret);
    let mut keys: Vec<(Causes, Vec<u8>)> = decode(cut).map(|key| (vec![], key)).into_iter().collect();
    keys.push((vec!["undecoded"], cut.as_bytes().to_vec()));
    keys.push((vec!["whole"], secret.as_bytes().to_vec()));
    keys
}

/// The body as it is, and as it may have been when it was signed.
fn variants(body: &[u8]) -> Vec<(Causes, Vec<u8>)> {
    let mut all = vec![(vec![], body.to_vec()), (vec!["newline-more"], [body, b"\n"].concat())];
    let cut = body.strip_suffix(b"\r\n").or_else(|| body.strip_suffix(b"\n"));
    all.extend(cut.map(|cut| (vec!["newline-less"], cut.to_vec())));
    let Some(value) = std::str::from_utf8(body).ok().and_then(|text| JSON::parse(text).ok()) else { return all };
    let written = |space: &JsValue| {
        JSON::stringify_with_replacer_and_space(&value, &JsValue::NULL, space).ok().and_then(|text| text.as_string())
    };
    let mut texts = Vec::new();
    if let Some(compact) = written(&JsValue::NULL) {
        let spaced = spaced(&compact);
        texts.extend([ascii(&spaced), ascii(&compact), spaced, compact]);
    }
    texts.extend([2_u32, 4].iter().filter_map(|n| written(&JsValue::from(*n))));
    all.extend(texts.into_iter().filter(|text| text.as_bytes() != body).map(|text| (vec!["json"], text.into_bytes())));
    all
}

/// As Python's `json.dumps` does: a space behind each comma and colon.
fn spaced(compact: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::with_capacity(compact.len() * 2), false, false);
    for c in compact.chars() {
        out.push(c);
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c == '"' {
            in_string = true;
        } else if c == ',' || c == ':' {
            out.push(' ');
        }
    }
    out
}

/// Characters beyond ASCII written as escapes.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str("\\u");
                out.push_str(&hex(&unit.to_be_bytes()));
            }
        }
    }
    out
}

/// The digest as it should be written, and as it should not.
fn forms(digest: &[u8], is_hex: bool) -> Vec<(Causes, String)> {
    let (in_hex, in_base64) = (hex(digest), encode(digest));
    let upper = in_hex.to_uppercase();
    if is_hex {
        vec![(vec![], in_hex), (vec!["base64"], in_base64), (vec!["upper"], upper)]
    } else {
        vec![(vec![], in_base64), (vec!["hex"], in_hex), (vec!["hex"], upper)]
    }
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

fn encode(bytes: &[u8]) -> String {
    window().btoa(&bytes.iter().copied().map(char::from).collect::<String>()).unwrap_or_default()
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let plain = window().atob(text).ok()?;
    plain.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

async fn body(place: &Element) -> Option<Vec<u8>> {
    if let Some(carried) = place.get_attribute("data-exact") {
        return decode(&carried);
    }
    let answer = gloo_net::http::Request::get(&place.get_attribute("data-file")?).send().await.ok()?;
    if answer.ok() { answer.binary().await.ok() } else { None }
}

/// Offered at secure addresses and on this machine only.
fn subtle() -> Option<SubtleCrypto> {
    let crypto = window().crypto().ok()?;
    let found = Reflect::get(&crypto, &"subtle".into()).ok().filter(|found| !found.is_undefined())?;
    Some(found.unchecked_into())
}

async fn import(key: &[u8]) -> Option<CryptoKey> {
    let algorithm = Object::new();
    Reflect::set(&algorithm, &"name".into(), &"HMAC".into()).ok()?;
    Reflect::set(&algorithm, &"hash".into(), &"SHA-256".into()).ok()?;
    let usages = Array::of1(&"sign".into());
    let key = Uint8Array::from(key);
    let made = subtle()?.import_key_with_object("raw", &key, &algorithm, false, &usages).ok()?;
    Some(JsFuture::from(made).await.ok()?.unchecked_into())
}

async fn sign(key: &CryptoKey, bytes: &[u8]) -> Option<Vec<u8>> {
    let made = subtle()?.sign_with_str_and_js_u8_array("HMAC", key, &Uint8Array::from(bytes)).ok()?;
    let digest: ArrayBuffer = JsFuture::from(made).await.ok()?.unchecked_into();
    Some(Uint8Array::new(&digest).to_vec())
}

fn typed(place: &Element, selector: &str) -> String {
    let field =
        place.query_selector(selector).ok().flatten().and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
    field.map(|field| field.value().trim().to_owned()).unwrap_or_default()
}

fn show(place: &Element, selector: &str) {
    if let Ok(Some(found)) = place.query_selector(selector) {
        drop(found.remove_attribute("hidden"));
    }
}

fn hide_all(place: &Element) {
    if let Ok(found) = place.query_selector_all("[data-family], [data-said], [data-cause]") {
        for each in &elements(&found) {
            drop(each.set_attribute("hidden", ""));
        }
    }
}
