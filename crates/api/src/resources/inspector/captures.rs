//! `/inspector/bins/{id}/captures`: below a bin, which must be there.

use axum::http::StatusCode;
use domain::filter::TimeRange;
use domain::id::{BinId, CaptureId};
use domain::model::Capture;
use domain::page::{Page, PageRequest};
use store::inspector;
use store::{Conn, StoreError};

use super::TYPE;
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Query};
use crate::routes::Routes;

const CAPTURE: &str = "inspector_capture";

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<OfBin>("/inspector/bins/{id}/captures")
        .get::<OneCapture>("/inspector/bins/{id}/captures/{capture_id}")
}

struct Captures;

impl Collection for Captures {
    const LIST: &'static str = "inspector_captures";
    const TITLE: Option<Words> = Some(words("List what a bin captured", "Что приняла корзина"));
    type Filter = TimeRange;
    type Row = Capture;

    fn scope(call: &Call) -> Option<&str> {
        Some(call.param("id"))
    }

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &TimeRange,
        page: PageRequest,
    ) -> Result<Page<Capture>, StoreError> {
        // `OfBin` has seen that it is one.
        let Ok(bin) = call.id(TYPE) else { return Ok(Page { data: Vec::new(), has_more: false }) };
        inspector::captures(conn, call.project(), bin, filter, page).await
    }
}

/// The list, once the bin is known to be there.
struct OfBin(BinId, List<Captures>);

impl Query for OfBin {
    fn describe() -> Description {
        List::<Captures>::describe()
            .note(words("Newest first, without headers and bodies.", "От новых к старым, без заголовков и тел."))
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let list = List::parse(call)?;
        Ok(Self(call.id(TYPE)?, list))
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let bin = inspector::get(conn, &call.state.addresses, call.project(), self.0).await?;
        bin.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?;
        self.1.run(conn, call).await
    }
}

struct OneCapture(BinId, CaptureId);

impl Query for OneCapture {
    fn describe() -> Description {
        Description::of(words("Get one capture", "Один принятый запрос"))
            .note(words(
                "With headers and body: body is text and null when it is not UTF-8, body_base64 is exact.",
                "С заголовками и телом: body — текст или null, если это не UTF-8; body_base64 — байт в байт.",
            ))
            .answers::<Capture>(StatusCode::OK)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        call.without_query()?;
        let capture = call.param("capture_id");
        Ok(Self(call.id(TYPE)?, capture.parse().map_err(|_| ApiError::not_found(CAPTURE, capture))?))
    }

    async fn run(self, conn: &mut Conn, call: &Call) -> Result<Answer, ApiError> {
        let found = inspector::capture(conn, call.project(), self.0, self.1).await?;
        Answer::ok(&found.ok_or_else(|| ApiError::not_found(CAPTURE, &self.1))?)
    }
}
