//! The closed vocabularies of the contract, section 7, each with one spelling on the wire, in the
//! database and in a filter.

use serde::{Deserialize, Serialize};

/// The word is not one of the vocabulary's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of: {accepted}")]
pub struct UnknownWord {
    /// The accepted words, comma-separated.
    pub accepted: String,
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every word, in the contract's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }

        crate::schema::inline_schema!($name, crate::schema::words(&[$($word),*]));

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|w| w.as_str() == text).ok_or_else(|| UnknownWord {
                    accepted: [$($word),*].join(", "),
                })
            }
        }
    )*};
}

words! {
    /// How a capture came into its bin.
    CaptureKind {
        /// It was sent to the bin's address.
        Received = "received",
        /// A copy of an attempt at a delivery.
        Redirected = "redirected",
        /// One rung of a rehearsal.
        Rehearsed = "rehearsed",
    }
    /// Where a delivery stands.
    DeliveryStatus {
        /// No attempt has been recorded yet.
        Pending = "pending",
        /// At least one attempt failed, another is due.
        Retrying = "retrying",
        /// A 2xx was received.
        Delivered = "delivered",
        /// Given up; a dead letter says why.
        DeadLettered = "dead_lettered",
        /// Never sent, because the endpoint was disabled; a bulk retry can send it.
        Skipped = "skipped",
        /// Called off before it ended.
        Cancelled = "cancelled",
    }
    /// Why a delivery was skipped.
    SkipReason {
        /// The endpoint was disabled when the event happened.
        EndpointDisabled = "endpoint_disabled",
    }
    /// Why an endpoint was disabled by the system.
    DisabledReason {
        /// It answered 410.
        Gone = "gone",
        /// It failed for longer than is configured.
        Failing = "failing",
    }
    /// Why a delivery was cancelled.
    CancelReason {
        /// Its endpoint was deleted.
        EndpointDeleted = "endpoint_deleted",
        /// A manual retry took its place.
        Superseded = "superseded",
        /// Somebody asked for it.
        Requested = "requested",
    }
    /// What started a delivery.
    DeliveryTrigger {
        /// The event itself.
        Initial = "initial",
        /// The Retry button or call.
        Manual = "manual",
        /// A bulk retry.
        Bulk = "bulk",
        /// A test send.
        Test = "test",
    }
    /// What started an attempt: its delivery's trigger on the first, `automatic` from the second on.
    AttemptTrigger {
        /// The event itself.
        Initial = "initial",
        /// The ladder.
        Automatic = "automatic",
        /// The Retry button or call.
        Manual = "manual",
        /// A bulk retry.
        Bulk = "bulk",
        /// A test send.
        Test = "test",
    }
    /// What was recorded of an attempt when it ended.
    AttemptStatus {
        /// A 2xx.
        Delivered = "delivered",
        /// Failed; `next_attempt_at` says when the next is due.
        Retrying = "retrying",
        /// Failed; the delivery is a dead letter now.
        DeadLettered = "dead_lettered",
        /// The process died during it; it may or may not have arrived.
        Interrupted = "interrupted",
    }
    /// Why an attempt has no usable HTTP status.
    AttemptError {
        /// The name did not resolve.
        DnsError = "dns_error",
        /// No connection within the connect time-out.
        ConnectTimeout = "connect_timeout",
        /// No complete response head within the read time-out.
        ReadTimeout = "read_timeout",
        /// The receiver's machine refused the connection, or has no route.
        ConnectionRefused = "connection_refused",
        /// The connection broke before a response head.
        ConnectionReset = "connection_reset",
        /// The TLS handshake or the certificate failed.
        TlsError = "tls_error",
        /// The address is one the guard never sends to.
        BlockedAddress = "blocked_address",
        /// The answer is not HTTP, or breaks its limits.
        InvalidResponse = "invalid_response",
    }
    /// Why a delivery became a dead letter.
    DeadLetterReason {
        /// The ladder has no further rung.
        AttemptsExhausted = "attempts_exhausted",
        /// The receiver answered with a 4xx other than 429.
        Rejected = "rejected",
        /// The address is one the guard never sends to.
        BlockedAddress = "blocked_address",
        /// The endpoint was disabled while the delivery waited.
        EndpointDisabled = "endpoint_disabled",
    }
    /// How a dead letter left the inbox.
    Resolution {
        /// Sent again as a new delivery.
        Retried = "retried",
        /// Put aside by hand.
        Dismissed = "dismissed",
    }
    /// What a person may do in a project.
    Role {
        /// Everything, members and deletion included.
        Owner = "owner",
        /// Everything but members.
        Developer = "developer",
        /// Look only.
        Viewer = "viewer",
        /// Staff: every project, look and retry.
        Support = "support",
    }
    /// What an API key may do.
    Scope {
        /// `GET`.
        Read = "read",
        /// Everything that changes something.
        Write = "write",
    }
    /// What became of a message.
    MessageStatus {
        /// Stored and announced.
        Accepted = "accepted",
    }
    /// Where a run of a scenario stands.
    RunStatus {
        /// Stored and announced.
        Started = "started",
    }
    /// What a catalog import was sent as.
    ImportFormat {
        /// `application/json` with `items`.
        Json = "json",
        /// `application/x-ndjson`: an object a line.
        Ndjson = "ndjson",
        /// `text/csv` with a header line.
        Csv = "csv",
    }
    /// Where a bulk retry stands.
    RetryJobStatus {
        /// Waits for a worker.
        Pending = "pending",
        /// Its dead letters are sent again, batch by batch.
        Running = "running",
        /// All that matched has been looked at.
        Completed = "completed",
        /// Called off; what was sent by then stays sent.
        Cancelled = "cancelled",
        /// Could not be carried out; what was not sent waits in the inbox.
        Failed = "failed",
        /// An endpoint failed again; what was not sent to it waits in the inbox.
        Stopped = "stopped",
    }
    /// What a person did in the dashboard.
    AuditAction {
        /// Made an endpoint.
        EndpointCreated = "endpoint_created",
        /// Switched an endpoint on.
        EndpointEnabled = "endpoint_enabled",
        /// Switched an endpoint off.
        EndpointDisabled = "endpoint_disabled",
        /// Replaced an endpoint's secret.
        SecretRotated = "secret_rotated",
        /// Sent a test to an endpoint.
        TestSent = "test_sent",
        /// Made an API key.
        ApiKeyCreated = "api_key_created",
        /// Revoked an API key.
        ApiKeyRevoked = "api_key_revoked",
        /// Let somebody into the project.
        MemberAdded = "member_added",
        /// Gave somebody another role.
        MemberChanged = "member_changed",
        /// Took somebody's role away.
        MemberRemoved = "member_removed",
        /// Gave the project another name.
        ProjectRenamed = "project_renamed",
        /// Sent one delivery again.
        Retried = "retried",
        /// Sent chosen dead letters again.
        RetriedMany = "retried_many",
        /// Started a bulk retry.
        BulkRetryStarted = "bulk_retry_started",
        /// Called a bulk retry off.
        BulkRetryCancelled = "bulk_retry_cancelled",
        /// Put dead letters aside.
        Dismissed = "dismissed",
        /// Took dead letters back.
        Restored = "restored",
        /// Made an inspector bin.
        BinCreated = "bin_created",
        /// Changed a bin's name or answers.
        BinChanged = "bin_changed",
        /// Deleted a bin with all that was in it.
        BinDeleted = "bin_deleted",
        /// Sent a capture to some address.
        CaptureReplayed = "capture_replayed",
        /// Rehearsed the retry ladder against a bin.
        LadderRehearsed = "ladder_rehearsed",
        /// As staff, looked at what a customer sent or received.
        PayloadOpened = "payload_opened",
    }
    /// Where a catalog import stands.
    ImportStatus {
        /// Its rows are stored and wait.
        Pending = "pending",
        /// Its rows are on their way into the catalog.
        Running = "running",
        /// Every good row is in the catalog.
        Completed = "completed",
        /// It had no good row, or could not be carried out.
        Failed = "failed",
    }
    /// Where an idempotency key stands.
    IdempotencyStatus {
        /// Its first attempt is running.
        InProgress = "in_progress",
        /// Its answer is stored and will be replayed.
        Done = "done",
        /// Its answer is gone; a later use executes afresh.
        Expired = "expired",
    }
    /// What the idempotency layer did with a request.
    IdempotencyOutcome {
        /// It ran.
        Executed = "executed",
        /// The stored answer was given.
        Replayed = "replayed",
        /// The first attempt was still running.
        InProgress = "in_progress",
        /// The key belongs to another request.
        Conflict = "conflict",
    }
}

impl DeliveryStatus {
    /// Whether the engine still has something to do for it.
    pub const fn is_waiting(self) -> bool {
        matches!(self, Self::Pending | Self::Retrying)
    }
}

impl DeliveryTrigger {
    /// The trigger of this delivery's attempt number `attempt_number` (from 1).
    pub const fn of_attempt(self, attempt_number: u32) -> AttemptTrigger {
        match (self, attempt_number) {
            (Self::Initial, 0 | 1) => AttemptTrigger::Initial,
            (Self::Manual, 0 | 1) => AttemptTrigger::Manual,
            (Self::Bulk, 0 | 1) => AttemptTrigger::Bulk,
            (Self::Test, 0 | 1) => AttemptTrigger::Test,
            _ => AttemptTrigger::Automatic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_reads_back_and_serde_spells_it_alike() {
        for status in DeliveryStatus::ALL {
            assert_eq!(status.as_str().parse(), Ok(*status));
            assert_eq!(serde_json::to_string(status).unwrap(), format!("\"{status}\""));
        }
        assert!("Delivered".parse::<DeliveryStatus>().unwrap_err().to_string().contains("dead_lettered"));
    }

    #[test]
    fn attempts_after_the_first_are_automatic() {
        assert_eq!(DeliveryTrigger::Manual.of_attempt(1), AttemptTrigger::Manual);
        assert_eq!(DeliveryTrigger::Manual.of_attempt(2), AttemptTrigger::Automatic);
    }
}
