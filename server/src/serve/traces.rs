//! Whether traces are collected, whatever this program was built with.

use std::sync::Arc;

use store::spans::Spans;

use crate::config::Config;
use crate::failure::Failure;
#[cfg(feature = "otlp")]
use crate::otlp::Collector;

/// The collector, if there is one.
pub(crate) struct Traces {
    #[cfg(feature = "otlp")]
    collector: Option<Arc<Collector>>,
}

#[cfg(feature = "otlp")]
impl Traces {
    pub(crate) fn start(config: &Config) -> Result<Self, Failure> {
        let collector = config.traces.as_ref().map(Collector::start).transpose()?;
        Ok(Self { collector })
    }

    /// Who is to be told of spans.
    pub(crate) fn spans(&self) -> Option<Arc<dyn Spans>> {
        self.collector.clone().map(|collector| collector as Arc<dyn Spans>)
    }

    /// Sends what still waits.
    pub(crate) async fn flush(self) {
        if let Some(collector) = self.collector {
            // A panic in there is reported by whoever caught it; nothing is left to do.
            let _ = tokio::task::spawn_blocking(move || collector.flush()).await;
        }
    }
}

#[cfg(not(feature = "otlp"))]
impl Traces {
    pub(crate) fn start(config: &Config) -> Result<Self, Failure> {
        let refused = Failure::refused("BOTIX_OTLP_URL: this program was built without traces (feature otlp)");
        if config.traces.is_some() { Err(refused) } else { Ok(Self {}) }
    }

    #[expect(clippy::unused_self, reason = "the same as with the feature")]
    pub(crate) fn spans(&self) -> Option<Arc<dyn Spans>> {
        None
    }

    #[expect(clippy::unused_async, reason = "the same as with the feature")]
    pub(crate) async fn flush(self) {}
}
