//! The audit log, as owners and developers see it.

use domain::status::AuditAction;
use leptos::prelude::*;

use crate::components::{id_link, id_text, page_of, pager, shortened_ids, when};
use crate::i18n::{Locale, Word as _};
use crate::model::{AuditRow, Pager};

/// Who did what, on which object, when.
pub(super) fn audit_log(locale: Locale, project: &str, query: &str, rows: Vec<AuditRow>, pages: &Pager) -> AnyView {
    let path = format!("/developers/{project}/settings");
    let empty = rows.is_empty().then(|| view! { <div class="empty"><p>{locale.no_audit()}</p></div> });
    let rows = rows.into_iter().map(|row| line(locale, project, row)).collect_view();
    view! {
        <section id="audit">
            <h2>{locale.audit_log()}</h2>
            <p class="soft small-print">{locale.audit_text()}</p>
            <div class="sheet">
                <table class="list audit">
                    <caption>{locale.audit_caption()}</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="c-when">{locale.col_when()}</th>
                            <th scope="col" class="c-person">{locale.col_person()}</th>
                            <th scope="col" class="c-what">{locale.col_what()}</th>
                            <th scope="col">{locale.col_object()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
                {empty}
                {pager(&path, query, pages).into_any()}
            </div>
        </section>
    }
    .into_any()
}

fn line(locale: Locale, project: &str, row: AuditRow) -> AnyView {
    let deleted = row.action == AuditAction::BinDeleted;
    let object = row.object.map(|id| match page(project, &id).filter(|_| !deleted) {
        Some(href) => id_link(&id, href),
        None => id_text(id),
    });
    view! {
        <tr>
            <td class="soft narrow-row">{when(row.at)}</td>
            <th scope="row" class="narrow-row" title=row.email.clone()>{row.email.clone()}" "<span class="soft">{row.role.in_words(locale)}</span></th>
            <td class="narrow-row">{row.action.in_words(locale)}</td>
            <td class="narrow-row">{object}" "<span class="soft" title=row.detail.clone()>{row.detail.as_deref().map(shortened_ids)}</span></td>
        </tr>
    }
    .into_any()
}

fn page(project: &str, id: &str) -> Option<String> {
    if id.starts_with("job_") {
        return Some(format!("/developers/{project}/dead-letters/jobs/{id}"));
    }
    if id.starts_with("bin_") {
        return Some(format!("/developers/{project}/inspector/{id}"));
    }
    page_of(project, id)
}
