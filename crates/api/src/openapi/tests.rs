//! The document is whole: every route is in it, described, and everything it refers to is there.

use domain::Timestamp;
use serde_json::Value;

use crate::state::ApiConfig;

fn document() -> Value {
    crate::openapi(ApiConfig { api_url: "https://api.example.com".to_owned(), ..ApiConfig::default() }, before_sunset())
}

fn before_sunset() -> Timestamp {
    Timestamp::from_secs(1_780_000_000)
}

#[test]
fn every_route_of_the_router_is_in_it() {
    let (router, operations) = crate::resources::routes().into_parts();
    let mut served: Vec<String> = paths_of(&format!("{router:?}"));
    let mut listed: Vec<String> =
        operations.iter().map(|operation| format!("{}{}", crate::PREFIX, operation.path)).collect();
    for paths in [&mut served, &mut listed] {
        paths.sort();
        paths.dedup();
    }
    assert!(served.len() > 10, "axum shows its paths");
    assert_eq!(served, listed, "a route was added past Routes::get, post, patch and delete");
    let document = document();
    for operation in &operations {
        let path = format!("{}{}", crate::PREFIX, operation.path);
        let method = operation.method.as_str().to_ascii_lowercase();
        assert!(document["paths"][&path][&method].is_object(), "{method} {path}");
    }
}

/// Every path that stands in quotes in a router's debug form.
fn paths_of(debug: &str) -> Vec<String> {
    debug.split('"').filter(|part| part.starts_with(crate::PREFIX)).map(str::to_owned).collect()
}

#[test]
fn every_route_is_described() {
    let (_, operations) = crate::resources::routes().into_parts();
    let mut wanting = Vec::new();
    for operation in &operations {
        let route = format!("{} {}", operation.method, operation.path);
        let description = &operation.description;
        if description.title.is_none() {
            wanting.push(format!("{route}: no title (Collection::TITLE, Resource::TITLE or describe())"));
        }
        if operation.takes_a_body && description.bodies.is_empty() {
            wanting.push(format!("{route}: its body is not described (describe() with .json(…))"));
        }
        for parameter in &description.parameters {
            if parameter.about.is_none() {
                wanting.push(format!("{route}: ?{}= is not in list/about.rs", parameter.name));
            }
        }
    }
    let document = document();
    for tag in document["tags"].as_array().unwrap().iter().filter(|tag| tag["description"] == "") {
        wanting.push(format!("tag {}: not in openapi/tags.rs", tag["name"]));
    }
    for (path, methods) in document["paths"].as_object().unwrap() {
        for parameter in methods.as_object().unwrap().values().flat_map(|o| o["parameters"].as_array().unwrap()) {
            if parameter["schema"]["pattern"].as_str().is_some_and(|pattern| pattern.starts_with("^[0-7]")) {
                wanting.push(format!("{path}: the prefix of its ids is not in openapi/parameters.rs"));
            }
        }
    }
    assert!(wanting.is_empty(), "not described yet:\n{}", wanting.join("\n"));
}

#[test]
fn operation_ids_are_distinct_and_every_reference_leads_somewhere() {
    let document = document();
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    let ids: Vec<&str> = operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len(), "{ids:?}");
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
}

#[test]
fn the_old_mode_is_listed_until_its_sunset_and_not_a_moment_longer() {
    let names = |at: Timestamp| {
        let document = crate::openapi(ApiConfig::default(), at);
        let parameters = document["paths"]["/public/v1/contacts"]["get"]["parameters"].to_string();
        (parameters.contains("\"offset\""), document["components"]["headers"].get("Sunset").is_some())
    };
    assert_eq!(names(before_sunset()), (true, true));
    assert_eq!(names(ApiConfig::default().offset_sunset), (false, false));
}

#[test]
fn nothing_in_it_is_null_but_by_intention() {
    fn nulls(at: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Null => found.push(at.to_owned()),
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| nulls(&format!("{at}/{name}"), field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| nulls(at, item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    nulls("", &document(), &mut found);
    found.retain(|at| !at.contains("/example") && !at.contains("/default") && !at.contains("/enum"));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn every_answer_shows_an_example() {
    for (path, methods) in document()["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let media = &response["content"]["application/json"];
                let shown = media["example"].is_object() || media["examples"].is_object() || status == "204";
                assert!(shown, "{method} {path} {status}");
            }
        }
    }
}
