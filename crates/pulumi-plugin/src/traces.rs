//! Spans of a process, sent to an OpenTelemetry collector over OTLP (decision traces).
//!
//! The module contains the export, the selection of spans, and the trace context of other processes. Crates open spans
//! with `tracing` and do not depend on this module.

use std::env;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::span::{Attributes, Id};
use tracing::{Metadata, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry};

/// The header of a W3C trace context.
pub(crate) const TRACEPARENT: &str = "traceparent";

/// Default time for sending the last spans. The engine waits 5 s for a plugin to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// OpenTelemetry's variable for the time of an export, in milliseconds.
const EXPORT_TIMEOUT: &str = "OTEL_BSP_EXPORT_TIMEOUT";

/// Prefixes of the crates whose spans are sent. Spans of other crates may contain headers with credentials.
const OURS: [&str; 3] = ["netmgr", "pulumi_plugin", "clusterpkg"];

/// The only module whose events are sent, inside their spans: status, size and time of each reply. Events of other
/// modules are messages, which may contain any text.
const REPLIES: &str = "netmgr_transport::layers::trace";

/// Another subscriber in addition to the export, such as a log.
pub(crate) type Beside = Box<dyn Layer<Registry> + Send + Sync>;

/// The export of a process's spans. Call [`Traces::end`] at the end, or the last spans are lost.
#[derive(Debug)]
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    /// Number of open spans.
    open: watch::Receiver<usize>,
}

impl Traces {
    /// Starts the export of spans under the name `service` to the collector at `endpoint`, and also sends events to
    /// `beside`. The endpoint is `host:port` or a URL with `grpc`, `http` or `https`. Returns `None` if there is another
    /// subscriber or the endpoint is invalid, because the plugin must work without an export.
    ///
    /// Call it inside the runtime that lives as long as the process.
    #[must_use]
    pub(crate) fn start(service: &str, endpoint: &str, beside: Option<Beside>) -> Option<Self> {
        let url = match endpoint.split_once("://") {
            // The first scheme is that of the engine's own flag.
            Some(("grpc", address)) => format!("http://{address}"),
            Some(_) => endpoint.to_owned(),
            None => format!("http://{endpoint}"),
        };
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(url);
        let provider = SdkTracerProvider::builder()
            .with_resource(resource(service))
            .with_batch_exporter(exporter.build().ok()?);
        let (open, watched) = watch::channel(0);
        let traces = Self {
            provider: provider.build(),
            open: watched,
        };
        let layer = tracing_opentelemetry::layer()
            .with_tracer(traces.provider.tracer(service.to_owned()))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(is_sent));
        tracing_subscriber::registry()
            .with(beside)
            .with(layer)
            // Last, so that a span is exported before it is counted as closed.
            .with(OpenSpans(open).with_filter(filter_fn(is_sent)))
            .try_init()
            .ok()?;
        Some(traces)
    }

    /// Waits until all spans are closed, and sends the remaining ones. Each step takes up to 2 s, or the number of
    /// milliseconds in the variable `OTEL_BSP_EXPORT_TIMEOUT`.
    pub(crate) async fn end(mut self) {
        // A span stays open while a task in it runs, which may be slightly longer than its call.
        let _ = timeout(farewell(), self.open.wait_for(|open| *open == 0)).await;
        // This runtime drives the exporter's connection, so its thread must not be blocked.
        let ended = tokio::task::spawn_blocking(move || self.provider.shutdown_with_timeout(farewell()));
        // An unavailable collector is not an error of the process.
        let _ = ended.await;
    }
}

/// Counts the spans that are open.
struct OpenSpans(watch::Sender<usize>);

impl<S: Subscriber> Layer<S> for OpenSpans {
    fn on_new_span(&self, _: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        self.0.send_modify(|open| *open += 1);
    }

    fn on_close(&self, _: Id, _: Context<'_, S>) {
        self.0.send_modify(|open| *open -= 1);
    }
}

fn farewell() -> Duration {
    let milliseconds = env::var(EXPORT_TIMEOUT).ok().and_then(|text| text.parse().ok());
    milliseconds.map_or(FAREWELL, Duration::from_millis)
}

/// The OpenTelemetry resource, by which a collector groups spans.
fn resource(service: &str) -> Resource {
    Resource::builder_empty()
        .with_service_name(service.to_owned())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}

fn is_sent(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    if metadata.is_span() {
        OURS.iter().any(|ours| target.starts_with(ours))
    } else {
        target == REPLIES
    }
}

/// Makes `span` a child of the span that a `traceparent` header names. The header is ignored if it is malformed, or if
/// spans are not exported.
pub(crate) fn adopt(span: &Span, traceparent: &str) {
    // The propagator also accepts numbers that are too short.
    if traceparent.split('-').map(str::len).take(4).ne([2, 32, 16, 2]) {
        return;
    }
    let carrier = [(TRACEPARENT.to_owned(), traceparent.to_owned())]
        .into_iter()
        .collect::<Carrier>();
    let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
}

/// The `traceparent` header of a span. `None` if spans are not exported.
#[must_use]
pub(crate) fn traceparent(span: &Span) -> Option<String> {
    let mut carrier = Carrier::new();
    TraceContextPropagator::new().inject_context(&span.context(), &mut carrier);
    carrier.remove(TRACEPARENT)
}

/// Headers by name.
type Carrier = std::collections::HashMap<String, String>;

#[cfg(test)]
mod tests {
    use opentelemetry_sdk::trace::InMemorySpanExporter;
    use tracing::{info, info_span};

    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /// The spans of `work` as a collector gets them.
    fn sent(work: impl FnOnce()) -> Vec<opentelemetry_sdk::trace::SpanData> {
        let exporter = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder()
            .with_simple_exporter(exporter.clone())
            .build();
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("test"))
            .with_filter(filter_fn(is_sent));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), work);
        exporter.get_finished_spans().unwrap()
    }

    #[test]
    fn traces_a_span_has_the_parent_of_its_header_and_returns_its_own() {
        let mut own = None;
        let spans = sent(|| {
            let span = info_span!("outer");
            adopt(&span, PARENT);
            own = traceparent(&span);
            span.in_scope(|| info_span!("inner").in_scope(|| {}));
        });
        let [inner, outer] = &spans[..] else {
            panic!("{spans:?}")
        };
        assert_eq!(outer.parent_span_id.to_string(), "b7ad6b7169203331");
        assert_eq!(
            outer.span_context.trace_id().to_string(),
            "0af7651916cd43dd8448eb211c80319c"
        );
        assert_eq!(inner.parent_span_id, outer.span_context.span_id());
        assert_eq!(inner.span_context.trace_id(), outer.span_context.trace_id());
        let expected = format!(
            "00-{}-{}-01",
            outer.span_context.trace_id(),
            outer.span_context.span_id()
        );
        assert_eq!(own, Some(expected));
    }

    #[test]
    fn traces_a_malformed_header_makes_no_parent() {
        for header in ["", "00-1-2-3", "secret"] {
            let spans = sent(|| {
                let span = info_span!("outer");
                adopt(&span, header);
                span.in_scope(|| {});
            });
            assert_eq!(spans.len(), 1, "{header}");
            assert_eq!(
                spans[0].parent_span_id.to_string(),
                "0000000000000000",
                "{header}"
            );
        }
    }

    #[test]
    fn traces_hold_neither_messages_nor_spans_of_libraries() {
        let spans = sent(|| {
            info_span!(target: "h2::client", "headers", authorization = "secret").in_scope(|| {});
            info_span!("ours").in_scope(|| {
                info!("secret");
                info!(target: REPLIES, status = 200, "answered");
            });
        });
        assert_eq!(spans.len(), 1, "{spans:?}");
        let events: Vec<_> = spans[0]
            .events
            .iter()
            .map(|event| event.name.to_string())
            .collect();
        assert_eq!(events, ["answered"]);
        assert!(!format!("{spans:?}").contains("secret"), "{spans:?}");
    }

    #[test]
    fn traces_without_an_export_have_no_header() {
        assert_eq!(traceparent(&info_span!("alone")), None);
    }
}
