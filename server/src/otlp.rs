//! Traces for a collector: OTLP over HTTP, in its JSON form.
//!
//! Spans gather in a queue and leave in batches from a thread of their own. A collector that is slow or away costs spans,
//! never a request.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue, Value};
use opentelemetry_http::hyper::HyperClient;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, IdGenerator as _, RandomIdGenerator, SpanData, SpanEvents, SpanLinks,
    SpanProcessor as _,
};
use store::spans::{Fact, Place, Span, Spans};
use tokio::runtime::Handle;

use crate::config::Traces;
use crate::failure::Failure;

/// Spans that wait for their batch at most; more are dropped.
const QUEUE: usize = 16_384;
/// Spans in one request.
const BATCH: usize = 512;
/// How long a span waits for others.
const EVERY: Duration = Duration::from_secs(1);
/// How long the collector may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The way to the collector.
pub(crate) struct Collector {
    queue: BatchSpanProcessor,
    scope: InstrumentationScope,
    /// Of the 63 random bits of a request id, those below this are traced.
    below: u64,
}

impl Collector {
    /// Starts the thread that sends. To be called on the runtime that its requests will run on.
    pub(crate) fn start(traces: &Traces) -> Result<Arc<Self>, Failure> {
        let client =
            OnRuntime { runtime: Handle::current(), client: HyperClient::with_default_connector(TIMEOUT, None) };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpJson)
            .with_endpoint(format!("{}/v1/traces", traces.url))
            .with_timeout(TIMEOUT)
            .build()
            .map_err(|error| Failure::refused(format!("BOTIX_OTLP_URL: {error}")))?;
        let config = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(EVERY)
            .build();
        let mut queue = BatchSpanProcessor::new(exporter, config);
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        queue.set_resource(&Resource::builder().with_service_name("botix").with_attribute(version).build());
        let scope = InstrumentationScope::builder("botix").with_version(env!("CARGO_PKG_VERSION")).build();
        Ok(Arc::new(Self { queue, scope, below: threshold(traces.share) }))
    }

    /// Sends what still waits. Blocks.
    pub(crate) fn flush(&self) {
        if let Err(error) = self.queue.shutdown_with_timeout(TIMEOUT) {
            tracing::warn!(%error, "the last spans did not reach the collector");
        }
    }
}

impl Spans for Collector {
    fn ended(&self, span: Span) {
        let ulid = span.request_id.ulid().0;
        if low(ulid) >> 1 >= self.below {
            return;
        }
        let (trace, origin) = (TraceId::from(ulid), SpanId::from(low(ulid)));
        let (id, parent, kind) = match span.place {
            Place::Origin => (origin, SpanId::INVALID, SpanKind::Server),
            Place::Consequence => (RandomIdGenerator::default().new_span_id(), origin, SpanKind::Client),
            // A delivery is tried several times under one id.
            Place::Alone => (RandomIdGenerator::default().new_span_id(), SpanId::INVALID, SpanKind::Client),
        };
        let begun = SystemTime::UNIX_EPOCH + Duration::from_micros(span.begun.as_micros().try_into().unwrap_or(0));
        self.queue.on_end(SpanData {
            span_context: SpanContext::new(trace, id, TraceFlags::SAMPLED, false, TraceState::default()),
            parent_span_id: parent,
            parent_span_is_remote: span.place == Place::Consequence,
            span_kind: kind,
            name: span.name.into(),
            start_time: begun,
            end_time: begun + span.took,
            attributes: span.attributes.into_iter().map(|(name, fact)| KeyValue::new(name, value(fact))).collect(),
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: span.error.map_or(Status::Unset, Status::error),
            instrumentation_scope: self.scope.clone(),
        });
    }
}

/// The part of a ULID that is random.
#[expect(clippy::cast_possible_truncation, reason = "the rest is not wanted")]
const fn low(ulid: u128) -> u64 {
    ulid as u64
}

/// By the request id alone, so that every process traces the same requests.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is from 0 to 1")]
fn threshold(share: f64) -> u64 {
    (share * 2_f64.powi(63)) as u64
}

fn value(fact: Fact) -> Value {
    match fact {
        Fact::Text(text) => text.into(),
        Fact::Number(number) => number.into(),
    }
}

/// The thread that sends knows no runtime, and the client needs one.
#[derive(Debug)]
struct OnRuntime {
    runtime: Handle,
    client: HyperClient,
}

#[async_trait::async_trait]
impl HttpClient for OnRuntime {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        self.runtime.spawn(async move { client.send_bytes(request).await }).await?
    }
}
