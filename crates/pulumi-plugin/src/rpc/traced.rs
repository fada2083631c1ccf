//! Spans of the engine's calls. Their parents are the engine's spans, if the engine sends its trace context. With the
//! feature `traces`, they are sent to the collector that the engine names; without it, they only appear in the log.
//!
//! Spans never contain arguments, inputs or values that are derived from them.

use tonic::metadata::MetadataMap;
use tracing::Span;
use tracing::field::Empty;
use tracing_subscriber::layer::SubscriberExt as _;

use crate::rpc::stderr::LogLayer;

/// The span of a call of a function. The provider records the function.
pub(crate) fn function(metadata: &MetadataMap) -> Span {
    below_engine(tracing::debug_span!("invoke", function = Empty), metadata)
}

/// The span of the construction of a component.
pub(crate) fn component(metadata: &MetadataMap) -> Span {
    below_engine(tracing::debug_span!("construct", component = Empty), metadata)
}

fn below_engine(span: Span, metadata: &MetadataMap) -> Span {
    export::adopt(&span, metadata.as_ref());
    span
}

/// The span of a registration: of the component itself or of one of its children.
pub(crate) fn registration(token: &str, name: &str) -> Span {
    tracing::debug_span!("register", token, name)
}

/// The span of a call of a method.
pub(crate) fn method(metadata: &MetadataMap) -> Span {
    below_engine(tracing::debug_span!("call", method = Empty), metadata)
}

/// The span of a read of an existing resource.
pub(crate) fn read(token: &str, name: &str) -> Span {
    tracing::debug_span!("read", token, name)
}

/// Adds the trace context of the current span to a message, so that it becomes the parent of the engine's spans.
pub(crate) fn below_current<T>(message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    export::write(&Span::current(), request.metadata_mut());
    request
}

/// Installs the log as the only subscriber.
fn start_log(log: Option<LogLayer>) {
    if let Some(log) = log {
        // Has no effect if there is another subscriber.
        let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(log));
    }
}

pub(crate) use export::start;

#[cfg(feature = "traces")]
mod export {
    use tonic::codegen::http::HeaderMap;
    use tonic::metadata::MetadataMap;
    use tracing::Span;

    use crate::rpc::stderr::LogLayer;
    use crate::traces::{TRACEPARENT, Traces};

    /// The variable in which the engine names its collector.
    const COLLECTOR: &str = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";

    /// The flag with which engines name collectors of older protocols.
    const FLAG: &str = "--tracing";

    /// The export of spans, if the engine names a collector.
    pub(crate) struct Export(Option<Traces>);

    /// Starts the export to the engine's collector, if it names one, and the log.
    pub(crate) fn start(arguments: &[String], log: Option<LogLayer>) -> Export {
        let named = std::env::var(COLLECTOR).ok();
        let Some(collector) = named.filter(|collector| !collector.is_empty()) else {
            super::start_log(log);
            if arguments.iter().any(|argument| argument == FLAG) {
                tracing::warn!(
                    "no spans are sent: the protocols of {FLAG} are not supported; use --otel-traces, or set {COLLECTOR} \
                     to the address of an OTLP collector"
                );
            }
            return Export(None);
        };
        Export(Traces::start(&service(), &collector, log))
    }

    impl Export {
        /// Sends the remaining spans.
        pub(crate) async fn end(self) {
            if let Some(traces) = self.0 {
                traces.end().await;
            }
        }
    }

    /// The name of the executable, which names the plugin.
    fn service() -> String {
        let program = std::env::current_exe().ok();
        let name = program.as_deref().and_then(|program| program.file_stem());
        name.map_or_else(|| "plugin".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    pub(super) fn adopt(span: &Span, headers: &HeaderMap) {
        if let Some(Ok(parent)) = headers.get(TRACEPARENT).map(|parent| parent.to_str()) {
            crate::traces::adopt(span, parent);
        }
    }

    pub(super) fn write(span: &Span, metadata: &mut MetadataMap) {
        if let Some(Ok(context)) = crate::traces::traceparent(span).map(|context| context.parse()) {
            metadata.insert(TRACEPARENT, context);
        }
    }
}

#[cfg(not(feature = "traces"))]
mod export {
    use tonic::codegen::http::HeaderMap;
    use tonic::metadata::MetadataMap;
    use tracing::Span;

    use crate::rpc::stderr::LogLayer;

    /// No export.
    pub(crate) struct Export;

    pub(crate) fn start(_arguments: &[String], log: Option<LogLayer>) -> Export {
        super::start_log(log);
        Export
    }

    impl Export {
        pub(crate) async fn end(self) {}
    }

    pub(super) fn adopt(_span: &Span, _headers: &HeaderMap) {}

    pub(super) fn write(_span: &Span, _metadata: &mut MetadataMap) {}
}
