//! The pages hold what the contract promises of them, in both languages.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use domain::{ErrorCode, Timestamp};

use super::reader::Reader;
use super::{changelog, error_codes, fields, guides, reference};
use crate::openapi::Served;
use crate::state::ApiConfig;

fn reader(query: &str, cookie: &str, accepted: &str) -> Reader {
    let request = Request::builder().uri(format!("/docs/api{query}")).header(COOKIE, cookie);
    Reader::of(&request.header(ACCEPT_LANGUAGE, accepted).body(Body::empty()).unwrap())
}

fn both() -> [Reader; 2] {
    [reader("?lang=en", "", ""), reader("?lang=ru", "", "")]
}

fn served() -> Served {
    let (_, operations) = crate::resources::routes().into_parts();
    Served::new(operations, ApiConfig::default().into())
}

#[test]
fn the_query_chooses_before_the_cookie_and_the_cookie_before_the_browser() {
    assert_eq!(reader("", "", "de").language, "ru");
    assert_eq!(reader("", "", "en-GB, ru;q=0.5").language, "en");
    assert_eq!(reader("", "botix_lang=ru; botix_theme=dark", "en").language, "ru");
    assert_eq!(reader("", "botix_theme=dark", "en").theme, "dark");
    let chosen = reader("?lang=en&theme=light", "botix_lang=ru; botix_theme=dark", "ru");
    assert_eq!((chosen.language, chosen.theme), ("en", "light"));
    let odd = reader("?lang=%3Cscript%3E&theme=x", "botix_theme=y", "");
    assert_eq!((odd.language, odd.theme), ("ru", "auto"));
}

#[test]
fn a_choice_is_remembered_in_the_dashboard_s_own_cookies() {
    let mut headers = axum::http::HeaderMap::new();
    reader("?lang=en&theme=dark", "", "").seal(&mut headers, true);
    let cookies: Vec<_> = headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(cookies[0].starts_with("botix_lang=en; Path=/;") && cookies[1].starts_with("botix_theme=dark;"));
    assert!(cookies.iter().all(|cookie| cookie.ends_with("; Secure")), "{cookies:?}");
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src") && !policy.contains("unsafe"));
}

#[test]
fn each_of_the_16_codes_has_its_anchor() {
    for reader in both() {
        let body = error_codes::page(&reader).body;
        for code in ErrorCode::ALL {
            assert!(body.contains(&format!("<section id=\"{}\">", code.as_str())), "{}", code.as_str());
        }
    }
}

#[test]
fn every_operation_is_in_the_reference_in_both_languages() {
    let served = served();
    for reader in both() {
        let body = reference::page(&served, Timestamp::from_secs(1_780_000_000), &reader).body;
        for operation in served.operations() {
            let title = operation.description.title.map_or("", |title| reader.say(title));
            assert!(body.contains(&format!("{}{}</code>", crate::PREFIX, operation.path)), "{}", operation.path);
            assert!(!title.is_empty() && body.contains(&title.replace('\'', "&#39;")), "{title}");
        }
        assert!(!body.contains("<script") && !body.contains("style="));
    }
}

#[test]
fn every_field_of_every_object_is_explained_in_both_languages() {
    let document = served().json(Timestamp::from_secs(1_780_000_000)).clone();
    let mut wanting = Vec::new();
    for (object, schema) in document["components"]["schemas"].as_object().unwrap() {
        if object.ends_with("Error") || object == "Problem" {
            continue;
        }
        for (field, described) in schema["properties"].as_object().into_iter().flatten() {
            if fields::russian(object, field).is_none() {
                wanting.push(format!("{object}.{field} (docs/fields.rs)"));
            }
            // What stands behind a reference is described there.
            if described["description"].as_str().is_none_or(str::is_empty) && described.get("$ref").is_none() {
                wanting.push(format!("{object}.{field} (its doc comment)"));
            }
        }
    }
    assert!(wanting.is_empty(), "not explained yet:\n{}", wanting.join("\n"));
}

#[test]
fn the_guides_show_the_example_files_and_say_the_same_in_both_languages() {
    let config = ApiConfig::default();
    let [english, russian] = both();
    for guide in [guides::webhooks, guides::reliability, guides::migration] {
        let (one, other) = (guide(&config, &english), guide(&config, &russian));
        let anchors = |page: &super::Page| page.contents.iter().map(|(anchor, _)| anchor.clone()).collect::<Vec<_>>();
        assert_eq!(anchors(&one), anchors(&other), "{}", one.title);
        assert!(!anchors(&one).is_empty());
        for page in [&one, &other] {
            assert!(!page.body.contains("{{"), "{}: a placeholder is left", page.title);
            assert!(!page.body.contains("<script") && !page.body.contains("style="));
        }
        assert_ne!(one.body, other.body);
    }
    assert!(guides::webhooks(&config, &russian).body.contains("hmac.compare_digest"));
    assert!(guides::migration(&config, &russian).body.contains("2026-11-01"));
}

#[test]
fn the_feed_announces_the_deprecation_and_leads_to_the_page() {
    for reader in both() {
        let feed = changelog::feed("https://developers.botix.pro", &reader);
        assert!(feed.starts_with("<?xml") && feed.contains("<rss version=\"2.0\""));
        assert!(feed.contains("https://developers.botix.pro/changelog#offset-sunset") && feed.contains("2026-11-01"));
        assert!(feed.contains(&format!("<language>{}</language>", reader.language)));
        assert!(!changelog::page(&reader).body.is_empty());
    }
}
