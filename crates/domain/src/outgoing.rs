//! The headers of a webhook, as they are sent and logged (contract section 8): one place for the
//! engine that sends them and for the rehearsal that only shows them.

use crate::id::RequestId;
use crate::model::{Event, Headers};
use crate::secret::WebhookSecret;
use crate::signature;
use crate::time::Timestamp;

/// What webhooks call themselves.
pub const USER_AGENT: &str = "BOTIX-Webhooks/1.1";

/// What an attempt is signed with and for.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// The event that is sent.
    pub event: &'a Event,
    /// The secret in force.
    pub secret: &'a WebhookSecret,
    /// The replaced one, while both sign.
    pub previous_secret: Option<&'a WebhookSecret>,
    /// The delivery's request id.
    pub request_id: RequestId,
    /// 1, 2, …
    pub attempt_number: u32,
    /// When it is sent.
    pub at: Timestamp,
}

impl Outgoing<'_> {
    /// The header lines, in the contract's spelling and order, for this body.
    pub fn headers(&self, body: &[u8]) -> Headers {
        let mut secrets = vec![self.secret];
        secrets.extend(self.previous_secret);
        let mut lines = vec![
            ("Content-Type", "application/json".to_owned()),
            ("Content-Length", body.len().to_string()),
            ("User-Agent", USER_AGENT.to_owned()),
            ("X-Botix-Event", self.event.event_type.clone()),
            ("X-Botix-Signature", signature::botix(self.secret, body)),
            ("X-Botix-Request-Id", self.request_id.to_string()),
            ("X-Delivery-Attempt", self.attempt_number.to_string()),
            ("webhook-id", self.event.id.to_string()),
            ("webhook-timestamp", self.at.as_secs().to_string()),
            ("webhook-signature", signature::standard_all(&secrets, self.event.id, self.at, body)),
        ];
        if let Some(previous) = self.previous_secret {
            lines.insert(5, ("X-Botix-Signature-Previous", signature::botix(previous, body)));
        }
        Headers(lines.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}
