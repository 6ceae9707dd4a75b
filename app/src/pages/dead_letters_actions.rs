//! What is done with many dead letters at once, and what it did.

use leptos::prelude::*;

use super::use_query_value;
use crate::components::{Icon, icon};
use crate::i18n::{Locale, use_locale};

/// What can be done with those that are ticked, or with all that match.
pub(super) fn action_bar(locale: Locale, project: &str, filters: &str, matching: u32) -> AnyView {
    let all = crate::query::href(&format!("/developers/{project}/dead-letters/retry"), filters);
    view! {
        <form class="actions inbox-actions" id="selection" method="post" action=format!("/developers/{project}/dead-letters/act")>
            <input type="hidden" name="filters" value=filters.to_owned()/>
            <button class="button" type="submit" name="do" value="retry">{icon(Icon::Again)}<span>{locale.retry_selected()}</span></button>
            <button class="button" type="submit" name="do" value="dismiss">{icon(Icon::Skip)}<span>{locale.dismiss_selected()}</span></button>
            <a class="button end" href=all data-noscroll>{locale.retry_all(matching)}</a>
        </form>
    }
    .into_any()
}

/// What the last press did, and how to take it back.
#[component]
pub fn Acted(
    /// The project.
    project: String,
    /// The list's filters, which stay.
    filters: String,
) -> impl IntoView {
    let locale = use_locale();
    let (sent, refused) = (use_query_value("sent"), use_query_value("refused"));
    let (aside, at) = (use_query_value("put_aside"), use_query_value("at"));
    let number = |text: Option<String>| text.and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    move || {
        if sent.get().is_some() {
            let (count, refused) = (number(sent.get()), number(refused.get()));
            let said = match (count, refused) {
                (0, 0) => locale.nothing_selected().to_owned(),
                (count, _) => locale.sent_many(count),
            };
            return view! {
                <div class="notice good" role="status">
                    {icon(Icon::Check)}
                    <div>
                        <p>{said}</p>
                        {(refused > 0).then(|| view! { <p>{locale.refused_many(refused)}</p> })}
                    </div>
                </div>
            }
            .into_any();
        }
        let (Some(ids), Some(at)) = (aside.get(), at.get()) else { return ().into_any() };
        let count = u32::try_from(ids.split(',').count()).unwrap_or(u32::MAX);
        view! {
            <div class="notice" role="status">
                {icon(Icon::Skip)}
                <div><p>{locale.dismissed_many(count)}</p></div>
                <form method="post" action=format!("/developers/{project}/dead-letters/act")>
                    <input type="hidden" name="filters" value=filters.clone()/>
                    <input type="hidden" name="id" value=ids/>
                    <input type="hidden" name="at" value=at/>
                    <button class="button small" type="submit" name="do" value="restore">{locale.undo()}</button>
                </form>
            </div>
        }
        .into_any()
    }
}
