//! `/webhooks/dead-letters/retry` and `/webhooks/retry-jobs`: many retries at once.

use axum::http::StatusCode;
use domain::filter::TimeRange;
use domain::id::{EndpointId, JobId};
use domain::model::RetryJob;
use domain::status::DeadLetterReason;
use domain::{ErrorCode, Timestamp};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use store::retry_jobs::{self, NewRetryJob};
use store::{Conn, StoreError, Tx};

use super::deliveries::undecided;
use super::{One, Resource};
use crate::body::{Fields, Wanted};
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

const TYPE: &str = "retry_job";

pub(super) fn routes() -> Routes {
    Routes::new()
        .post::<Start>("/webhooks/dead-letters/retry")
        .get::<One<Jobs>>("/webhooks/retry-jobs/{id}")
        .post::<Cancel>("/webhooks/retry-jobs/{id}/cancel")
}

struct Jobs;

impl Resource for Jobs {
    const TYPE: &'static str = TYPE;
    const TITLE: Option<Words> = Some(words("Get the progress of a bulk retry", "Ход массового повтора"));
    type Id = JobId;
    type Object = RetryJob;

    async fn find(conn: &mut Conn, call: &Call, id: JobId) -> Result<Option<RetryJob>, StoreError> {
        retry_jobs::get(conn, call.project(), id).await
    }
}

/// Sends everything that matches again, in the background; or only counts it.
struct Start(NewRetryJob);

impl Mutation for Start {
    fn describe() -> Description {
        Description::of(words("Retry many dead letters", "Повторить много недоставленных"))
            .note(words(
                "Covers what is in the inbox now and matches every field that is given; include_skipped adds the \
                 deliveries that were skipped. The answer is a job to watch or cancel. With dry_run it only counts.",
                "Берёт то, что ждёт решения сейчас и подходит под все заданные поля; include_skipped добавляет \
                 пропущенные доставки. В ответе задание: за ним можно следить, его можно отменить. С dry_run только считает.",
            ))
            .json(&[], properties(), json!({"event_type": "contact.created", "dry_run": true}))
            .answers::<RetryJob>(StatusCode::ACCEPTED)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut fields = call.fields()?;
        let new = NewRetryJob {
            endpoint_id: fields.checked("endpoint_id", |text| text.parse::<EndpointId>()),
            event_type: fields
                .checked("event_type", |text| text.parse::<domain::event_type::EventType>())
                .map(|found| found.as_str().to_owned()),
            reason: fields.checked("reason", |text| text.parse::<DeadLetterReason>()),
            created: TimeRange {
                created_after: time(&mut fields, "created_after"),
                created_before: time(&mut fields, "created_before"),
            },
            include_skipped: fields.take("include_skipped", "must be true or false").unwrap_or(false),
            dry_run: fields.take("dry_run", "must be true or false").unwrap_or(false),
            ..NewRetryJob::default()
        };
        fields.finish(Some(Self(new)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        Answer::accepted(&retry_jobs::insert(tx, call.project(), self.0).await?)
    }
}

/// Calls a job off.
struct Cancel(JobId);

impl Mutation for Cancel {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Cancel a bulk retry", "Отменить массовый повтор"))
            .note(words(
                "What it has sent again by then stays sent; the rest stays in the inbox.",
                "Что уже отправлено снова, остаётся; остальное по-прежнему ждёт решения.",
            ))
            .answers::<RetryJob>(StatusCode::OK)
            .or(ErrorCode::ResourceConflict)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let cancelled = retry_jobs::cancel(tx, call.project(), self.0).await;
        Answer::ok(&cancelled.map_err(|error| undecided(error, TYPE, "status", &self.0))?)
    }
}

fn time(fields: &mut Fields, name: &str) -> Option<Timestamp> {
    fields.checked(name, |text| Timestamp::parse(&text))
}

/// What is sent to start one.
fn properties() -> Value {
    json!({
        "endpoint_id": or_null::<EndpointId>(),
        "event_type": or_null::<domain::event_type::EventType>(),
        "reason": or_null::<DeadLetterReason>(),
        "created_after": or_null::<Timestamp>(),
        "created_before": or_null::<Timestamp>(),
        "include_skipped": {"type": ["boolean", "null"], "default": false},
        "dry_run": {"type": ["boolean", "null"], "default": false},
    })
}

fn or_null<T: JsonSchema>() -> Value {
    // In place: a definition of the generator's own would not be in the document.
    let schema: Value = T::json_schema(&mut SchemaGenerator::default()).into();
    json!({"anyOf": [schema, {"type": "null"}]})
}
