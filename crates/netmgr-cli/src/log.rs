//! Logging and tracing: the log of `-v` on standard error, and spans for a collector if the environment
//! configures one.

mod requests;
#[cfg(feature = "traces")]
pub(crate) mod traces;

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry};

/// A log, or a part of the export.
type Part = Box<dyn Layer<Registry> + Send + Sync>;

/// Starts the log: once `-v` for a line per request, twice for more. Spans are sent to the collector that
/// `OTEL_EXPORTER_OTLP_ENDPOINT` names, over gRPC. Call it inside the runtime. `trace` prints a line for each request
/// instead of the log.
pub(crate) fn start(verbosity: u8, trace: bool) -> traces::SpanExport {
    let log = if trace {
        Some(requests::lines())
    } else {
        lines(verbosity)
    };
    let mut parts = Vec::from_iter(log);
    let export = traces::start(&mut parts);
    if !parts.is_empty() {
        tracing_subscriber::registry().with(parts).init();
    }
    export
}

/// Only our own crates: the crates below them would log headers with credentials.
fn lines(verbosity: u8) -> Option<Part> {
    let requests = Targets::new().with_target("netmgr_transport", Level::DEBUG);
    let targets = match verbosity {
        0 => return None,
        1 => requests,
        // How lookups share requests, and the actions of the simulated manager.
        _ => requests
            .with_target("netmgr_lookups", Level::DEBUG)
            .with_target("netmgr_recording", Level::DEBUG)
            .with_target("netmgr_sim", Level::DEBUG),
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    Some(lines.with_filter(targets).boxed())
}

#[cfg(not(feature = "traces"))]
pub(crate) mod traces {
    use tracing::Span;

    use super::Part;

    /// No export.
    pub(crate) struct SpanExport;

    pub(super) fn start(_: &mut Vec<Part>) -> SpanExport {
        SpanExport
    }

    /// No span, because there is no collector.
    pub(crate) fn command() -> Span {
        Span::none()
    }

    impl SpanExport {
        pub(crate) async fn end(self) {}
    }
}
