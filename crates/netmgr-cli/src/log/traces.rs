//! Spans of a command for the OTLP collector that the environment names. Only spans of our own crates are sent: those
//! of libraries contain headers with credentials.

use std::collections::HashMap;
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
use tracing::{Metadata, Span, Subscriber, debug_span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Context;

use super::Part;

const SERVICE: &str = "netmgr";

/// Variables with the address of the collector. The first one that is set takes precedence.
const COLLECTORS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// Variable with the time for sending the last spans, in milliseconds.
const EXPORT_TIMEOUT: &str = "OTEL_BSP_EXPORT_TIMEOUT";
const DEFAULT_EXPORT_TIMEOUT: Duration = Duration::from_secs(2);

/// The module whose events are sent: status, size and time of each reply. Events of other modules are messages, which
/// may contain anything.
const REPLIES: &str = "netmgr_transport::layers::trace";

/// The export of spans, if the environment names a collector.
pub(crate) struct SpanExport(Option<SpanProvider>);

struct SpanProvider {
    provider: SdkTracerProvider,
    /// Number of open spans.
    open: watch::Receiver<usize>,
}

/// Starts the export, and adds its parts.
pub(super) fn start(parts: &mut Vec<Part>) -> SpanExport {
    let Some(exporter) = collector().and_then(|collector| exporter(&collector)) else {
        return SpanExport(None);
    };
    let resource = Resource::builder_empty()
        .with_service_name(SERVICE)
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    let provider = SdkTracerProvider::builder()
        .with_resource(resource.build())
        .with_batch_exporter(exporter)
        .build();
    let (count, open) = watch::channel(0);
    let spans = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer(SERVICE))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false);
    parts.push(spans.with_filter(filter_fn(is_sent)).boxed());
    // The last one, so that a span is passed to the export before it is counted as closed.
    parts.push(OpenSpanCount(count).with_filter(filter_fn(is_sent)).boxed());
    SpanExport(Some(SpanProvider { provider, open }))
}

fn collector() -> Option<String> {
    let mut set = COLLECTORS.iter().filter_map(|variable| env::var(variable).ok());
    set.find(|address| !address.is_empty())
}

/// The address is a URL, or `host:port`. `None` if it is neither.
fn exporter(collector: &str) -> Option<SpanExporter> {
    let endpoint = match collector.split_once("://") {
        Some(("grpc", address)) => format!("http://{address}"),
        Some(_) => collector.to_owned(),
        None => format!("http://{collector}"),
    };
    let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint);
    exporter.build().ok()
}

fn is_sent(metadata: &Metadata<'_>) -> bool {
    match metadata.is_span() {
        true => metadata.target().starts_with("netmgr"),
        false => metadata.target() == REPLIES,
    }
}

/// The span of the whole command, below the span that `TRACEPARENT` names.
pub(crate) fn command() -> Span {
    let span = debug_span!("command");
    if let Ok(parent) = env::var("TRACEPARENT")
        // The propagator also accepts numbers that are too short.
        && parent.split('-').map(str::len).take(4).eq([2, 32, 16, 2])
    {
        let headers = HashMap::from([("traceparent".to_owned(), parent)]);
        let _ = span.set_parent(TraceContextPropagator::new().extract(&headers));
    }
    span
}

impl SpanExport {
    /// Waits until all spans are closed, and sends the remaining ones, each for up to 2 s or the milliseconds of
    /// `OTEL_BSP_EXPORT_TIMEOUT`.
    pub(crate) async fn end(self) {
        let Some(SpanProvider { provider, mut open }) = self.0 else {
            return;
        };
        let milliseconds = env::var(EXPORT_TIMEOUT).ok().and_then(|text| text.parse().ok());
        let limit = milliseconds.map_or(DEFAULT_EXPORT_TIMEOUT, Duration::from_millis);
        // A span stays open while a task inside it runs, which may be a moment longer than the command.
        let _ = timeout(limit, open.wait_for(|open| *open == 0)).await;
        // The exporter's connection is driven by this runtime, so its thread must not be kept busy.
        let ended = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(limit));
        // A collector that does not respond is not a failure of the command.
        let _ = ended.await;
    }
}

/// Counts the spans that are open.
struct OpenSpanCount(watch::Sender<usize>);

impl<S: Subscriber> Layer<S> for OpenSpanCount {
    fn on_new_span(&self, _: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        self.0.send_modify(|open| *open += 1);
    }

    fn on_close(&self, _: Id, _: Context<'_, S>) {
        self.0.send_modify(|open| *open -= 1);
    }
}
