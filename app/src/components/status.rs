//! A status: icon, word and colour, always all three.

use domain::status::{AttemptError, AttemptStatus, DeliveryStatus};
use leptos::prelude::*;

use super::{Icon, icon};
use crate::i18n::{Word as _, use_locale};

/// What was recorded of an attempt.
pub fn attempt_status(status: AttemptStatus, badge: bool) -> impl IntoView {
    let shape = match status {
        AttemptStatus::Delivered => Icon::Check,
        AttemptStatus::Retrying => Icon::Again,
        AttemptStatus::DeadLettered => Icon::Cross,
        AttemptStatus::Interrupted => Icon::Broken,
    };
    worded(shape, status.in_words(use_locale()), status.as_str(), badge)
}

/// Where a delivery stands.
pub fn delivery_status(status: DeliveryStatus, badge: bool) -> impl IntoView {
    let shape = match status {
        DeliveryStatus::Pending => Icon::Dots,
        DeliveryStatus::Retrying => Icon::Again,
        DeliveryStatus::Delivered => Icon::Check,
        DeliveryStatus::DeadLettered => Icon::Cross,
        DeliveryStatus::Skipped | DeliveryStatus::Cancelled => Icon::Skip,
    };
    worded(shape, status.in_words(use_locale()), status.as_str(), badge)
}

fn worded(shape: Icon, word: &'static str, class: &'static str, badge: bool) -> AnyView {
    let class = format!("status {class}{}", if badge { " badge" } else { "" });
    view! { <span class=class>{icon(shape)}<span>{word}</span></span> }.into_any()
}

/// The answer's status, or the failure's contract word, with its meaning on hover.
pub fn answer_code(code: Option<u16>, error: Option<AttemptError>) -> AnyView {
    let locale = use_locale();
    let good = code.is_some_and(|code| (200..300).contains(&code));
    let text = match (code, error) {
        (_, Some(error)) => error.as_str().to_owned(),
        (Some(code), None) => code.to_string(),
        (None, None) => "—".to_owned(),
    };
    let bad = !good && (code.is_some() || error.is_some());
    let title = error.map(|error| error.in_words(locale));
    view! { <code class="code" class:good=good class:bad=bad title=title>{text}</code> }.into_any()
}

/// An answer of our own API.
pub fn code_of(code: u16) -> AnyView {
    let good = (200..400).contains(&code);
    view! { <code class="code" class:good=good class:bad=!good>{code}</code> }.into_any()
}
