//! The objects of the contract, section 7, exactly as they appear on the wire. The API answers with
//! them and the dashboard draws them; field names are the contract's and in its order.

mod api_key;
mod audit;
mod catalog;
mod contact;
mod event;
mod headers;
mod health;
mod inspector;
mod json;
mod message;
mod project;
mod request;
mod retry_job;
mod scenario;
mod webhook;

pub use api_key::ApiKey;
pub use audit::{AuditEntry, Member};
pub use catalog::{CatalogImport, CatalogItem, ImportError, MAX_ERRORS, MAX_ROWS};
pub use contact::Contact;
pub use event::Event;
pub use headers::Headers;
pub use health::EndpointHealth;
pub use inspector::{
    Bin, Capture, CapturePayload, CaptureSource, HeaderLine, Redirected, Rehearsal, ReplayResult, Rung,
};
pub use json::RawJson;
pub use message::{MAX_TEXT, Message};
pub use project::{Project, User};
pub use request::{ApiRequest, IdempotencyKey, RequestWithTrace, Trace};
pub use retry_job::RetryJob;
pub use scenario::{Scenario, ScenarioRun};
pub use webhook::{Attempt, AttemptPayload, DeadLetter, Delivery, Endpoint};
