//! Spans of the engine's calls: below the engine's own where it sends its trace context, and above what the
//! call leads to. With the feature `traces` they are sent to the collector that the engine names
//! ("engine-plugin" 1.2); without it they are in the log alone.
//!
//! Never in a span: arguments, inputs and anything made from them.

use tonic::codegen::http::HeaderMap;
use tracing::Span;
use tracing::field::Empty;

/// Calls that have a span, and the names of their spans. The others are short and belong to no lookup or
/// resource.
const FUNCTION: &str = "/pulumirpc.ResourceProvider/Invoke";
const COMPONENT: &str = "/pulumirpc.ResourceProvider/Construct";

/// The span of a call; a disabled one for calls that have none.
pub(crate) fn call(path: &str, headers: &HeaderMap) -> Span {
    let span = match path {
        FUNCTION => tracing::debug_span!("invoke", function = Empty),
        COMPONENT => tracing::debug_span!("construct", component = Empty),
        _ => return Span::none(),
    };
    export::adopt(&span, headers);
    span
}

/// The span of a registration: of the component itself or of one of its children.
pub(crate) fn registration(token: &str, name: &str) -> Span {
    tracing::debug_span!("register", token, name)
}

/// A message with the trace context of the current span, so that the engine's spans lie below it.
pub(crate) fn below_current<T>(message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    export::write(&Span::current(), request.metadata_mut());
    request
}

pub(crate) use export::start;

#[cfg(feature = "traces")]
mod export {
    use otlp_traces::{TRACEPARENT, Traces};
    use tonic::codegen::http::HeaderMap;
    use tonic::metadata::MetadataMap;
    use tracing::Span;

    /// What the engine calls its collector.
    const COLLECTOR: &str = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";

    /// The export of spans, if the engine wants one.
    pub(crate) struct Export(Option<Traces>);

    /// Starts the export to the engine's collector, if it names one.
    pub(crate) fn start() -> Export {
        let collector = otlp_traces::endpoint(Some(COLLECTOR));
        Export(collector.and_then(|collector| Traces::start(&service(), &collector, None)))
    }

    impl Export {
        /// Sends what is left.
        pub(crate) async fn end(self) {
            if let Some(traces) = self.0 {
                traces.end().await;
            }
        }
    }

    /// The name of the program, which is that of the plugin.
    fn service() -> String {
        let program = std::env::current_exe().ok();
        let name = program.as_deref().and_then(|program| program.file_stem());
        name.map_or_else(|| "plugin".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    pub(super) fn adopt(span: &Span, headers: &HeaderMap) {
        if let Some(parent) = headers.get(TRACEPARENT).and_then(|parent| parent.to_str().ok()) {
            otlp_traces::adopt(span, parent);
        }
    }

    pub(super) fn write(span: &Span, metadata: &mut MetadataMap) {
        if let Some(Ok(context)) = otlp_traces::traceparent(span).map(|context| context.parse()) {
            metadata.insert(TRACEPARENT, context);
        }
    }
}

#[cfg(not(feature = "traces"))]
mod export {
    use tonic::codegen::http::HeaderMap;
    use tonic::metadata::MetadataMap;
    use tracing::Span;

    /// No export.
    pub(crate) struct Export;

    pub(crate) fn start() -> Export {
        Export
    }

    impl Export {
        pub(crate) async fn end(self) {}
    }

    pub(super) fn adopt(_span: &Span, _headers: &HeaderMap) {}

    pub(super) fn write(_span: &Span, _metadata: &mut MetadataMap) {}
}
