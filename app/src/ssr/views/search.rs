//! The search box: from what was pasted to the pages of what was meant, and the reasons why not.
//!
//! Everything is asked of the projects that the person may see, one by one, so that an id of
//! anybody else's is not told from one that does not exist.

use std::time::Duration;

use domain::Timestamp;
use domain::id::{AttemptId, ContactId, DeadLetterId, DeliveryId, EndpointId, EventId, ProjectId, RequestId, Ulid};
use domain::page::PageRequest;
use domain::search::{self, Sought};
use store::idempotency::IdempotencyFilter;
use store::{find, idempotency, projects, users};

use crate::components::page_of;
use crate::model::{Miss, SearchHit, SearchMiss, SearchView};
use crate::query;
use crate::ssr::{Access, Problem};

/// How many projects are looked through for support staff.
const PROJECTS: u32 = 200;
/// Events around a thing's own time among which the one that announced it is looked for.
const AROUND: u32 = 100;
/// Kinds that a wrong prefix may have stood for.
const KINDS: [&str; 6] = [
    RequestId::PREFIX,
    EventId::PREFIX,
    DeliveryId::PREFIX,
    AttemptId::PREFIX,
    DeadLetterId::PREFIX,
    EndpointId::PREFIX,
];

/// Looks for everything in `text`.
pub(crate) async fn search(access: &mut Access, text: &str) -> Result<SearchView, Problem> {
    let others = other_projects(access).await?;
    let mut view = SearchView { asked: true, ..SearchView::default() };
    let sought = search::read(text);
    for one in &sought {
        match one {
            Sought::Id(id) => match found(access, &others, id).await? {
                Some(hit) => view.hits.push(hit),
                None => view.misses.push(SearchMiss { text: id.clone(), why: why_not(access, id).await? }),
            },
            Sought::Broken(text) => {
                let near = near(access, text).await?;
                view.misses.push(SearchMiss { text: text.clone(), why: near.unwrap_or(Miss::Malformed) });
            }
            Sought::Bare(body) => {
                for kind in KINDS {
                    view.hits.extend(found(access, &others, &format!("{kind}{body}")).await?);
                }
            }
            Sought::Key(key) => {
                let of_key = IdempotencyFilter { key: Some(key.clone()) };
                let (project, now) = (access.project, access.state.store.now());
                let page = idempotency::list(&mut access.conn, project, &of_key, now, PageRequest::first(1)).await?;
                if page.data.is_empty() {
                    view.misses.push(SearchMiss { text: key.clone(), why: Miss::Unknown });
                } else {
                    let path = format!("/developers/{project}/idempotency");
                    let href = query::href(&path, &query::with("", "key", Some(key)));
                    view.hits.push(SearchHit { text: key.clone(), href, project: None });
                }
            }
        }
    }
    // A bare text is asked for as this and as that: one of them is enough.
    let guesses = sought.iter().all(|one| !matches!(one, Sought::Id(_)));
    if guesses && !view.hits.is_empty() {
        view.misses.retain(|miss| miss.why != Miss::Unknown);
    }
    Ok(view)
}

/// The further projects that this person may see.
async fn other_projects(access: &mut Access) -> Result<Vec<(ProjectId, String)>, Problem> {
    let (here, user) = (access.project, access.user.id);
    let conn = &mut access.conn;
    let all = if users::is_support(conn, user).await? {
        projects::all(conn, PROJECTS).await?
    } else {
        projects::of_user(conn, user).await?.into_iter().map(|(project, _)| project).collect()
    };
    Ok(all.into_iter().filter(|other| other.id != here).map(|other| (other.id, other.name)).collect())
}

async fn found(access: &mut Access, others: &[(ProjectId, String)], id: &str) -> Result<Option<SearchHit>, Problem> {
    if let Some(href) = page_in(access, access.project, id).await? {
        return Ok(Some(SearchHit { text: id.to_owned(), href, project: None }));
    }
    for (project, name) in others {
        if let Some(href) = page_in(access, *project, id).await? {
            return Ok(Some(SearchHit { text: id.to_owned(), href, project: Some(name.clone()) }));
        }
    }
    Ok(None)
}

/// The page of a thing that this project has; of one without a page, that of the event that announced it.
async fn page_in(access: &mut Access, project: ProjectId, id: &str) -> Result<Option<String>, Problem> {
    if id == project.to_string() {
        return Ok(Some(format!("/developers/{project}/webhooks")));
    }
    let Some(page) = page_of(&project.to_string(), id) else {
        return announced(access, project, id).await;
    };
    let found = find::existing(&mut access.conn, project, &[id.to_owned()]).await?;
    Ok((!found.is_empty()).then_some(page))
}

async fn announced(access: &mut Access, project: ProjectId, id: &str) -> Result<Option<String>, Problem> {
    let announced_kinds = [ContactId::PREFIX, "msg_", "scn_", "run_"];
    let Some(at) = time_of(id).filter(|_| announced_kinds.iter().any(|kind| id.starts_with(kind))) else {
        return Ok(None);
    };
    let created =
        domain::filter::TimeRange { created_after: Some(at), created_before: Some(at.plus(Duration::from_secs(1))) };
    let around = store::events::EventListFilter { created, ..Default::default() };
    let page = store::events::list(&mut access.conn, project, &around, PageRequest::first(AROUND)).await?;
    let mut events = page.data.iter().rev();
    let event = events.find(|event| event.data.as_str().contains(id));
    Ok(event.map(|event| format!("/developers/{project}/events/{}", event.id)))
}

/// Why this project does not show an id that is well formed.
async fn why_not(access: &mut Access, id: &str) -> Result<Miss, Problem> {
    if page_of("", id).is_none() {
        return Ok(Miss::NoPage);
    }
    if let Some(near) = near(access, id).await? {
        return Ok(near);
    }
    let now = access.state.store.now();
    let Some(made) = time_of(id) else { return Ok(Miss::Malformed) };
    if made > now.plus(Duration::from_secs(60)) {
        return Ok(Miss::Future);
    }
    let kept = match id.get(..4) {
        Some(AttemptId::PREFIX | RequestId::PREFIX) => access.state.attempt_retention,
        _ => store::maintenance::Retention::default().events,
    };
    if made < now.minus(kept) {
        let days = u32::try_from(kept.as_secs() / 86_400).unwrap_or(u32::MAX);
        return Ok(Miss::TooOld { made: made.into(), days });
    }
    for kind in KINDS {
        let other = format!("{kind}{}", id.get(4..).unwrap_or_default());
        if other != id
            && let Some(href) = page_in(access, access.project, &other).await?
        {
            return Ok(Miss::OtherKind { id: other, href });
        }
    }
    Ok(Miss::Unknown)
}

async fn near(access: &mut Access, id: &str) -> Result<Option<Miss>, Problem> {
    let project = access.project;
    // An attempt or a request lies where its id's time says; a slip there is not looked for.
    let candidates = search::one_slip_away(id);
    let same_time = |other: &String| id.get(..14) == other.get(..14);
    let timed = matches!(id.get(..4), Some(AttemptId::PREFIX | RequestId::PREFIX));
    let candidates: Vec<String> = candidates.into_iter().filter(|other| !timed || same_time(other)).collect();
    let found = find::existing(&mut access.conn, project, &candidates).await?;
    Ok(match found.as_slice() {
        [only] => page_of(&project.to_string(), only).map(|href| Miss::Near { id: only.clone(), href }),
        _ => None,
    })
}

fn time_of(id: &str) -> Option<Timestamp> {
    let ulid = Ulid::from_string(id.get(4..)?).ok()?;
    i64::try_from(ulid.timestamp_ms()).ok().map(Timestamp::from_millis)
}
