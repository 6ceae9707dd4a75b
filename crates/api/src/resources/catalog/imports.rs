//! `/catalog/imports`: up to 50,000 rows in one body, received piece by piece and stored before the
//! answer; a worker moves them into the catalog afterwards ([`store::imports`]).

mod describe;
mod parse;
mod receive;
mod row;

use std::collections::BTreeMap;

use domain::filter::ImportFilter;
use domain::id::ImportId;
use domain::model::CatalogImport;
use domain::page::{Page, PageRequest};
use store::imports::{self, NewImport};
use store::{Conn, StoreError, Tx};

use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::resources::{One, Resource};
use crate::routes::Routes;

pub(crate) use receive::Uploaded;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<List<Imports>>("/catalog/imports")
        .upload::<Create>("/catalog/imports", axum::routing::post(receive::handle))
        .get::<One<Imports>>("/catalog/imports/{id}")
}

struct Imports;

impl Collection for Imports {
    const LIST: &'static str = "catalog_imports";
    const TITLE: Option<Words> = Some(words("List catalog imports", "Импорты каталога"));
    type Filter = ImportFilter;
    type Row = CatalogImport;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &ImportFilter,
        page: PageRequest,
    ) -> Result<Page<CatalogImport>, StoreError> {
        imports::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Imports {
    const TYPE: &'static str = "catalog_import";
    const TITLE: Option<Words> = Some(words("Get one catalog import, with its progress", "Один импорт с его ходом"));
    type Id = ImportId;
    type Object = CatalogImport;

    async fn find(conn: &mut Conn, call: &Call, id: ImportId) -> Result<Option<CatalogImport>, StoreError> {
        imports::get(conn, call.project(), id).await
    }
}

/// Accepts an import whose rows have been stored while they came in.
struct Create(NewImport);

impl Mutation for Create {
    fn describe() -> Description {
        describe::create()
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        call.without_query()?;
        let uploaded = call.uploaded.as_ref().ok_or_else(|| ApiError::internal("an import without an upload"))?;
        uploaded.outcome.clone().map(Self).map_err(Into::into)
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        Answer::accepted(&imports::insert(tx, call.project(), call.request_id(), self.0).await?)
    }
}

/// Why a whole body is refused.
#[derive(Clone, Debug)]
pub(crate) enum Refusal {
    /// It is not what its content type says.
    Malformed(String),
    /// It is, and can't be accepted: the field, and what can.
    Invalid(&'static str, String),
    /// Fields that nobody knows.
    Unknown(Vec<String>),
    /// Our fault.
    Internal(String),
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Malformed(reason) => Self::Malformed { reason },
            Refusal::Invalid(field, reason) => Self::Validation(BTreeMap::from([(field.to_owned(), reason)])),
            Refusal::Unknown(fields) => {
                let told = fields.into_iter().map(|field| (field, "is not a known field".to_owned()));
                Self::Validation(told.collect())
            }
            Refusal::Internal(cause) => Self::Internal { cause },
        }
    }
}
