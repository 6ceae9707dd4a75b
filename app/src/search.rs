//! The one search box: an id's prefix says which page it belongs to (contract section 9).

use domain::id::{AttemptId, DeadLetterId, DeliveryId, EndpointId, EventId, RequestId};

/// The page of a pasted id, below `/developers/{project}`. White space around it, quotation marks
/// and letters in the wrong case are what copying leaves behind. `None`: it is no id with a page.
pub fn route(project: &str, text: &str) -> Option<String> {
    let id = clean(text);
    let page = |section: &str| Some(format!("/developers/{project}/{section}/{id}"));
    match id.get(..4)? {
        AttemptId::PREFIX if id.parse::<AttemptId>().is_ok() => page("webhooks"),
        DeadLetterId::PREFIX if id.parse::<DeadLetterId>().is_ok() => page("dead-letters"),
        EventId::PREFIX if id.parse::<EventId>().is_ok() => page("events"),
        DeliveryId::PREFIX if id.parse::<DeliveryId>().is_ok() => page("deliveries"),
        EndpointId::PREFIX if id.parse::<EndpointId>().is_ok() => page("endpoints"),
        RequestId::PREFIX if id.parse::<RequestId>().is_ok() => {
            Some(format!("/developers/{project}/webhooks?request_id={id}"))
        }
        _ => None,
    }
}

fn clean(text: &str) -> String {
    let text = text.trim().trim_matches(|c| "\"'`«»“”,;".contains(c)).trim();
    match text.split_once('_') {
        Some((prefix, ulid)) => format!("{}_{}", prefix.to_lowercase(), ulid.to_uppercase()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::route;

    const ULID: &str = "01HXY8Z2K5VQGN3PMAB7DEFGHJ";

    #[test]
    fn each_kind_of_id_goes_to_its_page() {
        for (prefix, section) in [
            ("att_", "webhooks"),
            ("dlq_", "dead-letters"),
            ("evt_", "events"),
            ("dlv_", "deliveries"),
            ("whe_", "endpoints"),
        ] {
            let id = format!("{prefix}{ULID}");
            assert_eq!(route("p", &id), Some(format!("/developers/p/{section}/{id}")));
        }
        let request = format!("req_{ULID}");
        assert_eq!(route("p", &request), Some(format!("/developers/p/webhooks?request_id={request}")));
    }

    #[test]
    fn what_copying_leaves_around_an_id_is_forgiven() {
        let id = format!("evt_{ULID}");
        for text in [format!("  {id}\n"), format!("\"{id}\","), id.to_lowercase(), format!("«{id}»")] {
            assert_eq!(route("p", &text), Some(format!("/developers/p/events/{id}")), "{text}");
        }
    }

    #[test]
    fn anything_else_has_no_page() {
        for text in ["", "ева", "evt_", "evt_1", "ivan@example.com", "../../etc", &format!("con_{ULID}")] {
            assert_eq!(route("p", text), None, "{text}");
        }
    }
}
