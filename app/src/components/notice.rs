//! What happened, why, and what to do.

use domain::status::DeliveryStatus;
use leptos::prelude::*;

use super::{Icon, answer_code, delivery_status, icon, id_link};
use crate::error::UiError;
use crate::i18n::use_locale;
use crate::model::Retried;

/// In place of what could not be shown.
pub fn error_box(error: &UiError, home: String) -> AnyView {
    let locale = use_locale();
    let (href, label) = match error {
        UiError::NotSignedIn => ("/developers/sign-in".to_owned(), locale.sign_in()),
        _ => (home, locale.to_first_page()),
    };
    view! {
        <div class="notice bad" role="alert">
            {icon(Icon::Warning)}
            <div>
                <p>{error.message(locale)}</p>
                <p><a href=href>{label}</a></p>
            </div>
        </div>
    }
    .into_any()
}

/// What became of a retry that was just pressed.
pub fn retried_notice(project: &str, retried: Retried) -> AnyView {
    let locale = use_locale();
    let (class, shape) = match retried.status {
        DeliveryStatus::Delivered => ("notice good", Icon::Check),
        DeliveryStatus::DeadLettered => ("notice bad", Icon::Cross),
        _ => ("notice wait", Icon::Dots),
    };
    let href = format!("/developers/{project}/deliveries/{}", retried.delivery_id);
    let last = retried.last.map(|row| {
        let outcome = locale.outcome(row.response_status_code, None, row.duration_ms, None);
        match row.error_code {
            Some(error) => view! { <p>{answer_code(None, Some(error))}</p> }.into_any(),
            None => view! { <p>{outcome}</p> }.into_any(),
        }
    });
    view! {
        <div class=class role="status">
            {icon(shape)}
            <div>
                <p>{locale.retried_as()}" "{id_link(&retried.delivery_id, href)}" · "{delivery_status(retried.status, false)}</p>
                {last}
            </div>
        </div>
    }
    .into_any()
}
