//! Settings: the project, its members, and what people did in it.

use domain::status::Role;
use leptos::prelude::*;
use leptos_meta::Title;

use super::settings_audit::audit_log;
use super::{Problem, load, use_list_query, use_project};
use crate::api;
use crate::components::{Icon, error_box, icon, id_text, when};
use crate::i18n::{Locale, Word as _, use_locale};
use crate::model::{MemberRow, SettingsView};

/// The roles that can be given.
const ROLES: [Role; 3] = [Role::Owner, Role::Developer, Role::Viewer];

/// One page with three sections.
#[component]
pub fn SettingsPage() -> impl IntoView {
    let locale = use_locale();
    let (project, query) = (use_project(), use_list_query());
    let page = load(move || (project.get(), query.get()), |(project, query)| api::settings(project, query));
    view! {
        <Title text=locale.tab_settings()/>
        <div class="single settings">
            <h1 class="hidden-text">{locale.tab_settings()}</h1>
                {Suspend::new(async move {
                    let project = project.get_untracked();
                    match page.await {
                        Ok(view) => sections(locale, &project, &query.get_untracked(), view),
                        Err(error) => error_box(&error, format!("/developers/{project}/webhooks")),
                    }
                })}
        </div>
    }
    .into_any()
}

fn sections(locale: Locale, project: &str, query: &str, view: SettingsView) -> AnyView {
    let action = format!("/developers/{project}/settings/act");
    let number = |limit: Option<u32>, none: &'static str| {
        limit.map_or_else(|| none.to_owned(), |limit| locale.number(u64::from(limit)))
    };
    let name = if view.may_manage {
        view! {
            <form class="row-form" method="post" action=action.clone()>
                <input type="hidden" name="do" value="rename"/>
                <input class="input" name="name" value=view.name aria-label=locale.project_name() required maxlength="80" autocomplete="off"/>
                <button class="button" type="submit">{locale.save()}</button>
            </form>
        }
        .into_any()
    } else {
        view.name.into_any()
    };
    let audit = view.audit.map(|(rows, pager)| audit_log(locale, project, query, rows, &pager));
    view! {
        <Problem/>
        <section>
            <h2>{locale.settings_project()}</h2>
            <div class="box">
                <dl class="facts">
                    <dt>{locale.project_name()}</dt><dd>{name}</dd>
                    <dt>{locale.project_id()}</dt><dd>{id_text(project.to_owned())}</dd>
                    <dt>{locale.contact_limit()}</dt><dd>{number(view.contact_limit, locale.no_limit())}</dd>
                    <dt>{locale.rate_limit()}</dt><dd>{number(view.rate_limit, locale.server_default())}</dd>
                </dl>
            </div>
        </section>
        {members(locale, &action, view.members, view.may_manage)}
        {audit}
    }
    .into_any()
}

fn members(locale: Locale, action: &str, rows: Vec<MemberRow>, may_manage: bool) -> AnyView {
    let rows = rows.into_iter().map(|member| member_row(locale, action, member, may_manage)).collect_view();
    let add = may_manage.then(|| {
        view! {
            <form class="row-form" method="post" action=action.to_owned()>
                <input type="hidden" name="do" value="add"/>
                <input class="input" name="email" type="email" required autocomplete="off" aria-label=locale.email() placeholder=locale.email()/>
                {role_choice(locale, Role::Developer, locale.col_role().to_owned())}
                <button class="button primary" type="submit">{locale.add_member()}</button>
            </form>
        }
    });
    view! {
        <section>
            <h2>{locale.members()}</h2>
            <div class="sheet">
                <table class="list members">
                    <caption>{locale.members_caption()}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{locale.col_person()}</th>
                            <th scope="col" class="c-role">{locale.col_role()}</th>
                            <th scope="col" class="c-when">{locale.col_since()}</th>
                            {may_manage.then(|| view! { <th scope="col" class="c-member end">{locale.col_action()}</th> })}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="soft small-print">{locale.roles_text()}</p>
            {add}
        </section>
    }
    .into_any()
}

fn member_row(locale: Locale, action: &str, member: MemberRow, may_manage: bool) -> AnyView {
    let role = if may_manage {
        let label = format!("{} {}", locale.role_of(), member.email);
        view! {
            <form class="row-form" method="post" action=action.to_owned()>
                <input type="hidden" name="do" value="change"/>
                <input type="hidden" name="user" value=member.id.clone()/>
                {role_choice(locale, member.role, label)}
                <button class="button small" type="submit">{locale.change_role()}</button>
            </form>
        }
        .into_any()
    } else {
        member.role.in_words(locale).into_any()
    };
    let remove = may_manage.then(|| {
        let label = format!("{}: {}", locale.remove_member(), member.email);
        view! {
            <td class="end narrow-row">
                <details class="confirm">
                    <summary class="button small" aria-label=label>{locale.remove_member()}</summary>
                    <form method="post" action=action.to_owned()>
                        <input type="hidden" name="do" value="remove"/>
                        <input type="hidden" name="user" value=member.id.clone()/>
                        <p>{locale.remove_text()}</p>
                        <button class="button small" type="submit">{icon(Icon::Cross)}<span>{locale.remove_now()}</span></button>
                    </form>
                </details>
            </td>
        }
    });
    let you = member.you.then(|| view! { " "<span class="soft">"("{locale.you()}")"</span> });
    view! {
        <tr>
            <th scope="row">{member.email}{you}</th>
            <td class="narrow-row">{role}</td>
            <td class="soft narrow-hide">{when(member.since)}</td>
            {remove}
        </tr>
    }
    .into_any()
}

fn role_choice(locale: Locale, chosen: Role, label: String) -> AnyView {
    let options = ROLES.map(|role| {
        view! { <option value=role.as_str() selected=role == chosen>{role.in_words(locale)}</option> }
    });
    view! { <select class="select" name="role" aria-label=label>{options.collect_view()}</select> }.into_any()
}
