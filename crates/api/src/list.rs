//! Walking a list, the same way for every resource (contract section 6).

use axum::http::{HeaderName, HeaderValue};
use domain::cursor::Walk;
use domain::filter::{Filter, FilterReader};
use domain::id::ProjectId;
use domain::page::{DEFAULT_LIMIT, Listed, MAX_LIMIT, Page, PageRequest, PageStart};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use store::{Conn, StoreError};

use crate::describe::{Description, Parameter, Words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::operation::{Call, Query};
use crate::query;

mod about;
mod offset;

pub(crate) use about::about;
pub(crate) use offset::MOST as MOST_OFFSET;

/// A resource that can be listed.
pub(crate) trait Collection: Send + Sync + 'static {
    /// What its cursors are bound to.
    const LIST: &'static str;
    /// What the OpenAPI document calls it.
    const TITLE: Option<Words> = None;
    type Filter: Filter + Send + Sync;
    type Row: Listed + Serialize + JsonSchema + Send + Sync;

    /// What to say of a parameter that belongs elsewhere, and is asked for here.
    fn elsewhere(_: &str) -> Option<&'static str> {
        None
    }

    /// What the path narrows the list to, when there is something: cursors are bound to it.
    fn scope(_: &Call) -> Option<&str> {
        None
    }

    /// One page, by the repository.
    fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &Self::Filter,
        page: PageRequest,
    ) -> impl Future<Output = Result<Page<Self::Row>, StoreError>> + Send;
}

/// The query that lists a [`Collection`].
pub(crate) struct List<C: Collection> {
    filter: C::Filter,
    page: PageRequest,
    notice: Vec<(HeaderName, HeaderValue)>,
}

impl<C: Collection> Query for List<C> {
    fn describe() -> Description {
        let description = Description { title: C::TITLE, ..Description::default() }.lists::<C::Row>();
        filters::<C::Filter>().into_iter().fold(description, Description::parameter)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut params = query::params(call.query())?;
        let offset = offset::Asked::take(&mut params);
        let limit = params.take_even_empty("cursor_limit");
        let cursor = params.take_even_empty("cursor");
        if offset.is_used() && (limit.is_some() || cursor.is_some()) {
            return Err(ApiError::malformed("pagination=offset and a cursor exclude each other"));
        }
        let limit = limit.map_or(Some(DEFAULT_LIMIT), |text| bounded(&mut params, "cursor_limit", &text));
        let old_page = offset.read(&mut params);
        let filter = C::Filter::read(&mut params);
        if let Some(hint) = params.left_over().find_map(C::elsewhere) {
            return Err(ApiError::malformed(hint));
        }
        query::all_known(&params)?;
        let old_page = old_page.permitted(call.config(), call.now())?;
        let filter = filter?;
        params.finish(())?;
        if let Some(page) = old_page {
            let notice = offset::notice(call.config());
            return Ok(Self { filter, page, notice });
        }
        let from = match cursor {
            None => PageStart::First,
            Some(text) => {
                let filters = bound_to::<C>(call, &filter);
                let position = call.cursors().read(&text, walk::<C>(call.project(), &filters));
                PageStart::After(position.map_err(ApiError::InvalidCursor)?)
            }
        };
        Ok(Self { filter, page: PageRequest { limit: limit.unwrap_or(DEFAULT_LIMIT), from }, notice: Vec::new() })
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let page = C::fetch(conn, call, &self.filter, self.page).await?;
        let by_offset = matches!(self.page.from, PageStart::Offset(_));
        let next = page.next().filter(|_| !by_offset);
        let filters = bound_to::<C>(call, &self.filter);
        let next = next.map(|position| call.cursors().sign(walk::<C>(call.project(), &filters), position));
        let answer = Answer::page(&page, next)?;
        Ok(self.notice.into_iter().fold(answer, |answer, (name, value)| answer.with(name, value)))
    }
}

/// The parameters that a filter reads, by letting it read.
fn filters<F: Filter>() -> Vec<Parameter> {
    let mut reader = FilterReader::noting();
    // There is nothing to refuse.
    let _ = F::read(&mut reader);
    let mut generator: SchemaGenerator = SchemaSettings::draft2020_12().into_generator();
    let asked = reader.into_asked().into_iter();
    asked
        .map(|asked| Parameter {
            about: about(&asked.name),
            many: asked.many,
            deprecated: false,
            schema: not_empty((asked.schema)(&mut generator).into()),
            name: asked.name,
        })
        .collect()
}

/// Text of any kind is not any text: none is refused.
fn not_empty(mut schema: serde_json::Value) -> serde_json::Value {
    if schema == serde_json::json!({"type": "string"}) {
        schema["minLength"] = 1.into();
        schema["pattern"] = "^[^\\u0000]+$".into();
    }
    schema
}

/// Everything that a cursor of this walk is good for, in one text.
fn bound_to<C: Collection>(call: &Call, filter: &C::Filter) -> String {
    match C::scope(call) {
        None => filter.canonical(),
        Some(scope) => format!("{scope}?{}", filter.canonical()),
    }
}

fn walk<C: Collection>(project: ProjectId, filters: &str) -> Walk<'_> {
    Walk { list: C::LIST, project, filters }
}

/// A page size from 1 to [`MAX_LIMIT`]; anything else is noted as refused.
fn bounded(params: &mut FilterReader, name: &str, text: &str) -> Option<u32> {
    let limit = text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
    if limit.is_none() {
        params.reject(name, &format_args!("must be a number from 1 to {MAX_LIMIT}"));
    }
    limit
}
