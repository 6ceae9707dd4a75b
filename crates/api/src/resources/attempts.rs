//! `/webhooks/attempts`: the log of the last 14 days.

use axum::http::StatusCode;
use domain::filter::AttemptFilter;
use domain::id::AttemptId;
use domain::model::Attempt;
use domain::page::{Page, PageRequest};
use store::{Conn, StoreError, attempts};

use crate::describe::{Description, Parameter, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Query};
use crate::query;
use crate::routes::Routes;

const TYPE: &str = "webhook_attempt";

pub(super) fn routes() -> Routes {
    Routes::new().get::<List<Attempts>>("/webhooks/attempts").get::<OneAttempt>("/webhooks/attempts/{id}")
}

struct Attempts;

impl Collection for Attempts {
    const LIST: &'static str = "attempts";
    const TITLE: Option<Words> =
        Some(words("List delivery attempts of the last 14 days", "Попытки доставки за последние 14 дней"));
    type Filter = AttemptFilter;
    type Row = Attempt;

    fn elsewhere(parameter: &str) -> Option<&'static str> {
        // A page of payloads could be as long as 200 events of a mebibyte each.
        let hint =
            "include is not a parameter of the list: ask for one attempt, /webhooks/attempts/{id}?include=payload";
        (parameter == "include").then_some(hint)
    }

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &AttemptFilter,
        page: PageRequest,
    ) -> Result<Page<Attempt>, StoreError> {
        attempts::list(conn, call.project(), filter, page).await
    }
}

/// One attempt, with what was sent and received when `include=payload` asks for it.
struct OneAttempt {
    id: AttemptId,
    with_payload: bool,
}

impl Query for OneAttempt {
    fn describe() -> Description {
        let payload = Parameter {
            name: "include".to_owned(),
            about: Some(words(
                "payload: also the headers and bodies that were sent and received.",
                "payload — вместе с отправленными и полученными заголовками и телами.",
            )),
            many: false,
            deprecated: false,
            schema: serde_json::json!({"type": "string", "enum": ["payload"]}),
        };
        Description::of(words("Get one delivery attempt", "Одна попытка доставки"))
            .parameter(payload)
            .answers::<Attempt>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut params = query::params(call.query())?;
        let include = params.take("include");
        query::all_known(&params)?;
        params.finish(())?;
        let with_payload = match include.as_deref() {
            None => false,
            Some("payload") => true,
            Some(other) => return Err(ApiError::malformed(format!("include={other} is not understood; payload is"))),
        };
        Ok(Self { id: call.id(TYPE)?, with_payload })
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let found = if self.with_payload {
            attempts::get_with_payload(conn, call.project(), self.id).await?
        } else {
            attempts::get(conn, call.project(), self.id).await?
        };
        Answer::ok(&found.ok_or_else(|| ApiError::not_found(TYPE, &self.id))?)
    }
}
