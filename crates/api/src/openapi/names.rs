//! Names of operations and tags, made from the paths.

use crate::routes::Operation;

/// `listContacts`, `createContact`, `getContact`, `retryDeadLetter`: what generated clients call it.
pub(super) fn operation_id(operation: &Operation) -> String {
    let segments: Vec<&str> = operation.path.split('/').filter(|segment| !segment.is_empty()).collect();
    let ends_in_one = operation.path.ends_with('}');
    let mut nouns: Vec<&str> = segments.iter().copied().filter(|segment| !segment.starts_with('{')).collect();
    let last = nouns.last().copied().unwrap_or_default();
    let method = operation.method.as_str();
    // A step at the end that is no collection: `/webhooks/deliveries/{id}/retry`, `/webhooks/dead-letters/retry`.
    let action = method == "POST" && !ends_in_one && !last.ends_with('s');
    let verb = match method {
        "GET" if ends_in_one => "get",
        "GET" => "list",
        "PATCH" => "update",
        "DELETE" => "delete",
        _ if action => last,
        _ => "create",
    };
    if action {
        nouns.pop();
    }
    let about_many = verb == "list" || (action && !segments.iter().any(|segment| segment.starts_with('{')));
    let mut id = camel(verb, true);
    let count = nouns.len();
    for (at, noun) in nouns.iter().enumerate() {
        let plural = at + 1 == count && about_many;
        id.push_str(&camel(&if plural { (*noun).to_owned() } else { singular(noun) }, false));
    }
    id
}

/// The tag of a path: its resource.
pub(super) fn tag(operation: &Operation) -> String {
    let mut segments = operation.path.split('/').filter(|segment| !segment.is_empty());
    let first = segments.next().unwrap_or_default();
    let tag = match (first, segments.next()) {
        ("webhooks" | "catalog" | "inspector", Some(second)) => format!("{} {second}", singular(first)),
        _ => first.to_owned(),
    };
    capitalised(&tag.replace('-', " "))
}

fn singular(noun: &str) -> String {
    match noun.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => noun.strip_suffix('s').unwrap_or(noun).to_owned(),
    }
}

fn camel(kebab: &str, first_lower: bool) -> String {
    let words = kebab.split('-').enumerate();
    words.map(|(at, word)| if at == 0 && first_lower { word.to_owned() } else { capitalised(word) }).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use axum::http::Method;

    use super::*;
    use crate::describe::Description;

    #[test]
    fn operations_are_called_what_one_would_call_them() {
        for (method, path, id) in [
            (Method::GET, "/contacts", "listContacts"),
            (Method::POST, "/contacts", "createContact"),
            (Method::GET, "/contacts/{id}", "getContact"),
            (Method::PATCH, "/contacts/{id}", "updateContact"),
            (Method::DELETE, "/webhooks/endpoints/{id}", "deleteWebhookEndpoint"),
            (Method::POST, "/webhooks/endpoints/{id}/rotate-secret", "rotateSecretWebhookEndpoint"),
            (Method::GET, "/webhooks/deliveries", "listWebhookDeliveries"),
            (Method::POST, "/webhooks/dead-letters/{id}/retry", "retryWebhookDeadLetter"),
            (Method::POST, "/webhooks/dead-letters/retry", "retryWebhookDeadLetters"),
            (Method::POST, "/scenarios/{id}/runs", "createScenarioRun"),
            (Method::GET, "/idempotency-keys/{key}", "getIdempotencyKey"),
        ] {
            let operation = Operation { method, path, description: Description::default(), takes_a_body: false };
            assert_eq!(operation_id(&operation), id);
        }
    }
}
